#include "math/unit_rows.hpp"

#include <cmath>
#include <type_traits>

#include "base/scratch.hpp"
#include "math/inner_product.hpp"
#include "math/weighted_rows.hpp"

namespace stad {
namespace {

/// Writes the unit row and returns its original norm. Computes in double, because squares of float32 overflow above
/// 1e19 and underflow below 1e-19.
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

/// Calls work with the row minus the centre in float32.
template <typename Work>
void with_centred(std::span<const float> row, std::span<const float> center, const Work& work) {
  if (center.empty())
    work(WeightedRows<float, 1>{{row.data()}, {1}});
  else
    work(WeightedRows<float, 2>{{row.data(), center.data()}, {1, -1}});
}

/// Reciprocal norm of every row, or zero if its square is near the limits of float32. The divisions are one vectorised
/// pass, because for short rows they would dominate the time.
std::span<const float> float_scales(MatrixView rows, std::span<const float> center, Scratch& scratch) {
  constexpr float kLeast = 1e-24F;
  constexpr float kMost = 1e32F;
  const auto scales = scratch.take<float>(rows.rows);
  for (Index r = 0; r < rows.rows; ++r)
    with_centred(rows.row(r), center, [&](const auto& row) { scales[r] = row.squared_norm(rows.cols); });
  for (float& scale : scales) scale = scale > kLeast && scale < kMost ? 1 / std::sqrt(scale) : 0;
  return scales;
}

}  // namespace

template <typename Scalar>
Index unit_rows(MatrixView rows, std::span<const float> center, RowsMap<Scalar> unit, std::span<Index> directed) {
  Scratch scratch;
  std::span<const float> scales;
  if constexpr (std::is_same_v<Scalar, float>) scales = float_scales(rows, center, scratch);
  Index kept = 0;
  for (Index r = 0; r < rows.rows; ++r) {
    const auto out = row_of(unit, kept);
    bool written = false;
    if constexpr (std::is_same_v<Scalar, float>)
      if (scales[r] > 0) {
        with_centred(rows.row(r), center, [&](const auto& row) { row.write(scales[r], rows.cols, out.data()); });
        written = true;
      }
    if (written || unit_in_double(rows.row(r), center, out.data()) > 0) directed[kept++] = r;
  }
  return kept;
}

template <typename Scalar>
void unit_rows(MatrixView rows, std::span<const float> center, UnitRows<Scalar>& out) {
  if (out.rows.rows() != rows.rows || out.rows.cols() != rows.cols) out.rows.resize(rows.rows, rows.cols);
  out.directed.resize(static_cast<std::size_t>(rows.rows));
  const Index kept = unit_rows<Scalar>(rows, center, {out.rows.data(), rows.rows, rows.cols}, out.directed);
  out.directed.resize(static_cast<std::size_t>(kept));
  if (kept < rows.rows) out.rows.conservativeResize(kept, Eigen::NoChange);
}

template <typename Scalar>
UnitRows<Scalar> unit_rows(MatrixView rows, std::span<const float> center) {
  UnitRows<Scalar> result;
  unit_rows(rows, center, result);
  return result;
}

template <typename Scalar>
bool unit_row(std::span<const float> row, std::span<const float> center, std::span<Scalar> unit) {
  Index directed = 0;
  const MatrixView view(row.data(), 1, static_cast<Index>(row.size()));
  return unit_rows<Scalar>(view, center, {unit.data(), 1, view.cols}, std::span(&directed, 1)) > 0;
}

#define STAD_INSTANTIATE_UNIT_ROWS(Scalar)                                                         \
  template UnitRows<Scalar> unit_rows(MatrixView, std::span<const float>);                         \
  template void unit_rows(MatrixView, std::span<const float>, UnitRows<Scalar>&);                  \
  template Index unit_rows(MatrixView, std::span<const float>, RowsMap<Scalar>, std::span<Index>); \
  template bool unit_row(std::span<const float>, std::span<const float>, std::span<Scalar>);

STAD_INSTANTIATE_UNIT_ROWS(float)
STAD_INSTANTIATE_UNIT_ROWS(double)

}  // namespace stad
