#pragma once

#include <span>

#include "vmf/sweep.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

// Most classes of a large head are not in most batches. Without evidence a prototype is a mixture of its neighbours in
// time, and these of the frozen past and of mu_0: after a while all of a class's directions lie in the plane of two
// vectors, and they stay in it until the class is seen again. Two numbers a step then stand for a row of D, and the
// cosines with the rows of the window follow from those with the two vectors, taken once, when the rows arrived.

/// What it costs a class to take part in a batch, in multiplications, one way and the other.
struct RestCosts {
  double awake = 0;    ///< a batch: products with its rows, and a pass over the directions of every step
  double resting = 0;  ///< a batch: products with two vectors, and a few numbers a step
  double change = 0;   ///< lying down once and waking up once

  RestCosts(Index samples, Index dimension, Index steps);

  /// After this many batches without evidence a class is expected to stay without for as long again, and then
  /// resting pays. The largest Index where it never does.
  Index patience() const;
  /// Whether a class that has been without evidence for so long should try: at the end of its patience, and when it
  /// has been twice as long, and again.
  static bool should_try(Index idle, Index patience);
};

/// The cosines of a resting class with a row of samples: along mu_0.h + across R.h.
template <typename Scalar>
void resting_cosines(Rest rest, const Heading& heading, std::span<const Scalar> along, std::span<const Scalar> across,
                     std::span<Scalar> cosines);

/// Whether all directions of the class lie in a plane with mu_0, to float32 rounding; if so it rests from now on, and
/// its products are to be taken. To be asked after the last sweep of a full window.
template <typename Scalar>
bool lie_down(Window<Scalar>& window, Index k);

/// R.h for every row that stays in the window, and mu_0.h where it was not taken when the row arrived.
template <typename Scalar>
void take_products(const Sweep<Scalar>& sweep, std::span<const Index> classes);

/// Writes the directions of a resting class into memory again.
template <typename Scalar>
void wake(const Sweep<Scalar>& sweep, Index k);

/// The sweep of resting classes, in which nobody is awake and nobody has mass.
template <typename Scalar>
void sweep_resting(const Sweep<Scalar>& sweep, std::span<const Index> classes);

}  // namespace stad::vmf
