#include "safe/memories.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/scratch_rows.hpp"

namespace stad::safe {
namespace {

constexpr std::array<double, Memories::kCount> kMemories{5, 50};  // rows of its own that a class remembers
constexpr std::size_t kUsual = 1;
constexpr double kPriorScore = 20;  // by which the short memory must have predicted better, to count as much
constexpr double kNegligible = 1e-3;
constexpr double kReturnScore = 20;  // by which an earlier world must fit better than what is remembered
constexpr Index kMemoryChunk = 64;         // rows that are asked about before any of them is learned from

void scale_to(double total, Memories::Shares& shares) {
  const double scale = total / std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share *= scale;
}

/// The mean of the members' directions, write(member, out) giving those of one.
template <typename Write>
void mix(const Memories::Shares& shares, FloatRowsMap out, const Write& write) {
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin());
  write(largest, out);
  if (shares[largest] == 1) return;
  Scratch scratch;
  auto one = take_rows<float>(scratch, out.rows(), out.cols());
  out *= static_cast<float>(shares[largest]);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i == largest || shares[i] == 0) continue;
    write(i, one);
    out += static_cast<float>(shares[i]) * one;
  }
  for (Index k = 0; k < out.rows(); ++k)
    if (const float norm = out.row(k).norm(); norm > 0) out.row(k) /= norm;
}

}  // namespace

Memories::Memories(Index classes, Index dimension, double anchor)
    : scores_(kCount, 0.0), worlds_(classes, dimension, kMemories[kUsual], anchor) {
  for (const double memory : kMemories) members_.emplace_back(classes, dimension, memory, anchor);
}

Memories::Shares Memories::shares(double settled) const {
  Shares shares;
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = scores_[i] - (i == kUsual ? 0 : kPriorScore);
  const double best = *std::ranges::max_element(shares);
  for (double& share : shares) share = std::exp(share - best);
  scale_to(1 - settled, shares);
  shares[kUsual] += settled;
  // Most often one memory is all that counts; then the other shall cost nothing.
  for (double& share : shares) share = std::max(share - kNegligible, 0.0);
  scale_to(1, shares);
  return shares;
}

void Memories::directions(const ConstRows& source, double likeness, const Shares& shares, FloatRowsMap out) const {
  mix(shares, out, [&](std::size_t i, FloatRowsMap to) { members_[i].directions(source, likeness, to); });
}

void Memories::directions(const ConstRows& source, double likeness, const Shares& shares, const Heard& heard,
                          FloatRowsMap out) const {
  mix(shares, out, [&](std::size_t i, FloatRowsMap to) { members_[i].directions(source, likeness, heard, to); });
}

void Memories::learn(const ConstRows& responsibilities, const ConstRows& rows, const ConstRows& source, double likeness,
                     double concentration, const Shares& shares) {
  Scratch scratch;
  const auto take_heard = [&] {
    return Heard{scratch.take<double>(source.rows()), take_rows<float>(scratch, source.rows(), source.cols())};
  };
  Heard heard = take_heard();
  Fits fits;
  const Index first_length = std::min(kMemoryChunk, rows.rows());
  listen(some_rows(responsibilities, 0, first_length), some_rows(rows, 0, first_length), heard);
  for (std::size_t i = 0; i < fits.size(); ++i) fits[i] = members_[i].fit(source, likeness, heard);
  if (judge(fits, first_length, concentration, shares))
    change_world(source, likeness, heard, std::ranges::max(fits), concentration);
  if (first_length < rows.rows()) {
    const Heard next = take_heard();
    for (Index first = first_length; first < rows.rows(); first += kMemoryChunk) {
      const Index length = std::min(kMemoryChunk, rows.rows() - first);
      listen(some_rows(responsibilities, first, length), some_rows(rows, first, length), next);
      for (std::size_t i = 0; i < fits.size(); ++i) fits[i] = members_[i].fit(source, likeness, heard, next);
      if (judge(fits, length, concentration, shares))
        change_world(source, likeness, next, std::ranges::max(fits), concentration);
      as_array(heard.masses) += as_array(next.masses);
      heard.sums += next.sums;
    }
  }
  add(heard);
}

/// Rows are von Mises-Fisher about the direction of their class, with one concentration for all: likelihoods differ by
/// the cosines alone.
bool Memories::judge(const Fits& fits, Index rows, double concentration, const Shares& shares) {
  double fit = 0;
  for (std::size_t i = 0; i < fits.size(); ++i) fit += shares[i] * fits[i];
  const bool surprised = surprise_.observe(fit, rows);
  const double keep = surprised ? 0 : kept(static_cast<double>(rows), kJudgedRows);
  for (std::size_t i = 0; i < fits.size(); ++i)
    scores_[i] = keep * scores_[i] + concentration * (fits[i] - fits[kUsual]);
  return surprised;
}

void Memories::change_world(const ConstRows& source, double likeness, const Heard& next, double fit,
                            double concentration) {
  const Evidence left = members_[kUsual];  // a rare copy
  worlds_.return_to_best(source, likeness, next, fit + kReturnScore / concentration, members_[kUsual]);
  worlds_.keep(left);
}

void Memories::add(const Heard& heard) {
  for (Evidence& member : members_) member.add(heard);
}

void Memories::amend(Index k, std::span<const float> row, double weight, double heard_since) {
  for (Evidence& member : members_) member.amend(k, row, weight, heard_since);
}

void Memories::fade(double share) {
  for (Evidence& member : members_) member.fade(share);
}

void Memories::forget() {
  for (Evidence& member : members_) member.forget();
  std::ranges::fill(scores_, 0.0);
  worlds_.forget();
}

}  // namespace stad::safe
