#include "vmf/compressed_classes.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/scratch.hpp"
#include "data/evidence.hpp"
#include "math/bessel_ratio.hpp"
#include "math/inner_product.hpp"
#include "math/weighted_rows.hpp"
#include "vmf/cosines.hpp"

namespace stad::vmf {
namespace {

/// Largest distance that float32 rounding moves a unit vector over a few updates.
constexpr double kPlaneRounding = 5e-7;

/// A direction with less of R than this is mu_0.
constexpr double kNegligibleAcross = 1e-8;

template <typename Scalar>
using Vector = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;

/// Whether later sweeps of a full window read the directions at this place.
template <typename Scalar>
bool is_read(const VmfWindow<Scalar>& window, Index place) {
  return window.directions[place].size() > 0 && place + 1 < window.size();
}

/// v = along mu_0 + across R + residual. R may be empty. mu_0 and R have unit length only to float32 rounding, which is
/// of the size of the residual that is tested, so their squared norms are computed.
template <typename Scalar>
struct Projection {
  PlaneDirection heading;
  double residual = 0;  ///< norm

  Projection(std::span<const Scalar> v, std::span<const Scalar> source, std::span<const Scalar> r) {
    heading.along = inner_product(v, source) / inner_product(source, source);
    heading.across = r.empty() ? 0 : inner_product(v, r) / inner_product(r, r);
    const auto term = [&](std::span<const Scalar> row) { return row.empty() ? v.data() : row.data(); };
    residual = WeightedRows<Scalar, 3>{{v.data(), source.data(), term(r)},
                                       {1, -static_cast<Scalar>(heading.along), -static_cast<Scalar>(heading.across)}}
                   .norm(static_cast<Index>(v.size()));
  }

