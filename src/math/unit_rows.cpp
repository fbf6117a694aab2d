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

/// The row less the centre, as float32 has it.
template <typename Work>
void with_mixture(std::span<const float> row, std::span<const float> center, const Work& work) {
  if (center.empty())
    work(Mixture<float, 1>{{row.data()}, {1}});
  else
    work(Mixture<float, 2>{{row.data(), center.data()}, {1, -1}});
}

/// One over the norm of every row, or zero where its squares come near the ends of float32's range. The divisions of
/// all rows are one vectorised pass: for short rows they would take longer than everything else.
std::span<const float> float_scales(MatrixView rows, std::span<const float> center, Scratch& scratch) {
  constexpr float kLeast = 1e-24F;
  constexpr float kMost = 1e32F;
  const auto scales = scratch.take<float>(rows.rows);
  for (Index r = 0; r < rows.rows; ++r)
    with_mixture(rows.row(r), center, [&](const auto& row) { scales[r] = row.squared_norm(rows.cols); });
  for (float& scale : scales) scale = scale > kLeast && scale < kMost ? 1 / std::sqrt(scale) : 0;
  return scales;
}

void write_units(MatrixView rows, std::span<const float> center, UnitRows<float>& out) {
  Scratch scratch;
  const auto scales = float_scales(rows, center, scratch);
  for (Index r = 0; r < rows.rows; ++r) {
    float* const to = row_of(out.rows, static_cast<Index>(out.directed.size())).data();
    if (scales[r] > 0)
      with_mixture(rows.row(r), center, [&](const auto& row) { row.write(scales[r], rows.cols, to); });
    else if (unit_in_double(rows.row(r), center, to) == 0)
      continue;
    out.directed.push_back(r);
  }
}

void write_units(MatrixView rows, std::span<const float> center, UnitRows<double>& out) {
  for (Index r = 0; r < rows.rows; ++r)
    if (unit_in_double(rows.row(r), center, row_of(out.rows, static_cast<Index>(out.directed.size())).data()) > 0)
      out.directed.push_back(r);
}

}  // namespace

template <typename Scalar>
void unit_rows(MatrixView rows, std::span<const float> center, UnitRows<Scalar>& out) {
  if (out.rows.rows() != rows.rows || out.rows.cols() != rows.cols) out.rows.resize(rows.rows, rows.cols);
  out.directed.clear();
  write_units(rows, center, out);
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
