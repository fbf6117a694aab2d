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

/// Forwards and backwards over a few rows; beliefs and scores move on.
void smooth_chunk(FloatRowsMap posteriors, FloatRowsMap beliefs, std::span<double> scores) {
  const Index rows = posteriors.rows();
  const Index classes = posteriors.cols();
  const auto count = static_cast<float>(classes);
  const ChainLanes stay = persistences();
  const double keep = kept(1, kScoredRows);
  Scratch scratch;
  auto likelihoods = take_rows<float>(scratch, rows * classes, kChains);
  auto forward = take_rows<float>(scratch, rows * classes, kChains);
  const auto of_row = [&](FloatRowsMap all, Index n) {
    return FloatRowsMap(all.data() + n * classes * kChains, classes, kChains);
  };

  for (Index n = 0; n < rows; ++n) {
    auto likelihood = of_row(likelihoods, n);
    auto belief = of_row(forward, n);
    take_powers(posteriors.row(n).data(), likelihood);
    ChainLanes totals = ChainLanes::Zero();
    for (Index k = 0; k < classes; ++k) {
      auto lanes = lanes_of(belief, k);
      lanes = (stay * count * lanes_of(beliefs, k) + (1 - stay)) * lanes_of(likelihood, k);
      totals += lanes;
    }
    const ChainLanes shares = totals.inverse();
    for (Index k = 0; k < classes; ++k) {
      lanes_of(belief, k) *= shares;
      lanes_of(beliefs, k) = lanes_of(belief, k);
    }
    for (Index c = 0; c < kChains; ++c) scores[c] = keep * scores[c] + std::log(static_cast<double>(totals[c]));
  }

  const auto shares = shares_of(scores);
  const Eigen::Map<const ChainLanes> weights(shares.data());
  auto backward = take_rows<float>(scratch, classes, kChains);
  backward.setOnes();
  for (Index n = rows - 1; n >= 0; --n) {
    auto belief = of_row(forward, n);
    ChainLanes totals = ChainLanes::Zero();
    for (Index k = 0; k < classes; ++k) {
      lanes_of(belief, k) *= lanes_of(backward, k);
      totals += lanes_of(belief, k);
    }
    const ChainLanes scale = weights / totals;
    for (Index k = 0; k < classes; ++k)
      posteriors(n, k) = (lanes_of(belief, k) * scale).sum() + shares.back() * posteriors(n, k);
    if (n == 0) break;
    auto likelihood = of_row(likelihoods, n);
    ChainLanes mean = ChainLanes::Zero();
    for (Index k = 0; k < classes; ++k) {
      lanes_of(backward, k) *= lanes_of(likelihood, k);
      mean += lanes_of(backward, k);
    }
    mean /= count;
    // Scaled so that the mean is one: only the ratios matter, and nothing runs out of range.
    const ChainLanes inverse = mean.inverse();
    for (Index k = 0; k < classes; ++k) lanes_of(backward, k) = stay * lanes_of(backward, k) * inverse + (1 - stay);
  }
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
