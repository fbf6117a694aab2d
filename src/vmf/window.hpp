#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/eigen.hpp"

namespace stad::vmf {

// Everything here is instantiated for float and double. float32 suffices while kappa times a rounding error of a cosine
// is small; learned concentrations reach 1e6 and need double.

/// Direction of a compressed class: along mu_0 + across R, with R of unit length and orthogonal to mu_0.
struct PlaneDirection {
  double along = 1;
  double across = 0;
};

/// How the directions of a class are stored; see vmf/compressed_classes.hpp.
enum class ClassStorage : std::uint8_t {
  kActive,   ///< as rows of `directions` and `past`
  kInPlane,  ///< as one PlaneDirection a step in the plane of mu_0 and R; R is the class's row of `past`
  kAtSource  ///< the direction is mu_0 at every step
};

inline constexpr Index kUnlabelled = -1;

/// One batch of the window and its variational posterior. q(w_k) = vMF(rho_k, gamma_k) is stored as the direction rho_k
/// and the length of the mean, E[w_k] = length_k rho_k. Storing the length separately keeps full relative precision for
/// prototypes with almost no evidence.
template <typename Scalar>
struct VmfStep {
  Rows<Scalar> features;            ///< H, n x D, unit rows
  Rows<Scalar> cosines;             ///< rho_k.h_n, K x n, kept current by every sweep
  std::vector<double> lengths;      ///< |E[w_k]| = A_D(gamma_k), K
  std::vector<double> proportions;  ///< pi, K

  std::vector<std::int64_t> ids;  ///< n row ids for labels that arrive later, or empty
  std::vector<Index> known;       ///< n classes, kUnlabelled where no label has arrived; empty: no label at all

  std::vector<PlaneDirection> headings;  ///< of compressed classes, K
  Rows<Scalar> along;                    ///< mu_0,k.h_n of compressed classes, of all where steps start at mu_0. K x n
  Rows<Scalar> across;                   ///< R_k.h_n of classes stored in their plane, K x n

  // Statistics of the last sweep for the M-step.
  std::vector<double> mass;        ///< sum_n lambda_nk, K
  std::vector<double> agreements;  ///< sum_n lambda_nk E[w_k].h_n with the updated E[w], K; only if kappas are learned
};

/// The batches S_t = {t-s .. t}, oldest first, and the frozen step before them.
template <typename Scalar>
struct VmfWindow {
  Index capacity = 1;          ///< s + 1 batches
  bool linked = true;          ///< consecutive prototypes exchange messages
  bool from_source = true;     ///< a new step starts at mu_0; otherwise at the step before it
  bool learns_kappas = false;  ///< the M-step reads `agreements` and `transitions`
  bool sweeps_again = false;   ///< more than one sweep a batch
  bool keeps_all = false;      ///< keep the directions of every step, as objective() requires
  bool compresses = false;     ///< classes without evidence may be compressed
  double negligible = 1e-30;   ///< responsibilities below this count as zero

  std::vector<VmfStep<Scalar>> steps;
  Rows<Scalar> source;               ///< mu_0, K x D
  Rows<Scalar> past;                 ///< rho of the last step that left the window; R of a class in its plane. K x D
  std::vector<double> past_lengths;  ///< K; empty until a step has left the window
  std::vector<PlaneDirection> past_headings;  ///< of compressed classes, K

  /// rho of step i, K x D. The direction of the oldest step is not read once its cosines are known, so directions[0] is
  /// empty unless that step is also the newest.
  std::vector<Rows<Scalar>> directions;
  const Rows<Scalar>* start = nullptr;  ///< initial directions of the newest step, valid during its batch

  std::vector<ClassStorage> storage;  ///< K
  std::vector<Index> idle;            ///< batches since the class last had a responsibility, K
  std::vector<double> transitions;    ///< sum over consecutive steps of E[w_before].E[w_after], K; if learned

  Index classes() const { return source.rows(); }
  Index dimension() const { return source.cols(); }
  Index size() const { return static_cast<Index>(steps.size()); }
  bool full() const { return size() == capacity; }
  bool has_past() const { return !past_lengths.empty(); }
  /// Position in `directions` of the newest step's directions between batches; negative: they are in `past`.
  Index newest_place() const { return full() ? size() - 2 : size() - 1; }
  VmfStep<Scalar>& newest() { return steps.back(); }
  const VmfStep<Scalar>& newest() const { return steps.back(); }
};

/// Appends a step for the next batch; the oldest step of a full window becomes the past, and its memory is reused. The
/// caller writes the features of the returned step and then calls initialise_newest().
template <typename Scalar>
VmfStep<Scalar>& push_step(VmfWindow<Scalar>& window);

/// Initial values of the newest step: prototypes at mu_0 or at the step before it, equal proportions, cosines.
template <typename Scalar>
void initialise_newest(VmfWindow<Scalar>& window);

/// The matrix that holds the newest step's directions of active classes between batches; mu_0 before the first batch.
template <typename Scalar>
const Rows<Scalar>& newest_directions(const VmfWindow<Scalar>& window) {
  if (window.steps.empty()) return window.source;
  const Index place = window.newest_place();
  return place < 0 ? window.past : window.directions[place];
}

/// The newest step's prototypes, K x D.
template <typename Scalar>
Rows<Scalar> newest_prototypes(const VmfWindow<Scalar>& window);

/// Sets the row ids of the newest step and clears its labels.
/// @param ids    of the whole batch, or empty: rows without ids
/// @param places n positions of the step's rows in the batch
template <typename Scalar>
void set_row_ids(std::span<const std::int64_t> ids, std::span<const Index> places, VmfWindow<Scalar>& window);

/// Fixes the class of the newest row with that id. Returns false if no row that later sweeps read has the id.
template <typename Scalar>
bool set_label(std::int64_t id, Index label, VmfWindow<Scalar>& window);

}  // namespace stad::vmf
