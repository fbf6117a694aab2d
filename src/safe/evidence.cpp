#include "safe/evidence.hpp"

#include "base/parallel.hpp"
#include "math/weighted_rows.hpp"

namespace stad::safe {
namespace {

/// A mixture without a length stays zero: it is equally far from every row.
template <Index kTerms>
void write_direction(const WeightedRows<float, kTerms>& mixture, Index dimension, float* out) {
  const double norm = mixture.norm(dimension);
  mixture.write(norm > 0 ? static_cast<float>(1 / norm) : 0.0F, dimension, out);
}

}  // namespace

void Evidence::directions(const ConstRows& source, double likeness, FloatRowsMap out) const {
  const auto anchor = static_cast<float>(anchor_ * likeness);
  parallel_for_runs(sums_.rows(), 2 * sums_.cols(), [&](Index first, Index length) {
    for (Index k = first; k < first + length; ++k)
      write_direction<2>({{sums_.row(k).data(), source.row(k).data()}, {1, anchor}}, sums_.cols(), out.row(k).data());
  });
}

void Evidence::directions(const ConstRows& source, double likeness, const Heard& heard, FloatRowsMap out) const {
  const auto anchor = static_cast<float>(anchor_ * likeness);
  parallel_for_runs(sums_.rows(), 3 * sums_.cols(), [&](Index first, Index length) {
    for (Index k = first; k < first + length; ++k)
      write_direction<3>({{sums_.row(k).data(), heard.sums.row(k).data(), source.row(k).data()},
                          {static_cast<float>(kept(heard.masses[k], memory_)), 1, anchor}},
                         sums_.cols(), out.row(k).data());
  });
}

void Evidence::add(const Heard& heard) {
  for (Index k = 0; k < sums_.rows(); ++k)
    sums_.row(k) = static_cast<float>(kept(heard.masses[k], memory_)) * sums_.row(k) + heard.sums.row(k);
}

}  // namespace stad::safe
