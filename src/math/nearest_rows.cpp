#include "math/nearest_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "math/scratch_rows.hpp"

namespace stad {
namespace {

/// Rows of one direction but different length may differ in the last bits once they are scaled. On this grid, far
/// below float32's resolution, they tie.
void round_to_grid(DoubleRowsMap similarities) {
  similarities.array() = (similarities.array() * 0x1p40).rint() * 0x1p-40;
}

struct Candidate {
  double similarity;
  Index row;
};

bool nearer(const Candidate& a, const Candidate& b) {
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.row < b.row;
}

/// The nearest of one row's similarities, itself apart: a heap of the best so far with the farthest on top, since
/// nearly all others are turned away by one comparison with it.
void select(std::span<const double> similarities, Index self, std::span<Candidate> best, std::span<Index> nearest) {
  std::size_t kept = 0;
  for (Index j = 0; j < static_cast<Index>(similarities.size()); ++j) {
    if (j == self) continue;
    const Candidate candidate{similarities[j], j};
    if (kept < best.size()) {
      best[kept++] = candidate;
      std::push_heap(best.begin(), best.begin() + static_cast<Index>(kept), nearer);
    } else if (nearer(candidate, best.front())) {
      std::pop_heap(best.begin(), best.end(), nearer);
      best.back() = candidate;
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
  // A run of rows at a time: all pairs at once would take gigabytes for batches of ten thousand.
  parallel_for_runs(unit.rows, unit.rows * unit.cols, [&](Index first, Index length) {
    Scratch scratch;
    const auto similarities = take_rows<double>(scratch, length, unit.rows);
    const auto best = scratch.take<Candidate>(kept);
    wide_products(unit.rows_from(first, length), unit, similarities);
    round_to_grid(similarities);
    for (Index i = 0; i < length; ++i)
      select({similarities.row(i).data(), static_cast<std::size_t>(unit.rows)}, first + i, best,
             nearest.subspan(static_cast<std::size_t>((first + i) * kept), static_cast<std::size_t>(kept)));
  });
}

std::vector<Index> nearest_rows(const DoubleRows& unit, Index count) {
  std::vector<Index> nearest(static_cast<std::size_t>(unit.rows() * neighbours_of_each(unit.rows(), count)));
  nearest_rows(RowsView<double>(unit), count, nearest);
  return nearest;
}

}  // namespace stad
