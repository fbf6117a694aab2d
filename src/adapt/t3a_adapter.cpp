#include "adapt/t3a_adapter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "adapt/answer.hpp"
#include "adapt/state_tensors.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "data/source_logits.hpp"
#include "math/scratch_rows.hpp"
#include "math/softmax.hpp"
#include "math/unit_rows.hpp"
#include "math/wide_products.hpp"

namespace stad {

T3aAdapter::T3aAdapter(SourceModel source, const T3aOptions& options)
    : Adapter(std::move(source)),
      options_(options),
      sums_(DoubleRows::Zero(this->source().classes(), this->source().dimension())),
      weights_(sums_) {
  if (options_.supports)
    supports_.assign(static_cast<std::size_t>(sums_.rows()), SupportSet(*options_.supports, sums_.cols()));
  add_supports(this->source().weight());
  update_weights();
}

Status T3aAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  add_supports(batch.features);
  update_weights();
  return predict_checked(batch, answer);
}

Status T3aAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  const MatrixView features = batch.features;
  Scratch scratch;
  auto logits = take_rows<double>(scratch, features.rows, weights_.rows());
  parallel_for_runs(features.rows, weights_.size(), [&](Index first, Index length) {
    wide_products(rows_view(features.rows_from(first, length)), RowsView<double>(weights_),
                  DoubleRowsMap(logits.row(first).data(), length, logits.cols()));
  });
  serve(logits, answer);
  for (Index n = 0; n < features.rows; ++n) {
    const auto row = features.row(n);
    answer.undirected += std::all_of(row.begin(), row.end(), [](float value) { return value == 0; });
  }
  return {};
}

void T3aAdapter::add_supports(MatrixView rows) {
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, rows.rows, source().classes());
  const auto probabilities = take_rows<double>(scratch, rows.rows, source().classes());
  const auto log_sums = take_vector(scratch, rows.rows);
  source_logits(source(), rows, logits);
  softmax_rows(logits, probabilities, log_sums);
  for (Index n = 0; n < rows.rows; ++n) {
    Index label = 0;
    const double largest = logits.row(n).maxCoeff(&label);
    // -sum p log p, in terms that cannot be negative: log p = (logit - largest) - (log Z - largest)
    const double entropy =
        (log_sums[n] - largest) + (probabilities.row(n).array() * (largest - logits.row(n).array())).sum();
    add_support(label, entropy, rows.row(n));
  }
}

void T3aAdapter::add_support(Index label, double entropy, std::span<const float> row) {
  if (options_.supports && !supports_[label].accepts(entropy)) return;
  Scratch scratch;
  const auto direction = scratch.take<float>(static_cast<Index>(row.size()));
  if (!unit_row<float>(row, {}, direction)) return;
  if (options_.supports)
    supports_[label].add(entropy, direction);
  else
    sums_.row(label) += as_array(std::span<const float>(direction)).matrix().transpose().cast<double>();
}

void T3aAdapter::update_weights() {
  for (Index k = 0; k < weights_.rows(); ++k) {
    auto weight = weights_.row(k);
    if (options_.supports)
      weight = as_array(supports_[k].scaled_sum()).matrix().transpose().cast<double>();
    else
      weight = sums_.row(k);
    if (const double norm = weight.norm(); norm > 0) weight /= norm;
  }
}

Matrix T3aAdapter::prototypes() const { return to_matrix(weights_); }

std::vector<Tensor> T3aAdapter::save() const {
  if (!options_.supports) return {to_tensor("sums", sums_)};
  std::vector<Tensor> tensors;
  for (std::size_t k = 0; k < supports_.size(); ++k) {
    const auto [directions, entropies] = supports_[k].sorted();
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
  std::vector<SupportSet> supports(supports_.size(), SupportSet(*options_.supports, state.dimension));
  for (std::size_t k = 0; k < supports.size(); ++k) {
    const auto name = fmt::format("class{}.", k);
    STAD_ASSIGN(const FloatRows directions,
                read_unit_rows<float>(state, name + "directions", kAnyLength, state.dimension));
    STAD_ASSIGN(const auto entropies,
                read_doubles(state, name + "entropies", directions.rows(), 0, kLargestTensorValue));
    if (directions.rows() > *options_.supports || !std::is_sorted(entropies.begin(), entropies.end()))
      return invalid(fmt::format("state: {}entropies must ascend and number at most {}", name, *options_.supports));
    for (Index i = 0; i < directions.rows(); ++i) supports[k].add(entropies[i], row_of(directions, i));
  }
  supports_ = std::move(supports);
  update_weights();
  return {};
}

}  // namespace stad
