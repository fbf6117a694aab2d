#pragma once

#include <optional>
#include <vector>

#include "safe/evidence.hpp"

namespace stad::safe {

/// Where the classes pointed in one world; takes no memory where there is none.
class KeptWorld {
 public:
  KeptWorld(Index classes, Index dimension, double memory, double anchor)
      : classes_(classes), dimension_(dimension), memory_(memory), anchor_(anchor) {}

  bool in_use() const { return evidence_.has_value(); }
  void clear() { evidence_.reset(); }
  void keep(const Evidence& evidence) { evidence_ = evidence; }
  const Evidence& evidence() const { return *evidence_; }

  template <typename Visitor>
  void visit(Visitor&& visit) {
    if (!evidence_) evidence_.emplace(classes_, dimension_, memory_, anchor_);
    evidence_->visit(visit);
  }

 private:
  Index classes_;
  Index dimension_;
  double memory_;
  double anchor_;
  std::optional<Evidence> evidence_;
};

/// Prototypes as they stood each time before the world changed at once, the last few: it may change back. [safe-worlds]
class Worlds {
 public:
  Worlds(Index classes, Index dimension, double memory, double anchor);

  /// The oldest makes room.
  void keep(const Evidence& world);

  /// Returns to the world that fits best what comes next, if one does so better than this; it is kept no longer.
  bool return_to_best(const ConstRows& source, double likeness, const Heard& next, double least_fit, Evidence& to);

  void forget();

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.part_in_use("oldest.", kept_[0]);
    visit.part_in_use("middle.", kept_[1]);
    visit.part_in_use("newest.", kept_[2]);
  }

 private:
  static constexpr std::size_t kMost = 3;

  std::vector<KeptWorld> kept_;  ///< kMost, from old to new; those without a world come last
};

}  // namespace stad::safe
