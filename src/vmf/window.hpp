#pragma once

#include <cstdint>
#include <vector>

#include "math/eigen.hpp"

namespace stad::vmf {

// Everything here comes in float and in double. float32 decides as well as double while kappa times a rounding error
// stays small; learned concentrations reach 1e6, and there only double does.

/// The direction of a resting class: along mu_0 + across R, with R of unit length and orthogonal to mu_0.
struct Heading {
  double along = 1;
  double across = 0;
};

/// A class that has had no responsibility for a while moves in a plane: see vmf/rest.hpp.
enum class Rest : std::uint8_t {
  kAwake,    ///< its directions are rows of memory
  kInPlane,  ///< its directions are headings in the plane of mu_0 and R, which is its row of the past
  kAtSource  ///< its direction is mu_0 itself at every step
};

inline constexpr Index kNotKnown = -1;

/// One batch of the window with what is believed about it. q(w_k) = vMF(rho_k, gamma_k) is kept as the direction and
/// length of its mean, E[w_k] = length_k rho_k: the length apart keeps prototypes that have nearly no evidence from
/// drowning in float32 rounding.
template <typename Scalar>
struct Step {
  Rows<Scalar> features;            ///< H, n x D, unit rows
  Rows<Scalar> cosines;             ///< rho_k.h_n, K x n, carried along: no sweep begins with a product
  std::vector<double> lengths;      ///< |E[w_k]| = A_D(gamma_k), K
  std::vector<double> proportions;  ///< pi, K

  // Where rows have names, for labels that come later.
  std::vector<std::int64_t> ids;  ///< n, or empty
  std::vector<Index> known;       ///< classes of rows whose label has come, kNotKnown of the others; empty: of none

  // Where classes may rest.
  std::vector<Heading> headings;  ///< of resting classes, K
  Rows<Scalar> along;             ///< mu_0,k.h_n of resting classes, and of all where steps begin at mu_0. K x n
  Rows<Scalar> across;            ///< R_k.h_n of classes in their plane, K x n

  // What the last sweep found, for the M-step.
  std::vector<double> mass;        ///< sum_n lambda_nk, K
  std::vector<double> agreements;  ///< sum_n lambda_nk E[w_k].h_n with the updated E[w], K; where kappas are learned
};

/// The batches S_t = {t-s .. t}, oldest first, and what came before them.
template <typename Scalar>
struct Window {
  Index capacity = 1;          ///< batches a full window has, s + 1
  bool linked = true;          ///< prototypes of consecutive steps send messages to each other
  bool from_source = true;     ///< a new step begins at mu_0, or where the step before it is
  bool learns_kappas = false;  ///< the M-step will read agreements
  bool sweeps_again = false;   ///< more than one sweep a batch
  bool keeps_all = false;      ///< every step's directions stay, for whoever wants to see the objective
  bool rests = false;          ///< classes without evidence may rest
  double negligible = 1e-30;   ///< responsibilities below this count as zero

  std::vector<Step<Scalar>> steps;
  Rows<Scalar> source;                 ///< mu_0, K x D
  Rows<Scalar> past;                   ///< rho of the step that slid out last, frozen; R of a class in its plane. K x D
  std::vector<double> past_lengths;    ///< K; empty while nothing has slid out
  std::vector<Heading> past_headings;  ///< K, of resting classes

  /// rho of step i, K x D. The direction of the oldest step is read by nobody once its cosines are known, so
  /// directions[0] is empty unless that step is also the newest.
  std::vector<Rows<Scalar>> directions;
  const Rows<Scalar>* start = nullptr;  ///< where the newest step's directions begin, while its batch is at work

  std::vector<Rest> rest;           ///< K
  std::vector<Index> idle;          ///< batches since the class last had a responsibility, K
  std::vector<double> transitions;  ///< sum over consecutive steps of E[w_before].E[w_after], K; where learned

  Index classes() const { return source.rows(); }
  Index dimension() const { return source.cols(); }
  Index size() const { return static_cast<Index>(steps.size()); }
  bool full() const { return size() == capacity; }
  bool has_past() const { return !past_lengths.empty(); }
  /// Where the newest step's directions are between batches: in this place of `directions`, or below zero in the past.
  Index newest_place() const { return full() ? size() - 2 : size() - 1; }
  Step<Scalar>& newest() { return steps.back(); }
  const Step<Scalar>& newest() const { return steps.back(); }
};

}  // namespace stad::vmf
