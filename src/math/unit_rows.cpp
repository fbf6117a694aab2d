#include "math/unit_rows.hpp"

#include <cmath>

namespace stad {
namespace {

/// In double: float32 squares overflow from 1e19 and vanish below 1e-19.
double centred_row(std::span<const float> row, std::span<const float> center, std::span<double> out) {
  double squares = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    out[i] = static_cast<double>(row[i]) - (center.empty() ? 0.0 : static_cast<double>(center[i]));
    squares += out[i] * out[i];
  }
  return std::sqrt(squares);
}

}  // namespace

template <typename Scalar>
UnitRows<Scalar> unit_rows(MatrixView rows, std::span<const float> center) {
  UnitRows<Scalar> result{Rows<Scalar>(rows.rows, rows.cols), {}};
  std::vector<double> centred(static_cast<std::size_t>(rows.cols));
  for (Index r = 0; r < rows.rows; ++r) {
    const double norm = centred_row(rows.row(r), center, centred);
    if (norm == 0) continue;
    const auto out = row_of(result.rows, static_cast<Index>(result.directed.size()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Scalar>(centred[i] / norm);
    result.directed.push_back(r);
  }
  result.rows.conservativeResize(static_cast<Index>(result.directed.size()), Eigen::NoChange);
  return result;
}

template UnitRows<float> unit_rows(MatrixView, std::span<const float>);
template UnitRows<double> unit_rows(MatrixView, std::span<const float>);

}  // namespace stad
