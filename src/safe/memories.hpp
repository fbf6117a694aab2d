#pragma once

#include <array>
#include <vector>

#include "safe/evidence.hpp"
#include "safe/surprise.hpp"
#include "safe/worlds.hpp"

namespace stad::safe {

/// How far back to remember is not chosen: a short and a usual memory hear the same rows with the same
/// responsibilities, and each is weighted by how well it has predicted the rows that came next.
/// [safe-memories]
class Memories {
 public:
  static constexpr Index kCount = 2;
  using Shares = std::array<double, kCount>;

  /// @param anchor rows that a source direction is worth
  Memories(Index classes, Index dimension, double anchor);

  /// What each memory counts, the usual one alone as far as things are settled (from 0 to 1).
  Shares shares(double settled) const;

  /// Unit rows. `likeness` is the length a mean row has along its source direction.
  void directions(const ConstRows& source, double likeness, const Shares& shares, FloatRowsMap out) const;
  /// The same as if this had been heard.
  void directions(const ConstRows& source, double likeness, const Shares& shares, const Heard& heard,
                  FloatRowsMap out) const;

  /// Learns from rows, n x D, with responsibilities, n x K, after every memory has been asked about them.
  void learn(const ConstRows& responsibilities, const ConstRows& rows, const ConstRows& source, double likeness,
             double concentration, const Shares& shares);

  void add(const Heard& heard);
  /// As if class k had heard `weight` more of a row, since which it has heard this many others.
  void amend(Index k, std::span<const float> row, double weight, double heard_since);
  /// All keep this share of what they have heard.
  void fade(double share);
  /// Nothing has been heard.
  void forget();

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.part("short.", members_[0]);
    visit.part("usual.", members_[1]);
    visit.numbers("scores", scores_, -1e12, 1e12);
    visit.part("surprise.", surprise_);
    visit.part("worlds.", worlds_);
  }

 private:
  using Fits = std::array<double, kCount>;

  /// Fits of rows to come, before they are learned from. True: they tell of another world.
  bool judge(const Fits& fits, Index rows, double concentration, const Shares& shares);
  /// Rows have come that fit the memories only so well: of the worlds that were, one may fit better.
  void change_world(const ConstRows& source, double likeness, const Heard& next, double fit, double concentration);

  std::vector<Evidence> members_;
  std::vector<double> scores_;  ///< log-likelihood of the rows, one chunk ahead, fading, above the usual memory's
  Surprise surprise_;
  Worlds worlds_;
};

}  // namespace stad::safe
