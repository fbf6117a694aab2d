#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include <stad/source_model.hpp>

#include "base/try.hpp"
#include "data/feature_rules.hpp"
#include "data/source_logits.hpp"
#include "data/source_rules.hpp"
#include "math/wide_products.hpp"

namespace stad {
namespace {

constexpr int kTemperatures = 60;  // tried, evenly spaced in the logarithm
constexpr double kLowestTemperature = 0.3;
constexpr double kHighestTemperature = 8;
constexpr double kFrequencySum = 1e-3;  // tolerated difference of the sum of frequencies from 1

double temperature_number(int i) {
  const double step = std::log(kHighestTemperature / kLowestTemperature) / (kTemperatures - 1);
  return kLowestTemperature * std::exp(step * i);
}

/// Sums over labelled rows of functions of softmax(logits / T).
struct TemperatureFit {
  double log_loss = 0;
  double confidence = 0;
};

TemperatureFit fit_at(double temperature, const DoubleRows& logits, std::span<const std::int64_t> labels) {
  TemperatureFit fit;
  for (Index n = 0; n < logits.rows(); ++n) {
    const auto row = logits.row(n).array() / temperature;
    const double largest = row.maxCoeff();
    const double sum = (row - largest).exp().sum();
    fit.log_loss += std::log(sum) + largest - row[labels[n]];
    fit.confidence += 1 / sum;
  }
  return fit;
}

void write_confidence(const DoubleRows& logits, std::span<const std::int64_t> labels, SourceCard& card) {
  double least = INFINITY;
  for (int i = 0; i < kTemperatures; ++i) {
    const TemperatureFit fit = fit_at(temperature_number(i), logits, labels);
    if (fit.log_loss >= least) continue;
    least = fit.log_loss;
    card.temperature = temperature_number(i);
    card.confidence = fit.confidence / static_cast<double>(logits.rows());
  }
}

double accuracy_of(const DoubleRows& logits, std::span<const std::int64_t> labels) {
  Index right = 0;
  for (Index n = 0; n < logits.rows(); ++n) {
    Index label = 0;
    logits.row(n).maxCoeff(&label);
    right += label == labels[n] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(logits.rows());
}

/// Frequencies, class means and variance. A class without rows takes the mean of all.
void write_moments(MatrixView features, std::span<const std::int64_t> labels, Index classes, SourceCard& card) {
  const Eigen::MatrixXd rows = as_eigen(features).cast<double>();
  const Eigen::RowVectorXd centre = rows.colwise().mean();
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(classes);
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(classes, rows.cols());
  for (Index n = 0; n < rows.rows(); ++n) {
    counts[labels[n]] += 1;
    sums.row(labels[n]) += rows.row(n);
  }
  card.means.resize(classes, rows.cols());
  for (Index k = 0; k < classes; ++k) {
    card.frequencies.push_back(static_cast<float>(counts[k] / static_cast<double>(rows.rows())));
    const Eigen::RowVectorXd mean = counts[k] > 0 ? Eigen::RowVectorXd(sums.row(k) / counts[k]) : centre;
    as_array(card.means.row(k)) = mean.cast<float>().transpose().array();
  }
  const Eigen::VectorXf variance =
      (rows.rowwise() - centre).colwise().squaredNorm().cast<float>().transpose() / static_cast<float>(rows.rows());
  card.variance.assign(variance.begin(), variance.end());
}

Status check_labelled(const SourceModel& source, MatrixView features, std::span<const std::int64_t> labels) {
  if (features.cols != source.dimension())
    return invalid(fmt::format("card: features have {} dimensions, must have {} as the source has", features.cols,
                               source.dimension()));
  if (features.rows < 2 || static_cast<Index>(labels.size()) != features.rows)
    return invalid(fmt::format("card: there are {} labels for {} rows, must be as many, and at least 2", labels.size(),
                               features.rows));
  if (const auto broken = find_broken_value(features))
    return invalid(
        fmt::format("card: row {} column {} is {}, {}", broken->row, broken->column, broken->value, kValueRule));
  for (std::size_t n = 0; n < labels.size(); ++n)
    if (labels[n] < 0 || labels[n] >= source.classes())
      return invalid(fmt::format("card: label {} is {}, must be from 0 to {}", n, labels[n], source.classes() - 1));
  return {};
}

Status check_share(const char* field, const std::optional<double>& value) {
  if (!value || (*value >= 0 && *value <= 1)) return {};
  return invalid(fmt::format("source: {} is {}, must be from 0 to 1", field, *value));
}

Status check_frequencies(const std::vector<float>& frequencies) {
  double sum = 0;
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    if (!(frequencies[k] >= 0))
      return invalid(fmt::format("source: card_frequencies value {} is {}, must not be negative", k, frequencies[k]));
    sum += frequencies[k];
  }
  if (frequencies.empty() || std::abs(sum - 1) <= kFrequencySum) return {};
  return invalid(fmt::format("source: card_frequencies sum to {}, must sum to 1", sum));
}

Status check_card(const SourceModel& source, const SourceCard& card) {
  const Index k = source.classes();
  const Index d = source.dimension();
  STAD_TRY(check_source_length("card_frequencies", static_cast<Index>(card.frequencies.size()), k, "class"));
  STAD_TRY(check_source_length("card_variance", static_cast<Index>(card.variance.size()), d, "dimension"));
  if (!card.means.empty() && (card.means.rows() != k || card.means.cols() != d))
    return invalid(
        fmt::format("source: card_means is {} x {}, must be {} x {}", card.means.rows(), card.means.cols(), k, d));
  STAD_TRY(check_source_values("card_means", card.means));
  STAD_TRY(check_source_values("card_variance", as_row(card.variance)));
  STAD_TRY(check_frequencies(card.frequencies));
  for (std::size_t i = 0; i < card.variance.size(); ++i)
    if (card.variance[i] < 0)
      return invalid(fmt::format("source: card_variance value {} is {}, must not be negative", i, card.variance[i]));
  if (card.temperature && !(*card.temperature >= 1e-3 && *card.temperature <= 1e3))
    return invalid(fmt::format("source: card_temperature is {}, must be from 0.001 to 1000", *card.temperature));
  STAD_TRY(check_share("card_accuracy", card.accuracy));
  return check_share("card_confidence", card.confidence);
}

Matrix products_with(const Matrix& weight, const Matrix& means) {
  if (means.empty()) return {};
  DoubleRows products(means.rows(), weight.rows());
  wide_products(rows_view(means), rows_view(weight),
                Eigen::Map<DoubleRows>(products.data(), means.rows(), weight.rows()));
  return to_matrix(products);
}

}  // namespace

bool SourceCard::is_empty() const { return *this == SourceCard{}; }

Result<SourceModel> SourceModel::with_card(SourceCard card) const {
  STAD_TRY(check_card(*this, card));
  auto parts = std::make_shared<Parts>(*parts_);
  parts->mean_products = products_with(parts->weight, card.means);
  parts->card = std::move(card);
  parts->certificate = nullptr;
  return SourceModel(std::move(parts));
}

Result<SourceModel> SourceModel::with_card(MatrixView features, std::span<const std::int64_t> labels) const {
  STAD_TRY(check_labelled(*this, features, labels));
  SourceCard card;
  const DoubleRows logits = source_logits(*this, features);
  write_confidence(logits, labels, card);
  card.accuracy = accuracy_of(logits, labels);
  write_moments(features, labels, classes(), card);
  return with_card(std::move(card));
}

}  // namespace stad
