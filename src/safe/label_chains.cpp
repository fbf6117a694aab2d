#include "safe/label_chains.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/scratch_rows.hpp"
#include "safe/forgetting.hpp"

namespace stad::safe {
namespace {

constexpr std::array kPersistences{0.8F, 0.95F, 0.99F};
constexpr Index kPowers = 4;  // 1, 1/2, 1/4, 1/8: a square root each
constexpr Index kChains = kPowers * static_cast<Index>(kPersistences.size());
constexpr double kScoredRows = 600;
constexpr Index kChunk = 64;  // rows that are smoothed backwards as well; bounds the memory
constexpr float kLeastPosterior = 1e-12F;

using PowerLanes = Eigen::Array<float, 1, kPowers>;
using ChainLanes = Eigen::Array<float, 1, kChains>;
using ChainRow = Eigen::Map<ChainLanes>;

ChainLanes persistences() {
  ChainLanes lanes;
  for (std::size_t i = 0; i < kPersistences.size(); ++i)
    lanes.segment<kPowers>(static_cast<Index>(i) * kPowers).setConstant(kPersistences[i]);
  return lanes;
}

ChainRow lanes_of(FloatRowsMap rows, Index r) { return ChainRow(rows.data() + r * kChains); }

/// The powers of a posterior, each summing to one, once for every persistence. K x chains
void take_powers(const float* posterior, FloatRowsMap likelihoods) {
  PowerLanes sums = PowerLanes::Zero();
  for (Index k = 0; k < likelihoods.rows(); ++k) {
    PowerLanes powers;
    powers[0] = std::max(posterior[k], kLeastPosterior);
    for (Index i = 1; i < kPowers; ++i) powers[i] = std::sqrt(powers[i - 1]);
    sums += powers;
    lanes_of(likelihoods, k).head<kPowers>() = powers;
  }
  const PowerLanes shares = sums.inverse();
  for (Index k = 0; k < likelihoods.rows(); ++k) {
    auto lanes = lanes_of(likelihoods, k);
    const PowerLanes powers = lanes.head<kPowers>() * shares;
    lanes = powers.replicate<1, kChains / kPowers>();
  }
}

/// The shares of the chains, and last that of independent rows, whose score is zero.
std::array<float, kChains + 1> shares_of(std::span<const double> scores) {
  const double best = std::max(0.0, *std::max_element(scores.begin(), scores.end()));
  std::array<float, kChains + 1> shares;
  double total = 0;
  for (std::size_t c = 0; c < shares.size(); ++c) {
    shares[c] = static_cast<float>(std::exp((c < scores.size() ? scores[c] : 0.0) - best));
    total += shares[c];
  }
  for (float& share : shares) share = static_cast<float>(share / total);
  return shares;
}

/// A few rows, K x chains each: what every chain makes of their posteriors, and believes of their labels.
struct Chunk {
  FloatRowsMap likelihoods;
  FloatRowsMap beliefs;
  Index classes;

  FloatRowsMap likelihood(Index n) { return of_row(likelihoods, n); }
  FloatRowsMap belief(Index n) { return of_row(beliefs, n); }

