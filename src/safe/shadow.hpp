#pragma once

#include <span>
#include <vector>

#include "safe/evidence.hpp"

namespace stad::safe {

/// Prototypes that learn from the source's labels alone. They cannot be led astray, and they tell what prototypes are
/// worth on these features: if they say what the source says, the classes are clusters, and prototypes that follow
/// the drift can be trusted; if not, the source knows what no prototype can. [safe-shadow]
class Shadow {
 public:
  Shadow(Index classes, Index dimension);

  /// Asks the prototypes about the rows, whose labels by them are written to `said`, then lets them learn.
  void observe(const ConstRows& rows, std::span<const Index> labels, const ConstRows& source, double likeness,
               std::span<Index> said);

  void fade(double share) { evidence_.fade(share); }

  /// Cohen's kappa: agreement with the source beyond chance, at most 1.
  double agreement() const;

  /// How often it says another class than the source, from 0 to 1 where it says any.
  double disagreement() const;

  /// Of rows with these cosines, n x K, to prototypes: under equally frequent classes that are as concentrated as rows
  /// have been about the shadow's prototypes.
  double mean_log_likelihood(const ConstRows& cosines) const;

  /// The concentration under which the prototypes predict the source's labels best, one chunk of rows ahead. That of
  /// the rows' mean length would be right if features filled all dimensions evenly; a bank of shares of it is
  /// weighted by how well each has predicted.
  double concentration() const;

  /// log(how often the prototypes say class k / how often the source does): the source's labels crowd into few
  /// classes under drift, while prototypes, which have no bias, share rows out by where they lie. K
  void log_ratios(std::span<float> out) const;

  template <typename Visitor>
  void visit(Visitor&& visit) {
    evidence_.visit(visit);
    visit.mean("agreement", agreement_);
    visit.mean("length", length_);
    visit.numbers("said", said_, 0, 1e9);
    visit.numbers("heard", heard_, 0, 1e9);
    visit.numbers("scores", scores_, -1e12, 1e12);
  }

 private:
  void observe_chunk(const ConstRows& rows, std::span<const Index> labels, const ConstRows& source, double likeness,
                     std::span<Index> said);
  double full_concentration() const;

  Evidence evidence_;
  MovingMean agreement_;
  MovingMean length_;           ///< of rows along the prototype of their source label
  std::vector<double> said_;    ///< K: labels of the prototypes, fading counts
  std::vector<double> heard_;   ///< K: labels of the source
  std::vector<double> scores_;  ///< of each share of the concentration: log-probability of the source's labels
};

}  // namespace stad::safe
