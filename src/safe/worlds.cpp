#include "safe/worlds.hpp"

#include <algorithm>

namespace stad::safe {

Worlds::Worlds(Index classes, Index dimension, double memory, double anchor)
    : kept_(kMost, KeptWorld(classes, dimension, memory, anchor)) {}

void Worlds::keep(const Evidence& world) {
  auto place = std::ranges::find_if_not(kept_, &KeptWorld::in_use);
  if (place == kept_.end()) {
    std::ranges::rotate(kept_, kept_.begin() + 1);
    --place;
  }
  place->keep(world);
}

bool Worlds::return_to_best(const ConstRows& source, double likeness, const Heard& next, double least_fit,
                            Evidence& to) {
  auto best = kept_.end();
  for (auto place = kept_.begin(); place != kept_.end() && place->in_use(); ++place) {
    const double fit = place->evidence().fit(source, likeness, next);
    if (fit <= least_fit) continue;
    least_fit = fit;
    best = place;
  }
  if (best == kept_.end()) return false;
  to = best->evidence();
  best->clear();
  std::rotate(best, best + 1, kept_.end());
  return true;
}

void Worlds::forget() {
  for (KeptWorld& world : kept_) world.clear();
}

}  // namespace stad::safe
