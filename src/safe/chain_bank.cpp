#include "safe/chain_bank.hpp"

#include <algorithm>
#include <cmath>

#include "math/inner_product.hpp"

namespace stad::safe {
namespace {

using Lanes = ChainBank::Lanes;
constexpr Index kStayCount = ChainBank::kStay.size();
constexpr Index kPowerCount = ChainBank::kPowers.size();
using StayLanes = Eigen::Array<double, kStayCount, 1>;

StayLanes stay_lanes() { return Eigen::Map<const StayLanes>(ChainBank::kStay.data()); }

/// (p / law)^power for the powers 1, 1/2 and 1/4.
struct Evidence {
  std::array<double, kPowerCount> powers;

  Evidence(double probability, double law) {
    powers[0] = probability / law;
    powers[1] = std::sqrt(powers[0]);
    powers[2] = std::sqrt(powers[1]);
  }
};

/// Chain number c of the bank.
struct BankChain {
  double stay;
  double move;
  std::size_t power;

  explicit BankChain(Index c)
      : stay(ChainBank::kStay[static_cast<std::size_t>(c % kStayCount)]),
        move(1 - stay),
        power(static_cast<std::size_t>(c / kStayCount)) {}

  double evidence(double probability, double law) const { return Evidence(probability, law).powers[power]; }
};

/// Forward pass: filtered distributions of all rows.
template <typename Start>
void filter_rows(const BankChain& chain, const Start& start, const VectorMap& law, const FloatRowsMap& probabilities,
                 DoubleRowsMap filtered) {
  const Index classes = law.size();
  for (Index n = 0; n < filtered.rows(); ++n) {
    double sum = 0;
    for (Index k = 0; k < classes; ++k) {
      const double before = n > 0 ? filtered(n - 1, k) : start(k);
      filtered(n, k) = (chain.stay * before + chain.move * law[k]) * chain.evidence(probabilities(n, k), law[k]);
      sum += filtered(n, k);
    }
    filtered.row(n) *= 1 / sum;
  }
}

/// Backward pass: adds weight times the smoothed distributions to `answer`.
void smooth_rows(const BankChain& chain, double weight, const VectorMap& law, const FloatRowsMap& probabilities,
                 const DoubleRowsMap& filtered, DoubleRowsMap answer) {
  const Index classes = law.size();
  Scratch scratch;
  auto later = take_vector(scratch, classes);  // likelihood of the later rows, up to a factor
  later.setOnes();
  for (Index n = filtered.rows() - 1; n >= 0; --n) {
    double sum = 0;
    for (Index k = 0; k < classes; ++k) sum += filtered(n, k) * later[k];
    answer.row(n) += weight / sum * filtered.row(n).cwiseProduct(later.transpose());
    double mixed = 0, largest = 0;
    for (Index k = 0; k < classes; ++k) {
      later[k] *= chain.evidence(probabilities(n, k), law[k]);
      mixed += law[k] * later[k];
      largest = std::max(largest, later[k]);
    }
    const double scale = 1 / std::max(mixed, largest);
    for (Index k = 0; k < classes; ++k) later[k] = scale * (chain.stay * later[k] + chain.move * mixed);
  }
}

}  // namespace

ChainBank::ChainBank(const Eigen::VectorXd& prior, const Params& params)
    : params_(params),
      state_{.labels = {},
             .scores = Lanes::Zero(),
             .law_sum = params.law_prior_rows * prior,
             .law_weight = params.law_prior_rows} {
  for (const double p : prior) state_.labels.emplace_back(Lanes::Constant(p));
}

void ChainBank::filter_and_answer(FloatRowsMap probabilities) {
  Scratch scratch;
  const auto start = scratch.take<Lanes>(static_cast<Index>(state_.labels.size()));
  std::ranges::copy(state_.labels, start.begin());
  filter(probabilities);
  answer_from(start, probabilities);
}

void ChainBank::answer(FloatRowsMap probabilities) const { answer_from(state_.labels, probabilities); }

void ChainBank::add_to_law(const FloatRowsMap& probabilities) {
  const auto rows = static_cast<double>(probabilities.rows());
  const double keep = std::exp(-rows / params_.law_rows);
  state_.law_sum *= keep;
  for (Index n = 0; n < probabilities.rows(); ++n) state_.law_sum += probabilities.row(n).cast<double>().transpose();
  state_.law_weight = keep * state_.law_weight + rows;
}

VectorMap ChainBank::proportions(Scratch& scratch) const {
  auto mean = take_vector(scratch, state_.law_sum.size());
  mean = state_.law_sum / state_.law_weight;
  return mean;
}

void ChainBank::write_law(VectorMap law) const {
  law = state_.law_sum / state_.law_weight;
  law.array() += params_.law_floor / static_cast<double>(law.size());
  law *= 1 / sum_of(std::span<const double>(law.data(), static_cast<std::size_t>(law.size())));
}

void ChainBank::filter(const FloatRowsMap& probabilities) {
  const StayLanes stay = stay_lanes();
  const StayLanes move = 1 - stay;
  const double keep = std::exp(-1 / params_.score_rows);
  Scratch scratch;
  auto law = take_vector(scratch, probabilities.cols());
  write_law(law);
  Lanes scale = Lanes::Ones();  // the distributions are stored up to this factor
  for (Index n = 0; n < probabilities.rows(); ++n) {
    Lanes sums = Lanes::Zero();
    std::array<double, kPowerCount> normalisers{};
    for (Index k = 0; k < probabilities.cols(); ++k) {
      const Evidence evidence(probabilities(n, k), law[k]);
      Lanes& label = state_.labels[static_cast<std::size_t>(k)];
      label *= scale;
      for (Index b = 0; b < kPowerCount; ++b) {
        auto lanes = label.segment<kStayCount>(b * kStayCount);
        lanes = (stay * lanes + move * law[k]) * evidence.powers[b];
        normalisers[b] += law[k] * evidence.powers[b];
      }
      sums += label;
    }
    scale = sums.inverse();
    for (Index b = 0; b < kPowerCount; ++b) sums.segment<kStayCount>(b * kStayCount) /= normalisers[b];
    state_.scores = keep * state_.scores + sums.log();
  }
  for (Lanes& label : state_.labels) label *= scale;
}

void ChainBank::answer_from(LabelLanes start, FloatRowsMap probabilities) const {
  constexpr double kNegligibleWeight = 1e-6;
  const Lanes scores = state_.scores - params_.entry_cost;
  const double largest = std::max(0.0, scores.maxCoeff());  // 0: independent labels
  const double independent = std::exp(-largest);
  const Lanes weights = (scores - largest).exp();
  const double sum = independent + weights.sum();

  Scratch scratch;
  auto law = take_vector(scratch, probabilities.cols());
  write_law(law);
  auto answer = take_rows<double>(scratch, probabilities.rows(), probabilities.cols());
  const auto filtered = take_rows<double>(scratch, probabilities.rows(), probabilities.cols());
  answer = independent / sum * probabilities.cast<double>();
  for (Index c = 0; c < kChains; ++c) {
    if (weights[c] / sum < kNegligibleWeight) continue;
    const BankChain chain(c);
    filter_rows(
        chain, [&](Index k) { return start[static_cast<std::size_t>(k)][c]; }, law, probabilities, filtered);
    smooth_rows(chain, weights[c] / sum, law, probabilities, filtered, answer);
  }
  probabilities = answer.cast<float>();
}

}  // namespace stad::safe
