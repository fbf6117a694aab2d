#include "math/nearest_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"

namespace stad {
namespace {

/// Equal rows may differ in the last bits of their products, by where the kernel's tail falls. On this grid, far
/// below float32's resolution, they tie.
double on_grid(double similarity) { return std::round(similarity * 0x1p40) * 0x1p-40; }

/// The nearest of one row's similarities, itself apart.
void select(Eigen::Ref<const Eigen::ArrayXd> similarities, Index self, std::span<Index> nearest) {
  std::vector<Index> others;
  others.reserve(static_cast<std::size_t>(similarities.size()));
  for (Index j = 0; j < similarities.size(); ++j)
    if (j != self) others.push_back(j);
  const auto nearer = [&](Index a, Index b) {
    return similarities[a] != similarities[b] ? similarities[a] > similarities[b] : a < b;
  };
  const auto end = others.begin() + static_cast<Index>(nearest.size());
  std::partial_sort(others.begin(), end, others.end(), nearer);
  std::copy(others.begin(), end, nearest.begin());
}

}  // namespace

std::vector<Index> nearest_rows(const DoubleRows& unit, Index count) {
  const Index rows = unit.rows();
  const Index kept = std::max<Index>(0, std::min(count, rows - 1));
  std::vector<Index> nearest(static_cast<std::size_t>(rows * kept));
  // A run of rows at a time: all pairs at once would take gigabytes for batches of ten thousand.
  parallel_for_runs(rows, unit.size(), [&](Index first, Index length) {
    DoubleRows similarities = unit.middleRows(first, length) * unit.transpose();
    similarities = similarities.unaryExpr(&on_grid);
    for (Index i = 0; i < length; ++i)
      select(similarities.row(i).transpose().array(), first + i,
             {nearest.data() + (first + i) * kept, static_cast<std::size_t>(kept)});
  });
  return nearest;
}

}  // namespace stad
