#include "adapt/t3a_adapter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "math/softmax.hpp"
#include "math/unit_rows.hpp"

namespace stad {

T3aAdapter::T3aAdapter(SourceModel source, const T3aOptions& options)
    : Adapter(std::move(source)),
      options_(options),
      supports_(static_cast<std::size_t>(this->source().classes())),
      sums_(DoubleRows::Zero(this->source().classes(), this->source().dimension())) {
  add_supports(this->source().weight());
  update_weights();
}

Status T3aAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  add_supports(batch.features);
  update_weights();
  return predict_checked(batch, answer);
}

Status T3aAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  const DoubleRows h = as_eigen(batch.features).cast<double>();
  serve(h * weights_.transpose(), answer);
  answer.undirected = h.rows() - (h.array() != 0).rowwise().any().count();
  return {};
}

void T3aAdapter::add_supports(MatrixView rows) {
  DoubleRows log_probabilities = source_logits(source(), rows);
  log_softmax_rows(log_probabilities);
  const auto [unit, directed] = unit_rows<float>(rows);
  for (std::size_t i = 0; i < directed.size(); ++i) {
    const auto log_p = log_probabilities.row(directed[i]);
    Index label = 0;
    log_p.maxCoeff(&label);
    const double entropy = -(log_p.array().exp() * log_p.array()).sum();
    const auto direction = row_of(unit, static_cast<Index>(i));
    add_support(label, {entropy, {direction.begin(), direction.end()}});
  }
}

void T3aAdapter::add_support(Index label, Support support) {
  if (!options_.supports) {
    sums_.row(label) += as_array(std::span<const float>(support.direction)).matrix().transpose().cast<double>();
    return;
  }
  Supports& kept = supports_[label];
  const auto later = [](double entropy, const Support& other) { return entropy < other.entropy; };
  const auto place = std::upper_bound(kept.begin(), kept.end(), support.entropy, later);
  kept.insert(place, std::move(support));
  if (static_cast<Index>(kept.size()) > *options_.supports) kept.pop_back();
}

void T3aAdapter::update_weights() {
  for (std::size_t k = 0; options_.supports && k < supports_.size(); ++k) {
    auto sum = sums_.row(static_cast<Index>(k));
    sum.setZero();
    for (const Support& support : supports_[k])
      sum += as_array(std::span<const float>(support.direction)).matrix().transpose().cast<double>();
  }
  weights_ = sums_;
  for (Index k = 0; k < weights_.rows(); ++k)
    if (const double norm = weights_.row(k).norm(); norm > 0) weights_.row(k) /= norm;
}

Matrix T3aAdapter::prototypes() const { return to_matrix(weights_); }

std::vector<Tensor> T3aAdapter::save() const {
  if (!options_.supports) return {to_tensor("sums", sums_)};
  std::vector<Tensor> tensors;
  for (std::size_t k = 0; k < supports_.size(); ++k) {
    FloatRows directions(static_cast<Index>(supports_[k].size()), source().dimension());
    std::vector<double> entropies;
    for (std::size_t i = 0; i < supports_[k].size(); ++i) {
      std::copy_n(supports_[k][i].direction.begin(), directions.cols(),
                  row_of(directions, static_cast<Index>(i)).begin());
      entropies.push_back(supports_[k][i].entropy);
    }
    tensors.push_back(to_tensor(fmt::format("class{}.directions", k), directions));
    tensors.push_back(to_tensor(fmt::format("class{}.entropies", k), entropies));
  }
  return tensors;
}

Status T3aAdapter::load(const AdapterState& state) {
  if (!options_.supports) {
    STAD_ASSIGN(sums_, read_rows<double>(state, "sums", state.classes, state.dimension));
    update_weights();
    return {};
  }
  std::vector<Supports> supports(supports_.size());
  for (std::size_t k = 0; k < supports.size(); ++k) {
    const auto name = fmt::format("class{}.", k);
    STAD_ASSIGN(const FloatRows directions,
                read_unit_rows<float>(state, name + "directions", kAnyLength, state.dimension));
    STAD_ASSIGN(const auto entropies,
                read_doubles(state, name + "entropies", directions.rows(), 0, kLargestTensorValue));
    if (directions.rows() > *options_.supports || !std::is_sorted(entropies.begin(), entropies.end()))
      return invalid(fmt::format("state: {}entropies must ascend and number at most {}", name, *options_.supports));
    for (Index i = 0; i < directions.rows(); ++i)
      supports[k].push_back({entropies[i], {row_of(directions, i).begin(), row_of(directions, i).end()}});
  }
  supports_ = std::move(supports);
  update_weights();
  return {};
}

}  // namespace stad
