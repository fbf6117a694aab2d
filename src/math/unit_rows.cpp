#include "math/unit_rows.hpp"

#include <cmath>

#include "base/scratch.hpp"
#include "math/inner_product.hpp"
#include "math/mixture.hpp"

namespace stad {
namespace {

/// Writes the unit row and returns its norm before. In double: float32 squares overflow from 1e19 and vanish below
/// 1e-19.
template <typename Scalar>
double unit_in_double(std::span<const float> row, std::span<const float> center, Scalar* out) {
  Scratch scratch;
  const auto centred = scratch.take<double>(static_cast<Index>(row.size()));
  if (center.empty())
    as_array(centred) = as_array(row).cast<double>();
  else
    as_array(centred) = as_array(row).cast<double>() - as_array(center).cast<double>();
  const double norm = std::sqrt(inner_product(std::span<const double>(centred), centred));
  if (norm > 0) as_array(std::span(out, row.size())) = (as_array(centred) * (1 / norm)).template cast<Scalar>();
  return norm;
}

/// The same where the squares are well inside the range of float32, as those of features are.
template <Index kTerms>
double unit_in_float(const Mixture<float, kTerms>& row, Index dimension, float* out) {
  const double norm = row.norm(dimension);
  if (!(norm > 1e-12 && norm < 1e16)) return 0;
  row.write(static_cast<float>(1 / norm), dimension, out);
  return norm;
}

double unit(std::span<const float> row, std::span<const float> center, float* out) {
  const auto dimension = static_cast<Index>(row.size());
  const double norm = center.empty()
                          ? unit_in_float(Mixture<float, 1>{{row.data()}, {1}}, dimension, out)
                          : unit_in_float(Mixture<float, 2>{{row.data(), center.data()}, {1, -1}}, dimension, out);
  return norm > 0 ? norm : unit_in_double(row, center, out);
}

double unit(std::span<const float> row, std::span<const float> center, double* out) {
  return unit_in_double(row, center, out);
}

}  // namespace

template <typename Scalar>
void unit_rows(MatrixView rows, std::span<const float> center, UnitRows<Scalar>& out) {
  if (out.rows.rows() != rows.rows || out.rows.cols() != rows.cols) out.rows.resize(rows.rows, rows.cols);
  out.directed.clear();
  for (Index r = 0; r < rows.rows; ++r)
    if (unit(rows.row(r), center, row_of(out.rows, static_cast<Index>(out.directed.size())).data()) > 0)
      out.directed.push_back(r);
  if (const auto kept = static_cast<Index>(out.directed.size()); kept < rows.rows)
    out.rows.conservativeResize(kept, Eigen::NoChange);
}

template <typename Scalar>
UnitRows<Scalar> unit_rows(MatrixView rows, std::span<const float> center) {
  UnitRows<Scalar> result;
  unit_rows(rows, center, result);
  return result;
}

template UnitRows<float> unit_rows(MatrixView, std::span<const float>);
template UnitRows<double> unit_rows(MatrixView, std::span<const float>);
template void unit_rows(MatrixView, std::span<const float>, UnitRows<float>&);
template void unit_rows(MatrixView, std::span<const float>, UnitRows<double>&);

}  // namespace stad
