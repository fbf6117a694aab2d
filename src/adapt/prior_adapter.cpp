#include "adapt/prior_adapter.hpp"

#include <algorithm>

#include "adapt/answer.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "data/source_logits.hpp"
#include "math/inner_product.hpp"
#include "safe/base.hpp"

namespace stad {
namespace {

constexpr Index kRecentRows = 500;     // rows the proportions are estimated from
constexpr int kRounds = 20;            // of expectation maximisation
constexpr double kDirichletRows = 10;  // that the prior is worth
constexpr double kLeastPrior = 1e-3;   // a rarer class is corrected as if it were this frequent
constexpr double kLeastSaved = 1e-12;  // of a proportion: the Dirichlet prior keeps them above it

}  // namespace

PriorAdapter::PriorAdapter(SourceModel source, const PriorOptions& options)
    : Adapter(std::move(source)),
      options_(options),
      prior_(safe::class_prior(this->source(), safe::Params{}.prior_floor)),
      proportions_(prior_),
      ratios_(kRecentRows, prior_.size()) {}

Status PriorAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  apply_source(batch.features, answer);
  const Index rows = answer.probabilities.rows();
  Scratch scratch;
  const auto ratio = scratch.take<float>(prior_.size());
  for (Index n = std::max<Index>(0, rows - kRecentRows); n < rows; ++n) {
    as_array(ratio) =
        as_array(std::as_const(answer.probabilities).row(n)) / prior_.array().max(kLeastPrior).cast<float>();
    ratios_.add(ratio);
  }
  since_estimate_ += rows;
  if (since_estimate_ >= options_.refresh) estimate_proportions();
  correct(answer);
  return {};
}

Status PriorAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  apply_source(batch.features, answer);
  correct(answer);
  return {};
}

void PriorAdapter::apply_source(MatrixView features, Predictions& answer) const {
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, features.rows, source().classes());
  source_logits(source(), features, logits);
  serve(logits, answer, source().card().temperature.value_or(1));
  if (reports_source()) serve_source(logits, answer);
}

void PriorAdapter::estimate_proportions() {
  since_estimate_ = 0;
  Scratch scratch;
  auto counts = take_vector(scratch, prior_.size());
  auto posterior = take_vector(scratch, prior_.size());
  const auto ratios = ratios_.rows().topRows(ratios_.count());
  proportions_ = prior_;
  for (int round = 0; round < kRounds; ++round) {
    counts = kDirichletRows * prior_;
    for (Index n = 0; n < ratios.rows(); ++n) {
      posterior = proportions_.cwiseProduct(ratios.row(n).transpose().cast<double>());
      counts += 1 / sum_of(std::span<const double>(posterior.data(), counts.size())) * posterior;
    }
    proportions_ = counts / (static_cast<double>(ratios.rows()) + kDirichletRows);
  }
}

void PriorAdapter::correct(Predictions& answer) const {
  Scratch scratch;
  auto factors = as_array(scratch.take<float>(prior_.size()));
  factors = (proportions_.array() / prior_.array().max(kLeastPrior)).cast<float>();
  for (Index n = 0; n < answer.probabilities.rows(); ++n) {
    auto row = as_array(answer.probabilities.row(n));
    row *= factors;
    row *= static_cast<float>(1 / sum_of(std::span<const float>(answer.probabilities.row(n))));
  }
  relabel(answer);
}

std::vector<Tensor> PriorAdapter::save() const {
  return {to_tensor("proportions", std::vector<double>(proportions_.begin(), proportions_.end())),
          to_tensor<float>("ratios", ratios_.rows().topRows(ratios_.count())),
          to_tensor("position", std::vector<std::int64_t>{ratios_.next(), since_estimate_})};
}

Status PriorAdapter::load(const AdapterState& state) {
  STAD_TRY(check_tensor_count(state, 3));
  STAD_ASSIGN(const auto proportions, read_doubles(state, "proportions", prior_.size(), kLeastSaved, kWhole));
  STAD_ASSIGN(const auto ratios, read_rows<float>(state, "ratios", kAnyLength, prior_.size()));
  STAD_ASSIGN(const auto position, read_integers(state, "position", 2, 0, std::int64_t{1} << 40));
  STAD_TRY(check_ring("ratios", ratios.rows(), position[0], kRecentRows));
  if (ratios.size() > 0 && !(ratios.minCoeff() >= 0 && ratios.rowwise().maxCoeff().minCoeff() > 0))
    return invalid("state: tensor ratios has a negative value or a row of zeros, must have neither");
  proportions_ = as_array(std::span(proportions));
  ratios_.restore(ratios, position[0]);
  since_estimate_ = position[1];
  return {};
}

}  // namespace stad