  /// Scaled to unit length.
  PlaneDirection rounded() const {
    const double norm = std::hypot(heading.along, heading.across);
    return {heading.along / norm, heading.across / norm};
  }
};

/// The unit vector orthogonal to mu_0 in the plane of mu_0 and v. Orthogonalised twice: the first remainder may be so
/// short that rounding leaves a component along mu_0.
template <typename Scalar>
void write_across(std::span<const Scalar> v, std::span<const Scalar> source, std::span<Scalar> r) {
  const auto dimension = static_cast<Index>(v.size());
  std::ranges::copy(v, r.begin());
  for (int round = 0; round < 2; ++round) {
    const double along = inner_product(std::span<const Scalar>(r), source) / inner_product(source, source);
    const WeightedRows<Scalar, 2> across{{r.data(), source.data()}, {1, -static_cast<Scalar>(along)}};
    across.write(static_cast<Scalar>(1 / across.norm(dimension)), dimension, r.data());
  }
}

/// beta of a compressed class at step i: the sum of its transition messages.
template <typename Scalar>
PlaneDirection compressed_beta(const Sweep<Scalar>& sweep, Index i, Index k) {
  const VmfWindow<Scalar>& window = sweep.window;
  PlaneDirection beta{0, 0};
  const auto add = [&](double strength, const PlaneDirection& heading) {
    beta.along += strength * heading.along;
    beta.across += strength * heading.across;
  };
  const double kappa = sweep.params.transition[k];
  if (i > 0)
    add(kappa * window.steps[i - 1].lengths[k], window.steps[i - 1].headings[k]);
  else if (window.has_past())
    add(kappa * window.past_lengths[k], window.past_headings[k]);
  else
    add(sweep.params.initial, PlaneDirection{});
  if (i + 1 < window.size()) add(kappa * window.steps[i + 1].lengths[k], window.steps[i + 1].headings[k]);
  return beta;
}

/// A class whose component along R is negligible at every step is stored as kAtSource.
template <typename Scalar>
void drop_faded_plane(VmfWindow<Scalar>& window, Index k) {
  if (window.storage[k] != ClassStorage::kInPlane) return;
  for (const VmfStep<Scalar>& step : window.steps)
    if (!(std::abs(step.headings[k].across) < kNegligibleAcross)) return;
  window.storage[k] = ClassStorage::kAtSource;
  for (VmfStep<Scalar>& step : window.steps) step.headings[k] = {std::copysign(1.0, step.headings[k].along), 0};
}

}  // namespace

CompressionCosts::CompressionCosts(Index samples, Index dimension, Index steps) {
  // A pass over a direction in memory costs about as much as this many products with rows in cache (measured).
  constexpr double kPass = 4;
  const auto n = static_cast<double>(samples);
  const auto d = static_cast<double>(dimension);
  const auto t = static_cast<double>(steps);
  active = t * d * (n + kPass);
  compressed = 2 * d * n + 4 * t * n;
  change = ((t - 1) * n + 4 * t * kPass) * d;
}

Index CompressionCosts::patience() const {
  if (active <= compressed) return std::numeric_limits<Index>::max();
  return static_cast<Index>(std::ceil(change / (active - compressed)));
}

bool CompressionCosts::should_try(Index idle, Index patience) {
  return idle >= patience && idle % patience == 0 && std::has_single_bit(static_cast<std::size_t>(idle / patience));
}

template <typename Scalar>
void compressed_cosines(ClassStorage storage, const PlaneDirection& heading, std::span<const Scalar> along,
                        std::span<const Scalar> across, std::span<Scalar> cosines) {
  const auto a = static_cast<Scalar>(heading.along);
  const auto b = static_cast<Scalar>(heading.across);
  if (storage == ClassStorage::kInPlane)
    as_array(cosines) = a * as_array(along) + b * as_array(across);
  else
    as_array(cosines) = a * as_array(along);
}

template <typename Scalar>
bool compress(VmfWindow<Scalar>& window, Index k) {
  const auto source = row_of(std::as_const(window.source), k);
  const auto past = row_of(window.past, k);
  const Projection<Scalar> of_past(past, source, {});

  Scratch scratch;
  const bool at_source = of_past.residual <= kPlaneRounding;
  const auto r = scratch.take<Scalar>(at_source ? 0 : window.dimension());
  if (!at_source) write_across<Scalar>(past, source, r);

  const auto headings = scratch.take<PlaneDirection>(window.size());
  headings[0] = at_source ? PlaneDirection{} : Projection<Scalar>(past, source, r).rounded();
  for (Index place = 0; place + 1 < window.size(); ++place) {
    if (!is_read(window, place)) continue;
    const Projection<Scalar> projection(row_of(std::as_const(window.directions[place]), k), source, r);
    if (projection.residual > kPlaneRounding) return false;
    headings[place + 1] = projection.rounded();
  }
  window.storage[k] = at_source ? ClassStorage::kAtSource : ClassStorage::kInPlane;
  for (Index i = 0; i < window.size(); ++i)
    window.steps[i].headings[k] = i == 0 || is_read(window, i - 1) ? headings[i] : PlaneDirection{};
  std::ranges::copy(r, past.begin());
  return true;
}

template <typename Scalar>
void compute_plane_products(const Sweep<Scalar>& sweep, std::span<const Index> classes) {
  VmfWindow<Scalar>& window = sweep.window;
  for (Index i = 1; i < window.size(); ++i) {
    VmfStep<Scalar>& step = window.steps[i];
    class_products<Scalar>(window.past, classes, sweep.rows[i], as_map(step.across));
    if (!window.from_source) class_products<Scalar>(window.source, classes, sweep.rows[i], as_map(step.along));
  }
}

template <typename Scalar>
void expand(const Sweep<Scalar>& sweep, Index k) {
  VmfWindow<Scalar>& window = sweep.window;
  Scratch scratch;
  auto r = as_array(scratch.take<Scalar>(window.storage[k] == ClassStorage::kInPlane ? window.dimension() : 0));
  if (r.size() > 0) r = as_array(row_of(std::as_const(window.past), k));
  const auto source = as_array(row_of(std::as_const(window.source), k));
  const auto write = [&](const PlaneDirection& heading, Rows<Scalar>& rows) {
    auto out = as_array(row_of(rows, k));
    out = static_cast<Scalar>(heading.along) * source;
    if (r.size() > 0) out += static_cast<Scalar>(heading.across) * r;
  };
  if (window.has_past()) write(window.past_headings[k], window.past);
  const Index stale = sweep.position.first ? window.size() - 1 : window.size();
  for (Index i = 0; i < stale; ++i)
    if (window.directions[i].size() > 0) write(window.steps[i].headings[k], window.directions[i]);
  window.storage[k] = ClassStorage::kActive;
}

template <typename Scalar>
void sweep_compressed(const Sweep<Scalar>& sweep, std::span<const Index> classes) {
  VmfWindow<Scalar>& window = sweep.window;
  const auto count = static_cast<Index>(classes.size());
  Scratch scratch;
  const auto betas = scratch.take<PlaneDirection>(count);
  const auto gammas = scratch.take<double>(count);
  const auto ratios = scratch.take<double>(count);
  for (Index i = 0; i < window.size(); ++i) {
    VmfStep<Scalar>& step = window.steps[i];
    for (Index c = 0; c < count; ++c) {
      const Index k = classes[c];
      betas[c] = compressed_beta(sweep, i, k);
      gammas[c] = ratios[c] = std::sqrt(betas[c].along * betas[c].along + betas[c].across * betas[c].across);
    }
    bessel_ratios(window.dimension(), ratios);
    for (Index c = 0; c < count; ++c) {
      const Index k = classes[c];
      if (gammas[c] > kNoEvidence) {
        step.headings[k] = {betas[c].along / gammas[c], betas[c].across / gammas[c]};
        step.lengths[k] = ratios[c];
      } else if (i == 0 && window.size() > 1) {
        step.headings[k] = window.has_past() ? window.past_headings[k] : PlaneDirection{};
      }
      if (sweep.carries_cosines(i))
        compressed_cosines<Scalar>(window.storage[k], step.headings[k], row_of(std::as_const(step.along), k),
                                   row_of(std::as_const(step.across), k), row_of(step.cosines, k));
    }
  }
  for (const Index k : classes) drop_faded_plane(window, k);
}

#define STAD_INSTANTIATE(Scalar)                                                                 \
  template void compressed_cosines(ClassStorage, const PlaneDirection&, std::span<const Scalar>, \
                                   std::span<const Scalar>, std::span<Scalar>);                  \
  template bool compress(VmfWindow<Scalar>&, Index);                                             \
  template void compute_plane_products(const Sweep<Scalar>&, std::span<const Index>);            \
  template void expand(const Sweep<Scalar>&, Index);                                             \
  template void sweep_compressed(const Sweep<Scalar>&, std::span<const Index>);

STAD_INSTANTIATE(float)
STAD_INSTANTIATE(double)
#undef STAD_INSTANTIATE

}  // namespace stad::vmf
