#include "safe/evidence.hpp"

#include "base/parallel.hpp"
#include "math/inner_product.hpp"
#include "math/scratch_rows.hpp"
#include "math/weighted_rows.hpp"

namespace stad::safe {
namespace {

/// A mixture without a length stays zero: it is equally far from every row.
template <Index kTerms>
void write_direction(const WeightedRows<float, kTerms>& mixture, Index dimension, float* out) {
  const double norm = mixture.norm(dimension);
  mixture.write(norm > 0 ? static_cast<float>(1 / norm) : 0.0F, dimension, out);
}

/// Of classes that hear next to nothing the fit is next to nothing.
constexpr double kLeastMass = 1e-6;

}  // namespace

/// work(class, mixture) for all classes.
template <typename Work>
void Evidence::for_mixtures(const ConstRows& source, double likeness, const Work& work) const {
  const auto kept_sums = static_cast<float>(kept_);
  const auto anchor = static_cast<float>(anchor_ * likeness);
  parallel_for_runs(sums_.rows(), 2 * sums_.cols(), [&](Index first, Index length) {
    for (Index k = first; k < first + length; ++k)
      work(k, WeightedRows<float, 2>{{sums_.row(k).data(), source.row(k).data()}, {kept_sums, anchor}});
  });
}

template <typename Work>
void Evidence::for_mixtures(const ConstRows& source, double likeness, const Heard& heard, const Work& work) const {
  const auto anchor = static_cast<float>(anchor_ * likeness);
  parallel_for_runs(sums_.rows(), 3 * sums_.cols(), [&](Index first, Index length) {
    for (Index k = first; k < first + length; ++k)
      work(k, WeightedRows<float, 3>{{sums_.row(k).data(), heard.sums.row(k).data(), source.row(k).data()},
                                     {static_cast<float>(kept_ * kept(heard.masses[k], memory_)), 1, anchor}});
  });
}

void Evidence::directions(const ConstRows& source, double likeness, FloatRowsMap out) const {
  for_mixtures(source, likeness,
               [&](Index k, const auto& mixture) { write_direction(mixture, sums_.cols(), out.row(k).data()); });
}

void Evidence::directions(const ConstRows& source, double likeness, const Heard& heard, FloatRowsMap out) const {
  for_mixtures(source, likeness, heard,
               [&](Index k, const auto& mixture) { write_direction(mixture, sums_.cols(), out.row(k).data()); });
}

namespace {

/// Each class by itself, then all in order: the same bits for any number of threads.
template <typename ForMixtures>
double total_fit(const Heard& next, const ForMixtures& for_mixtures) {
  Scratch scratch;
  const auto fits = scratch.take<double>(static_cast<Index>(next.masses.size()));
  for_mixtures([&](Index k, const auto& mixture) {
    fits[k] = 0;
    if (next.masses[k] < kLeastMass) return;
    Scratch mine;
    const auto direction = mine.take<float>(next.sums.cols());
    write_direction(mixture, next.sums.cols(), direction.data());
    fits[k] = inner_product(std::span<const float>(direction), row_of(as_rows(next.sums), k));
  });
  return as_array(fits).sum();
}

}  // namespace

double Evidence::fit(const ConstRows& source, double likeness, const Heard& next) const {
  return total_fit(next, [&](const auto& work) { for_mixtures(source, likeness, work); });
}

double Evidence::fit(const ConstRows& source, double likeness, const Heard& heard, const Heard& next) const {
  return total_fit(next, [&](const auto& work) { for_mixtures(source, likeness, heard, work); });
}

void Evidence::add(const Heard& heard) {
  for (Index k = 0; k < sums_.rows(); ++k)
    sums_.row(k) = static_cast<float>(kept_ * kept(heard.masses[k], memory_)) * sums_.row(k) + heard.sums.row(k);
  kept_ = 1;
}

void Evidence::amend(Index k, std::span<const float> row, double weight, double heard_since) {
  if (kept_ == 0) return;  // of all that was heard then nothing is left
  const double change = weight * kept(heard_since, memory_) / kept_;
  sums_.row(k) += static_cast<float>(change) * as_array(row).matrix().transpose();
}

void Evidence::forget() {
  sums_.setZero();
  kept_ = 1;
}

}  // namespace stad::safe
