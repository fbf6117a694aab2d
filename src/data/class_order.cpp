#include "data/class_order.hpp"

#include <algorithm>
#include <map>

namespace stad {

void sort_by_class(std::span<const std::int64_t> labels, Random& random, std::vector<Index>& rows) {
  std::map<std::int64_t, Index> rank;
  for (const Index row : rows) rank[labels[static_cast<std::size_t>(row)]] = 0;
  std::vector<Index> order(rank.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  random.shuffle(order);
  std::size_t next = 0;
  for (auto& [label, place] : rank) place = order[next++];

  const auto rank_of = [&](Index row) { return rank.at(labels[static_cast<std::size_t>(row)]); };
  std::stable_sort(rows.begin(), rows.end(), [&](Index a, Index b) { return rank_of(a) < rank_of(b); });
}

}  // namespace stad
