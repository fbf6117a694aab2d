#include "math/unit_rows.hpp"

#include <cmath>

#include "base/scratch.hpp"
#include "math/inner_product.hpp"

namespace stad {
namespace {

/// In double: float32 squares overflow from 1e19 and vanish below 1e-19.
double centred_row(std::span<const float> row, std::span<const float> center, std::span<double> out) {
  if (center.empty())
    for (std::size_t i = 0; i < row.size(); ++i) out[i] = row[i];
  else
    for (std::size_t i = 0; i < row.size(); ++i) out[i] = static_cast<double>(row[i]) - static_cast<double>(center[i]);
  return std::sqrt(inner_product(std::span<const double>(out), std::span<const double>(out)));
}

}  // namespace

template <typename Scalar>
bool unit_row(std::span<const float> row, std::span<const float> center, std::span<Scalar> unit) {
  Scratch scratch;
  const auto centred = scratch.take<double>(static_cast<Index>(row.size()));
  const double norm = centred_row(row, center, centred);
  if (norm == 0) return false;
  for (std::size_t i = 0; i < unit.size(); ++i) unit[i] = static_cast<Scalar>(centred[i] / norm);
  return true;
}

template <typename Scalar>
Index unit_rows(MatrixView rows, std::span<const float> center, Eigen::Map<Rows<Scalar>> unit,
                std::span<Index> directed) {
  Index count = 0;
  for (Index r = 0; r < rows.rows; ++r) {
    const std::span<Scalar> out(unit.data() + count * rows.cols, static_cast<std::size_t>(rows.cols));
    if (unit_row<Scalar>(rows.row(r), center, out)) directed[count++] = r;
  }
  return count;
}

template <typename Scalar>
UnitRows<Scalar> unit_rows(MatrixView rows, std::span<const float> center) {
  UnitRows<Scalar> result{Rows<Scalar>(rows.rows, rows.cols), std::vector<Index>(static_cast<std::size_t>(rows.rows))};
  const Eigen::Map<Rows<Scalar>> unit(result.rows.data(), rows.rows, rows.cols);
  const Index count = unit_rows<Scalar>(rows, center, unit, result.directed);
  result.directed.resize(static_cast<std::size_t>(count));
  result.rows.conservativeResize(count, Eigen::NoChange);
  return result;
}

template bool unit_row(std::span<const float>, std::span<const float>, std::span<float>);
template bool unit_row(std::span<const float>, std::span<const float>, std::span<double>);
template Index unit_rows(MatrixView, std::span<const float>, Eigen::Map<Rows<float>>, std::span<Index>);
template Index unit_rows(MatrixView, std::span<const float>, Eigen::Map<Rows<double>>, std::span<Index>);
template UnitRows<float> unit_rows(MatrixView, std::span<const float>);
template UnitRows<double> unit_rows(MatrixView, std::span<const float>);

}  // namespace stad
