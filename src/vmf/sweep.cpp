#include "vmf/sweep.hpp"

#include "base/parallel.hpp"
#include "base/scratch.hpp"
#include "vmf/active_classes.hpp"
#include "vmf/assign.hpp"
#include "vmf/compressed_classes.hpp"
#include "vmf/cosines.hpp"
#include "vmf/m_step.hpp"

namespace stad::vmf {
namespace {

/// Updates a run of classes along the window.
template <typename Scalar>
void sweep_classes(const Sweep<Scalar>& sweep, Index first, Index length) {
  VmfWindow<Scalar>& window = sweep.window;
  Scratch scratch;
  const auto active = scratch.take<Index>(length);
  const auto compressed = scratch.take<Index>(length);
  std::size_t active_count = 0;
  std::size_t compressed_count = 0;
  for (Index k = first; k < first + length; ++k) {
    if (window.storage[k] != ClassStorage::kActive && sweep.has_mass(k)) expand(sweep, k);
    if (window.storage[k] == ClassStorage::kActive)
      active[active_count++] = k;
    else
      compressed[compressed_count++] = k;
  }
  sweep_active<Scalar>(sweep, active.first(active_count));
  sweep_compressed<Scalar>(sweep, compressed.first(compressed_count));
}

/// Compresses the classes that have been without evidence for long enough.
template <typename Scalar>
void compress_idle(const Sweep<Scalar>& sweep, Index first, Index length, Index patience) {
  VmfWindow<Scalar>& window = sweep.window;
  Scratch scratch;
  const auto compressed = scratch.take<Index>(length);
  std::size_t count = 0;
  for (Index k = first; k < first + length; ++k) {
    window.idle[k] = sweep.has_mass(k) ? 0 : window.idle[k] + 1;
    const bool due =
        window.storage[k] == ClassStorage::kActive && CompressionCosts::should_try(window.idle[k], patience);
    if (due && compress(window, k)) compressed[count++] = k;
  }
  compute_plane_products<Scalar>(sweep, compressed.first(count));
}

/// From this many responsibilities on the work exceeds the cost of dispatching it to a thread.
constexpr Index kParallelThreshold = Index{1} << 14;

template <typename Work>
void parallel_if(bool parallel, Index count, const Work& work) {
  if (parallel) return parallel_for(count, work);
  for (Index i = 0; i < count; ++i) work(i);
}

}  // namespace

template <typename Scalar>
void sweep(VmfWindow<Scalar>& window, const VmfParams& params, const SweepPosition& position) {
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
  parallel_if(window.classes() * samples >= kParallelThreshold, steps, [&](Index i) {
    VmfStep<Scalar>& step = window.steps[i];
    assign(step, params, window.negligible, RowsMap<Scalar>(lambda[i], window.classes(), step.features.rows()));
  });

  if (window.learns_kappas) window.transitions.assign(static_cast<std::size_t>(window.classes()), 0.0);
  const Sweep<Scalar> shared{window, params, position, rows, lambda};
  const bool may_compress = window.compresses && shared.slides();
  const Index patience = CompressionCosts(window.newest().features.rows(), window.dimension(), steps).patience();
  for_runs_of_classes(window, samples, [&](Index first, Index length) {
    sweep_classes(shared, first, length);
    if (may_compress) compress_idle(shared, first, length, patience);
  });
  for (VmfStep<Scalar>& step : window.steps) update_proportions(step);
}

template void sweep(VmfWindow<float>&, const VmfParams&, const SweepPosition&);
template void sweep(VmfWindow<double>&, const VmfParams&, const SweepPosition&);

}  // namespace stad::vmf
