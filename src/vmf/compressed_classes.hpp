#pragma once

#include <span>

#include "vmf/sweep.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

// Most classes of a large head are absent from most batches. Without evidence the directions of a class at all steps
// are linear combinations of the past direction and mu_0: they lie in one plane until the class occurs again. Such a
// class is compressed: two numbers a step replace a row of D, and its cosines with the rows of the window follow from
// the products of each row with the two basis vectors, which are computed once when the row arrives.

/// Multiplications a class costs, active and compressed; decides when compression pays.
struct CompressionCosts {
  double active = 0;      ///< a batch: products with its rows, and a pass over the directions of every step
  double compressed = 0;  ///< a batch: products with two vectors, and a few numbers a step
  double change = 0;      ///< compressing once and expanding once

  CompressionCosts(Index samples, Index dimension, Index steps);

  /// Batches without evidence after which compression pays, expecting the class to stay absent for as long again. The
  /// largest Index where it never pays.
  Index patience() const;
  /// Whether to attempt compression after `idle` batches: at `patience`, and at each doubling of it.
  static bool should_try(Index idle, Index patience);
};

/// Cosines of a compressed class with a row of samples: along mu_0.h + across R.h.
template <typename Scalar>
void compressed_cosines(ClassStorage storage, const PlaneDirection& heading, std::span<const Scalar> along,
                        std::span<const Scalar> across, std::span<Scalar> cosines);

/// Compresses the class if all its directions lie in a plane with mu_0 to float32 rounding, and returns whether they
/// do; its products must be computed next. Valid after the last sweep of a full window.
template <typename Scalar>
bool compress(VmfWindow<Scalar>& window, Index k);

/// R.h for every row that stays in the window, and mu_0.h where it was not computed when the row arrived.
template <typename Scalar>
void compute_plane_products(const Sweep<Scalar>& sweep, std::span<const Index> classes);

/// Writes the directions of a compressed class back as rows; the class is active afterwards.
template <typename Scalar>
void expand(const Sweep<Scalar>& sweep, Index k);

/// Updates compressed classes, none of which has responsibility mass, along the window.
template <typename Scalar>
void sweep_compressed(const Sweep<Scalar>& sweep, std::span<const Index> classes);

}  // namespace stad::vmf
