#include "math/nearest_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "math/scratch_rows.hpp"

namespace stad {
namespace {

/// Rows of equal direction but different length may differ in the last bits after scaling. Rounding to this grid, far
/// below the resolution of float32, makes them tie.
void round_to_grid(DoubleRowsMap similarities) {
  similarities.array() = (similarities.array() * 0x1p40).rint() * 0x1p-40;
}

struct Neighbour {
  double similarity;
  Index row;
};

bool nearer(const Neighbour& a, const Neighbour& b) {
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.row < b.row;
}

/// Selects the nearest rows by their similarities, without the row itself. Keeps a heap with the farthest of the best
/// on top, so that one comparison rejects nearly all others.
void select_nearest(std::span<const double> similarities, Index self, std::span<Neighbour> best,
                    std::span<Index> nearest) {
  std::size_t kept = 0;
  for (Index j = 0; j < static_cast<Index>(similarities.size()); ++j) {
    if (j == self) continue;
    const Neighbour neighbour{similarities[j], j};
    if (kept < best.size()) {
      best[kept++] = neighbour;
      std::push_heap(best.begin(), best.begin() + static_cast<Index>(kept), nearer);
    } else if (nearer(neighbour, best.front())) {
      std::pop_heap(best.begin(), best.end(), nearer);
      best.back() = neighbour;
      std::push_heap(best.begin(), best.end(), nearer);
    }
  }
  std::sort_heap(best.begin(), best.end(), nearer);
  for (std::size_t i = 0; i < best.size(); ++i) nearest[i] = best[i].row;
}

}  // namespace

Index neighbours_of_each(Index rows, Index count) { return std::max<Index>(0, std::min(count, rows - 1)); }

void nearest_rows(RowsView<double> unit, Index count, std::span<Index> nearest) {
  const Index kept = neighbours_of_each(unit.rows, count);
  if (kept == 0) return;
  // One run of rows at a time: all pairs at once would need gigabytes for batches of ten thousand rows.
  parallel_for_runs(unit.rows, unit.rows * unit.cols, [&](Index first, Index length) {
    Scratch scratch;
    const auto similarities = take_rows<double>(scratch, length, unit.rows);
    const auto best = scratch.take<Neighbour>(kept);
    wide_products(unit.rows_from(first, length), unit, similarities);
    round_to_grid(similarities);
    for (Index i = 0; i < length; ++i)
      select_nearest({similarities.row(i).data(), static_cast<std::size_t>(unit.rows)}, first + i, best,
                     nearest.subspan(static_cast<std::size_t>((first + i) * kept), static_cast<std::size_t>(kept)));
  });
}

std::vector<Index> nearest_rows(const DoubleRows& unit, Index count) {
  std::vector<Index> nearest(static_cast<std::size_t>(unit.rows() * neighbours_of_each(unit.rows(), count)));
  nearest_rows(RowsView<double>(unit), count, nearest);
  return nearest;
}

}  // namespace stad