 private:
  FloatRowsMap of_row(FloatRowsMap& all, Index n) const {
    return {all.data() + n * classes * kChains, classes, kChains};
  }
};

/// From the belief about the row before the chunk to that about its last, which takes its place. A row's total is the
/// likelihood of what its chain says against that of independent rows, which is one for every power: (1 / K) has been
/// taken out of the transition. So the scores tell persistences apart, and powers by how they go with them; they do not
/// say which power suits rows that are independent.
void walk_forwards(const FloatRowsMap& posteriors, FloatRowsMap newest, std::span<double> scores, Chunk& chunk) {
  static const double keep = kept(1, kScoredRows);
  const ChainLanes stay = persistences();
  const auto count = static_cast<float>(chunk.classes);
  for (Index n = 0; n < posteriors.rows(); ++n) {
    const auto likelihood = chunk.likelihood(n);
    const auto belief = chunk.belief(n);
    take_powers(posteriors.row(n).data(), likelihood);
    ChainLanes totals = ChainLanes::Zero();
    for (Index k = 0; k < chunk.classes; ++k) {
      auto lanes = lanes_of(belief, k);
      lanes = (stay * count * lanes_of(newest, k) + (1 - stay)) * lanes_of(likelihood, k);
      totals += lanes;
    }
    const ChainLanes shares = totals.inverse();
    for (Index k = 0; k < chunk.classes; ++k) {
      lanes_of(belief, k) *= shares;
      lanes_of(newest, k) = lanes_of(belief, k);
    }
    for (Index c = 0; c < kChains; ++c) scores[c] = keep * scores[c] + std::log(static_cast<double>(totals[c]));
  }
}

/// The message of a row to the one before it, in place of that to itself: scaled so that its mean is one, for only
/// ratios matter and nothing shall run out of range.
void pass_backwards(FloatRowsMap likelihood, FloatRowsMap message) {
  const ChainLanes stay = persistences();
  ChainLanes total = ChainLanes::Zero();
  for (Index k = 0; k < message.rows(); ++k) {
    lanes_of(message, k) *= lanes_of(likelihood, k);
    total += lanes_of(message, k);
  }
  const ChainLanes scale = stay * static_cast<float>(message.rows()) / total;
  for (Index k = 0; k < message.rows(); ++k) lanes_of(message, k) = scale * lanes_of(message, k) + (1 - stay);
}

/// What the chains say of each row, given those after it as well, mixed by what they are worth at the chunk's end.
void walk_backwards(FloatRowsMap posteriors, std::span<const double> scores, Chunk& chunk) {
  const auto shares = shares_of(scores);
  const Eigen::Map<const ChainLanes> weights(shares.data());
  Scratch scratch;
  auto message = take_rows<float>(scratch, chunk.classes, kChains);
  message.setOnes();
  for (Index n = posteriors.rows() - 1; n >= 0; --n) {
    const auto belief = chunk.belief(n);
    ChainLanes totals = ChainLanes::Zero();
    for (Index k = 0; k < chunk.classes; ++k) {
      lanes_of(belief, k) *= lanes_of(message, k);
      totals += lanes_of(belief, k);
    }
    const ChainLanes scale = weights / totals;
    for (Index k = 0; k < chunk.classes; ++k)
      posteriors(n, k) = (lanes_of(belief, k) * scale).sum() + shares.back() * posteriors(n, k);
    if (n > 0) pass_backwards(chunk.likelihood(n), message);
  }
}

void smooth_chunk(FloatRowsMap posteriors, FloatRowsMap newest, std::span<double> scores) {
  Scratch scratch;
  const Index lines = posteriors.size();
  Chunk chunk{take_rows<float>(scratch, lines, kChains), take_rows<float>(scratch, lines, kChains), posteriors.cols()};
  walk_forwards(posteriors, newest, scores, chunk);
  walk_backwards(posteriors, scores, chunk);
}

void smooth_along(FloatRowsMap posteriors, FloatRowsMap beliefs, std::span<double> scores) {
  for (Index first = 0; first < posteriors.rows(); first += kChunk) {
    const Index length = std::min(kChunk, posteriors.rows() - first);
    smooth_chunk({posteriors.row(first).data(), length, posteriors.cols()}, beliefs, scores);
  }
}

}  // namespace

LabelChains::LabelChains(Index classes)
    : beliefs_(FloatRows::Constant(classes, kChains, 1 / static_cast<float>(classes))),
      scores_(static_cast<std::size_t>(kChains), 0.0) {}

void LabelChains::smooth(FloatRowsMap posteriors) const {
  Scratch scratch;
  auto beliefs = take_rows<float>(scratch, beliefs_.rows(), kChains);
  const auto scores = scratch.take<double>(kChains);
  beliefs = beliefs_;
  std::ranges::copy(scores_, scores.begin());
  smooth_along(posteriors, beliefs, scores);
}

void LabelChains::advance(FloatRowsMap posteriors) {
  smooth_along(posteriors, {beliefs_.data(), beliefs_.rows(), beliefs_.cols()}, scores_);
}

void LabelChains::start_from(const FloatRowsMap& posteriors) {
  beliefs_ = posteriors.row(posteriors.rows() - 1).transpose().replicate(1, kChains);
  std::ranges::fill(scores_, 0.0);
}

}  // namespace stad::safe
