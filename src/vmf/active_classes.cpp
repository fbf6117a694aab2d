#include "vmf/active_classes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/scratch.hpp"
#include "data/evidence.hpp"
#include "math/bessel_ratio.hpp"
#include "math/inner_product.hpp"
#include "math/row_products.hpp"
#include "math/weighted_rows.hpp"

namespace stad::vmf {
namespace {

/// kappa E[w] of a neighbour in time: direction and weight.
template <typename Scalar>
struct TransitionMessage {
  const Scalar* direction = nullptr;
  double strength = 0;
};

/// Updates some classes step by step along the window.
template <typename Scalar>
class Chain {
 public:
  Chain(const Sweep<Scalar>& sweep, std::span<const Index> classes, Scratch& scratch)
      : sweep_(sweep),
        window_(sweep.window),
        classes_(classes),
        dimension_(sweep.window.dimension()),
        evidence_(scratch.take<Scalar*>(count())),
        unkept_(scratch.take<Scalar>(2 * count() * dimension_)),
        before_(scratch.take<const Scalar*>(count())),
        fresh_(scratch.take<Scalar*>(count())),
        gammas_(scratch.take<double>(count())),
        ratios_(scratch.take<double>(count())),
        weights_(scratch.take<const Scalar*>(count())),
        out_(scratch.take<Scalar*>(count())) {
    for (Index c = 0; c < count(); ++c) evidence_[c] = unkept_.data() + (count() + c) * dimension_;
  }

  /// Updates step i of every class; it becomes the preceding step of the next call.
  void advance(Index i) {
    gather_evidence(i);
    for (Index c = 0; c < count(); ++c) update_direction(i, c);
    update_lengths(i);
    if (window_.learns_kappas && i > 0) compare_with_before(i);
    if (sweep_.carries_cosines(i)) carry_cosines(i);
    std::ranges::copy(fresh_, before_.begin());
  }

 private:
  Index count() const { return static_cast<Index>(classes_.size()); }
  std::span<const Scalar> direction(const Scalar* row) const { return {row, static_cast<std::size_t>(dimension_)}; }
  bool seen(Index i, Index c) const { return window_.steps[i].mass[classes_[c]] > 0; }

  /// sum_n lambda_nk h_n of the classes with responsibilities.
  void gather_evidence(Index i) {
    std::size_t some = 0;
    for (Index c = 0; c < count(); ++c) {
      if (!seen(i, c)) continue;
      weights_[some] = sweep_.responsibilities(i, classes_[c]).data();
      out_[some++] = evidence_[c];
    }
    weighted_sums<Scalar>(weights_.first(some), sweep_.rows[i], dimension_, out_.first(some));
  }

  /// rho = beta / |beta|, written where later sweeps read it.
  void update_direction(Index i, Index c) {
    const Index k = classes_[c];
    const TransitionMessage<Scalar> before = message_before(i, c);
    const TransitionMessage<Scalar> after = message_after(i, k);
    fresh_[c] = place(i, c);
    const auto earlier = static_cast<Scalar>(before.strength);
    const auto later = static_cast<Scalar>(after.strength);
    if (seen(i, c))
      normalise(WeightedRows<Scalar, 3>{{evidence_[c], before.direction, after.direction},
                                        {static_cast<Scalar>(sweep_.params.emission[k]), earlier, later}},
                i, c);
    else
      normalise(WeightedRows<Scalar, 2>{{before.direction, after.direction}, {earlier, later}}, i, c);
  }

  template <Index kTerms>
  void normalise(const WeightedRows<Scalar, kTerms>& beta, Index i, Index c) {
    gammas_[c] = beta.norm(dimension_);
    if (gammas_[c] > kNoEvidence) return beta.write(static_cast<Scalar>(1 / gammas_[c]), dimension_, fresh_[c]);
    const Scalar* kept = stale(i, classes_[c]);
    if (kept != fresh_[c]) std::copy_n(kept, dimension_, fresh_[c]);
  }

  // A missing neighbour sends a message of weight 0.

