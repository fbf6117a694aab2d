#include "vmf/sweep.hpp"

#include "base/parallel.hpp"
#include "base/scratch.hpp"
#include "vmf/assign.hpp"
#include "vmf/chain.hpp"
#include "vmf/cosines.hpp"
#include "vmf/m_step.hpp"
#include "vmf/rest.hpp"

namespace stad::vmf {
namespace {

/// Some neighbouring classes along the window.
template <typename Scalar>
void sweep_classes(const Sweep<Scalar>& sweep, Index first, Index length) {
  Window<Scalar>& window = sweep.window;
  Scratch scratch;
  const auto awake = scratch.take<Index>(length);
  const auto resting = scratch.take<Index>(length);
  std::size_t awake_count = 0;
  std::size_t resting_count = 0;
  for (Index k = first; k < first + length; ++k) {
    if (window.rest[k] != Rest::kAwake && sweep.has_mass(k)) wake(sweep, k);
    if (window.rest[k] == Rest::kAwake)
      awake[awake_count++] = k;
    else
      resting[resting_count++] = k;
  }
  sweep_awake<Scalar>(sweep, awake.first(awake_count));
  sweep_resting<Scalar>(sweep, resting.first(resting_count));
}

/// Classes that have been without evidence for long enough try to lie down.
template <typename Scalar>
void let_rest(const Sweep<Scalar>& sweep, Index first, Index length, Index patience) {
  Window<Scalar>& window = sweep.window;
  Scratch scratch;
  const auto lying = scratch.take<Index>(length);
  std::size_t count = 0;
  for (Index k = first; k < first + length; ++k) {
    window.idle[k] = sweep.has_mass(k) ? 0 : window.idle[k] + 1;
    const bool tries = window.rest[k] == Rest::kAwake && RestCosts::should_try(window.idle[k], patience);
    if (tries && lie_down(window, k)) lying[count++] = k;
  }
  take_products<Scalar>(sweep, lying.first(count));
}

/// Responsibilities that take longer than it takes to wake a thread.
constexpr Index kWorthSharing = Index{1} << 14;

template <typename Work>
void share_if(bool worth, Index count, const Work& work) {
  if (worth) return parallel_for(count, work);
  for (Index i = 0; i < count; ++i) work(i);
}

}  // namespace

template <typename Scalar>
void sweep(Window<Scalar>& window, const Params& params, const Turn& turn) {
  Scratch scratch;
  const Index steps = window.size();
  const auto rows = scratch.take<std::span<const Scalar* const>>(steps);
  const auto lambda = scratch.take<Scalar*>(steps);
  Index samples = 0;
  for (Index i = 0; i < steps; ++i) {
    const Rows<Scalar>& features = window.steps[i].features;
    const auto to = scratch.take<const Scalar*>(features.rows());
    addresses(features, to);
    rows[i] = to;
    lambda[i] = scratch.take<Scalar>(window.classes() * features.rows()).data();
    samples += features.rows();
  }
  share_if(window.classes() * samples >= kWorthSharing, steps, [&](Index i) {
    Step<Scalar>& step = window.steps[i];
    assign(step, params, window.negligible, RowsMap<Scalar>(lambda[i], window.classes(), step.features.rows()));
  });

  if (window.learns_kappas) window.transitions.assign(static_cast<std::size_t>(window.classes()), 0.0);
  const Sweep<Scalar> shared{window, params, turn, rows, lambda};
  const bool may_rest = window.rests && shared.slides();
  const Index patience = RestCosts(window.newest().features.rows(), window.dimension(), steps).patience();
  for_runs_of_classes(window, samples, [&](Index first, Index length) {
    sweep_classes(shared, first, length);
    if (may_rest) let_rest(shared, first, length, patience);
  });
  for (Step<Scalar>& step : window.steps) update_proportions(step);
}

template void sweep(Window<float>&, const Params&, const Turn&);
template void sweep(Window<double>&, const Params&, const Turn&);

}  // namespace stad::vmf
