#pragma once

#include "safe/forgetting.hpp"
#include "safe/products.hpp"

namespace stad::safe {

/// Where each class points: the sum of the rows it has heard, which fades as it hears more, and its source direction,
/// which never fades. A class that hears nothing forgets nothing. [safe-evidence]
class Evidence {
 public:
  /// @param memory rows of its own that a class remembers
  /// @param anchor rows that its source direction is worth
  Evidence(Index classes, Index dimension, double memory, double anchor)
      : sums_(FloatRows::Zero(classes, dimension)), memory_(memory), anchor_(anchor) {}

  /// Unit rows. `likeness` is the length a mean row has along its source direction.
  void directions(const ConstRows& source, double likeness, FloatRowsMap out) const;
  /// The same as if this had been heard.
  void directions(const ConstRows& source, double likeness, const Heard& heard, FloatRowsMap out) const;

  /// How well the directions fit what comes next: the sum of its cosines with them, weighted by responsibility.
  double fit(const ConstRows& source, double likeness, const Heard& next) const;
  /// The same as if this had been heard before.
  double fit(const ConstRows& source, double likeness, const Heard& heard, const Heard& next) const;

  void add(const Heard& heard);
  /// As if class k had heard `weight` more of a row, since which it has heard this many others.
  void amend(Index k, std::span<const float> row, double weight, double heard_since);
  /// All classes keep this share of what they have heard.
  void fade(double share) { kept_ *= share; }
  void forget();

  Index dimension() const { return sums_.cols(); }

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.rows("sums", sums_);
    visit.number("kept", kept_, 0, 1);
  }

 private:
  template <typename Work>
  void for_mixtures(const ConstRows& source, double likeness, const Work& work) const;
  template <typename Work>
  void for_mixtures(const ConstRows& source, double likeness, const Heard& heard, const Work& work) const;

  FloatRows sums_;   ///< K x D
  double kept_ = 1;  ///< share of the sums that is left: a pass over them for every fading would be dear
  double memory_;
  double anchor_;
};

}  // namespace stad::safe
