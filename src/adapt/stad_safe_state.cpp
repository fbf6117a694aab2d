#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "adapt/stad_safe_adapter.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "data/fingerprint.hpp"

namespace stad {
namespace {

constexpr double kMostScore = 1e6;      // of a chain: score_rows times the logarithm of the smallest likelihood
constexpr double kMostResidual = 1e38;  // of the largest features
constexpr double kMostSquare = 1e80;
constexpr std::int64_t kMostRows = std::int64_t{1} << 62;
constexpr double kRoundedWhole = 1.001;  // the largest share of a whole, float32 rounding included
constexpr Index kMomentFields = 4;

std::vector<double> values_of(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

Index size_of(const std::vector<double>& values) { return static_cast<Index>(values.size()); }

Eigen::VectorXd vector_of(const std::vector<double>& values) { return as_array(std::span(values)).matrix(); }

/// Tensors of the tests and of the chains are named by their part.
void save_persistence(const safe::PersistenceTest::State& state, std::vector<Tensor>& tensors) {
  DoubleRows windows(state.windows.size(), kMomentFields);
  for (Index w = 0; w < windows.rows(); ++w) {
    const safe::AdjacencyMoments& moments = state.windows[static_cast<std::size_t>(w)];
    windows.row(w) << moments.observed, moments.mean, moments.variance, moments.pairs;
  }
  tensors.push_back(
      to_tensor("persistence.window", std::vector<std::int64_t>(state.window.begin(), state.window.end())));
  tensors.push_back(to_tensor("persistence.windows", windows));
  tensors.push_back(to_tensor("persistence.time", state.time ? std::vector{*state.time} : std::vector<double>{}));
}

void save_whiteness(const safe::WhitenessTest::State& state, std::vector<Tensor>& tensors) {
  const auto values = [](const safe::RecentRows<double>& ring) {
    return std::vector<double>(ring.rows().data(), ring.rows().data() + ring.count());
  };
  const FloatRows last = state.last.transpose();
  tensors.push_back(to_tensor<float>("whiteness.residuals", state.residuals.rows().topRows(state.residuals.count())));
  tensors.push_back(to_tensor("whiteness.products", values(state.products)));
  tensors.push_back(to_tensor("whiteness.squares", values(state.squares)));
  tensors.push_back(
      to_tensor("whiteness.positions", std::vector<std::int64_t>{state.residuals.next(), state.products.next()}));
  tensors.push_back(to_tensor("whiteness.residual_sum", values_of(state.residual_sum)));
  tensors.push_back(to_tensor<float>("whiteness.last", last));
  tensors.push_back(to_tensor<float>("whiteness.mean_sums", state.mean_sums));
  tensors.push_back(to_tensor("whiteness.mean_weights", values_of(state.mean_weights)));
}

void save_chains(const safe::ChainBank::State& state, std::vector<Tensor>& tensors) {
  DoubleRows labels(state.labels.size(), safe::ChainBank::kChains);
  for (Index k = 0; k < labels.rows(); ++k) labels.row(k) = state.labels[static_cast<std::size_t>(k)];
  tensors.push_back(to_tensor("chains.labels", labels));
  tensors.push_back(to_tensor("chains.scores", std::vector<double>(state.scores.begin(), state.scores.end())));
  tensors.push_back(to_tensor("chains.law_sum", values_of(state.law_sum)));
  tensors.push_back(to_tensor("chains.law_weight", std::vector{state.law_weight}));
}

void save_loss(const safe::LossEstimate::State& state, std::vector<Tensor>& tensors) {
  tensors.push_back(to_tensor("loss.logits", values_of(state.logits)));
  tensors.push_back(
      to_tensor("loss.sums", std::vector{state.logit_rows, state.rows, state.confidence, state.agreement}));
}

Result<safe::PersistenceTest::State> load_persistence(const AdapterState& state, Index classes) {
  const safe::Params params;
  safe::PersistenceTest::State loaded;
  STAD_ASSIGN(const auto window, read_integers(state, "persistence.window", kAnyLength, 0, classes - 1));
  STAD_ASSIGN(const auto windows, read_rows<double>(state, "persistence.windows", kAnyLength, kMomentFields));
  STAD_ASSIGN(const auto time, read_doubles(state, "persistence.time", kAnyLength, -1e290, 1e290));
  if (static_cast<Index>(window.size()) >= params.window || windows.rows() > params.windows || time.size() > 1)
    return invalid("state: tensors of the persistence test are longer than its windows");
  if (windows.size() > 0 && windows.minCoeff() < 0)
    return invalid("state: tensor persistence.windows has a negative value");
  loaded.window.assign(window.begin(), window.end());
  for (Index w = 0; w < windows.rows(); ++w)
    loaded.windows.push_back({windows(w, 0), windows(w, 1), windows(w, 2), windows(w, 3)});
  if (!time.empty()) loaded.time = time.front();
  return loaded;
}

Status load_whiteness(const AdapterState& state, safe::WhitenessTest::State& loaded) {
  const safe::Params params;
  const Index classes = loaded.residual_sum.size();
  STAD_ASSIGN(const auto residuals, read_rows<float>(state, "whiteness.residuals", kAnyLength, classes, kMostResidual));
  STAD_ASSIGN(const auto products, read_doubles(state, "whiteness.products", kAnyLength, -kMostSquare, kMostSquare));
  STAD_ASSIGN(const auto squares, read_doubles(state, "whiteness.squares", kAnyLength, 0, kMostSquare));
  STAD_ASSIGN(const auto positions, read_integers(state, "whiteness.positions", 2, 0, params.autocorrelation_rows));
  STAD_TRY(check_ring("whiteness.residuals", residuals.rows(), positions[0], params.centre_rows));
  STAD_TRY(check_ring("whiteness.products", size_of(products), positions[1], params.autocorrelation_rows));
  STAD_TRY(check_ring("whiteness.squares", size_of(squares), positions[1], params.autocorrelation_rows));
  STAD_ASSIGN(const auto sum, read_doubles(state, "whiteness.residual_sum", classes, -kMostSquare, kMostSquare));
  STAD_ASSIGN(const auto last, read_rows<float>(state, "whiteness.last", kAnyLength, kAnyLength, kMostResidual));
  STAD_ASSIGN(auto mean_sums, read_rows<float>(state, "whiteness.mean_sums", loaded.mean_sums.rows(),
                                               loaded.mean_sums.cols(), kMostResidual));
  STAD_ASSIGN(const auto mean_weights,
              read_doubles(state, "whiteness.mean_weights", loaded.mean_weights.size(), 1e-3, 1e18));
  if (last.size() != 0 && last.size() != classes)
    return invalid("state: tensor whiteness.last must hold one residual or none");
  loaded.residuals.restore(residuals, positions[0]);
  loaded.products.restore(vector_of(products), positions[1]);
  loaded.squares.restore(vector_of(squares), positions[1]);
  loaded.residual_sum = vector_of(sum);
  loaded.last = last.reshaped();
  loaded.mean_sums = std::move(mean_sums);
  loaded.mean_weights = vector_of(mean_weights);
  return {};
}

Status load_chains(const AdapterState& state, safe::ChainBank::State& loaded) {
  const auto classes = static_cast<Index>(loaded.labels.size());
  STAD_ASSIGN(const auto labels, read_rows<double>(state, "chains.labels", classes, safe::ChainBank::kChains));
  STAD_ASSIGN(const auto scores,
              read_doubles(state, "chains.scores", safe::ChainBank::kChains, -kMostScore, kMostScore));
  STAD_ASSIGN(const auto law_sum, read_doubles(state, "chains.law_sum", classes, 0, 1e18));
  STAD_ASSIGN(const auto law_weight, read_doubles(state, "chains.law_weight", 1, 1e-3, 1e18));
  if (!(labels.minCoeff() >= 0 && labels.maxCoeff() <= kWhole))
    return invalid("state: tensor chains.labels has a value outside 0 to 1");
  for (Index k = 0; k < classes; ++k) loaded.labels[static_cast<std::size_t>(k)] = labels.row(k);
  loaded.scores = as_array(std::span(scores));
  loaded.law_sum = vector_of(law_sum);
  loaded.law_weight = law_weight.front();
  return {};
}

Status load_loss(const AdapterState& state, safe::LossEstimate::State& loaded) {
  STAD_ASSIGN(const auto logits, read_doubles(state, "loss.logits", loaded.logits.size(), -kMostSquare, kMostSquare));
  STAD_ASSIGN(const auto sums, read_doubles(state, "loss.sums", 4, 0, 1e18));
  if (!(sums[0] > 0) || sums[2] > kRoundedWhole * sums[1] || sums[3] > kRoundedWhole * sums[1])
    return invalid("state: tensor loss.sums has more confidence or agreement than rows");
  loaded = {vector_of(logits), sums[0], sums[1], sums[2], sums[3]};
  return {};
}

/// A state continues only with the card it was made with.
std::int64_t card_fingerprint(const SourceCard& card) {
  const auto row = [](const std::vector<float>& values) {
    return MatrixView(values.data(), 1, static_cast<Index>(values.size()));
  };
  const std::vector<float> scalars{static_cast<float>(card.temperature.value_or(0)),
                                   static_cast<float>(card.accuracy.value_or(-1)),
                                   static_cast<float>(card.confidence.value_or(-1))};
  Fingerprint fingerprint;
  fingerprint.add(row(scalars));
  fingerprint.add(row(card.frequencies));
  fingerprint.add(row(card.variance));
  fingerprint.add(card.means);
  return std::bit_cast<std::int64_t>(fingerprint.value());
}

}  // namespace

std::vector<Tensor> StadSafeAdapter::save() const {
  std::vector<Tensor> tensors{
      to_tensor("seen", std::vector<std::int64_t>{base_.rows(), card_fingerprint(source().card())})};
  save_persistence(base_.persistence().state(), tensors);
  save_whiteness(base_.whiteness().state(), tensors);
  save_chains(base_.chains().state(), tensors);
  save_loss(base_.loss().state(), tensors);
  if (contest_) {
    auto own = contest_->save();
    std::ranges::move(own, std::back_inserter(tensors));
  }
  return tensors;
}

Status StadSafeAdapter::load(const AdapterState& state) {
  constexpr Index kBaseTensors = 18;
  STAD_TRY(check_tensor_count(state, kBaseTensors + (contest_ ? Contest::count_tensors(state) : 0)));
  STAD_ASSIGN(const auto seen, read_integers(state, "seen", 2, INT64_MIN, INT64_MAX));
  if (seen[1] != card_fingerprint(source().card()))
    return invalid("state: was made with another source card; continue it with that card, or start from the source");
  if (seen[0] < 0 || seen[0] > kMostRows)
    return invalid(fmt::format("state: tensor seen counts {} rows, must be from 0 to {}", seen[0], kMostRows));
  STAD_ASSIGN(auto persistence, load_persistence(state, source().classes()));
  auto whiteness = base_.whiteness().state();
  auto chains = base_.chains().state();
  auto loss = base_.loss().state();
  STAD_TRY(load_whiteness(state, whiteness));
  STAD_TRY(load_chains(state, chains));
  STAD_TRY(load_loss(state, loss));
  if (contest_) STAD_TRY(contest_->load(state));
  base_.persistence().restore(std::move(persistence));
  base_.whiteness().state() = std::move(whiteness);
  base_.chains().state() = std::move(chains);
  base_.loss().state() = std::move(loss);
  base_.restore(seen[0]);
  return {};
}

}  // namespace stad