  TransitionMessage<Scalar> message_before(Index i, Index c) const {
    const Index k = classes_[c];
    if (!window_.linked) return {row(window_.source, k), 0};
    if (i > 0) return {before_[c], transition(k) * window_.steps[i - 1].lengths[k]};
    if (window_.has_past()) return {row(window_.past, k), transition(k) * window_.past_lengths[k]};
    return {row(window_.source, k), sweep_.params.initial};
  }

  TransitionMessage<Scalar> message_after(Index i, Index k) const {
    if (!window_.linked || i + 1 == window_.size()) return {row(window_.source, k), 0};
    return {stale(i + 1, k), transition(k) * window_.steps[i + 1].lengths[k]};
  }

  /// The direction at this step before the sweep; for the oldest step, whose direction is not stored, the past.
  const Scalar* stale(Index i, Index k) const {
    if (i + 1 == window_.size() && sweep_.position.first) return row(*window_.start, k);
    if (window_.directions[i].size() > 0) return row(window_.directions[i], k);
    return row(window_.has_past() ? window_.past : window_.source, k);
  }

  /// Where the direction of this step is written: where the next sweep reads it, or working memory.
  Scalar* place(Index i, Index c) {
    const Index at = sweep_.slides() ? i - 1 : i;
    Rows<Scalar>& kept = at < 0 ? window_.past : window_.directions[at];
    return kept.size() > 0 ? row_of(kept, classes_[c]).data() : unkept_.data() + c * dimension_;
  }

  /// |E[w]| = A_D(gamma)
  void update_lengths(Index i) {
    std::ranges::copy(gammas_, ratios_.begin());
    bessel_ratios(dimension_, ratios_);
    for (Index c = 0; c < count(); ++c)
      if (gammas_[c] > kNoEvidence) window_.steps[i].lengths[classes_[c]] = ratios_[c];
  }

  void compare_with_before(Index i) {
    for (Index c = 0; c < count(); ++c) {
      const Index k = classes_[c];
      window_.transitions[k] += window_.steps[i - 1].lengths[k] * window_.steps[i].lengths[k] *
                                inner_product(direction(before_[c]), direction(fresh_[c]));
    }
  }

  void carry_cosines(Index i) {
    VmfStep<Scalar>& step = window_.steps[i];
    for (Index c = 0; c < count(); ++c) {
      weights_[c] = fresh_[c];
      out_[c] = row_of(step.cosines, classes_[c]).data();
    }
    inner_products<Scalar>(weights_, sweep_.rows[i], dimension_, out_);
    if (!window_.learns_kappas) return;
    for (const Index k : classes_)
      step.agreements[k] =
          step.lengths[k] * inner_product(sweep_.responsibilities(i, k), row_of(std::as_const(step.cosines), k));
  }

  static const Scalar* row(const Rows<Scalar>& rows, Index k) { return rows.data() + k * rows.cols(); }
  double transition(Index k) const { return sweep_.params.transition[k]; }

  const Sweep<Scalar>& sweep_;
  VmfWindow<Scalar>& window_;
  std::span<const Index> classes_;
  Index dimension_;
  std::span<Scalar*> evidence_;
  std::span<Scalar> unkept_;          ///< working memory for directions that are not stored, and for evidence
  std::span<const Scalar*> before_;   ///< the directions of the step before
  std::span<Scalar*> fresh_;          ///< those of this step
  std::span<double> gammas_;          ///< |beta|
  std::span<double> ratios_;          ///< A_D(|beta|)
  std::span<const Scalar*> weights_;  ///< the operands of a product
  std::span<Scalar*> out_;            ///< and where it goes
};

}  // namespace

template <typename Scalar>
void sweep_active(const Sweep<Scalar>& sweep, std::span<const Index> classes) {
  if (classes.empty()) return;
  Scratch scratch;
  Chain<Scalar> chain(sweep, classes, scratch);
  for (Index i = 0; i < sweep.window.size(); ++i) chain.advance(i);
}

template void sweep_active(const Sweep<float>&, std::span<const Index>);
template void sweep_active(const Sweep<double>&, std::span<const Index>);

}  // namespace stad::vmf
