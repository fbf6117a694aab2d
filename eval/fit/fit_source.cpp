#include <stad/eval/fit.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/try.hpp"
#include "data/feature_rules.hpp"
#include "fit/logistic.hpp"
#include "fit/minimise.hpp"
#include "math/eigen.hpp"

namespace stad {
namespace {

using Eigen::VectorXd;

constexpr Index kMostClasses = 1'000'000;
constexpr Index kLeastRowsForCard = 10;
constexpr Index kHeldOutShare = 5;  // one row in so many is held out for the card

/// A fitted head in double, before it is rounded to float32.
struct FittedHead {
  DoubleRows weight;  // K x D
  VectorXd bias;
  int iterations = 0;
  bool converged = true;
};

Status check_fit_settings(const FitSettings& settings) {
  if (settings.l2 >= 0 && std::isfinite(settings.l2)) return {};
  return invalid(fmt::format("fit: l2 = {}, must be a number of at least 0", settings.l2));
}

/// Returns the number of classes, or an error if the labels are invalid.
Result<Index> check_labels(const FeatureStream& labelled) {
  const auto& labels = labelled.labels;
  if (labels.empty()) return invalid(fmt::format("{}: has no labels, fit requires one for every row", labelled.name));
  if (static_cast<Index>(labels.size()) != labelled.features.rows)
    return invalid(fmt::format("{}: {} labels for {} rows of features, must be one each", labelled.name, labels.size(),
                               labelled.features.rows));
  std::vector<Index> samples;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (labels[n] < 0 || labels[n] >= kMostClasses)
      return invalid(
          fmt::format("{}: labels row {} is {}, must be from 0 to {}", labelled.name, n, labels[n], kMostClasses - 1));
    if (labels[n] >= static_cast<Index>(samples.size())) samples.resize(static_cast<std::size_t>(labels[n]) + 1);
    ++samples[static_cast<std::size_t>(labels[n])];
  }
  for (std::size_t k = 0; k < samples.size(); ++k)
    if (samples[k] == 0)
      return invalid(fmt::format("{}: no row is labelled {}, every class from 0 to {} must have one", labelled.name, k,
                                 samples.size() - 1));
  if (samples.size() < 2) return invalid(fmt::format("{}: labels hold 1 class, must hold at least 2", labelled.name));
  return static_cast<Index>(samples.size());
}

Status check_features(const FeatureStream& labelled) {
  if (labelled.features.cols < 2)
    return invalid(fmt::format("{}: features have {} columns (dimensions), must have at least 2", labelled.name,
                               labelled.features.cols));
  if (const auto broken = find_broken_value(labelled.features))
    return invalid(fmt::format("{}: features row {} column {} is {}, {}", labelled.name, broken->row, broken->column,
                               broken->value, kValueRule));
  return {};
}

/// The nearest class mean as a linear head: |h - mean_k|^2 is smallest where mean_k.h - |mean_k|^2 / 2 is largest.
FittedHead fit_class_means(const FeatureStream& labelled, Index classes) {
  FittedHead head{DoubleRows::Zero(classes, labelled.features.cols), VectorXd::Zero(classes)};
  VectorXd samples = VectorXd::Zero(classes);
  for (Index n = 0; n < labelled.features.rows; ++n) {
    const Index k = labelled.labels[static_cast<std::size_t>(n)];
    head.weight.row(k) += as_eigen(labelled.features).row(n).cast<double>();
    ++samples[k];
  }
  head.weight = samples.cwiseInverse().asDiagonal() * head.weight;
  head.bias = -head.weight.rowwise().squaredNorm() / 2;
  return head;
}

/// The minimum of the logistic loss, converted to a head for raw features: W z + b with z = (h - mean) / scale.
FittedHead fit_logistic(const FeatureStream& labelled, Index classes, double l2, const Standardisation& standard) {
  const Index d = labelled.features.cols;
  const LogisticLoss loss(labelled.features, labelled.labels, classes, l2, standard);
  const Minimum minimum = minimise(std::cref(loss), VectorXd::Zero(loss.parameters()));
  FittedHead head;
  head.weight = Eigen::Map<const DoubleRows>(minimum.point.data(), classes, d) / standard.scale;
  head.bias = minimum.point.tail(classes) - head.weight * standard.mean;
  head.iterations = minimum.iterations;
  head.converged = minimum.iterations < MinimiseSettings{}.most_iterations;
  return head;
}

Result<SourceModel> stored(const FittedHead& head, const VectorXd& mean, const std::vector<std::string>& names) {
  const auto rounded = [](const VectorXd& values) { return std::vector<float>(values.begin(), values.end()); };
  return SourceModel::create(to_matrix(head.weight), rounded(head.bias), rounded(mean), names);
}

/// Rejects heads with a zero row: they do not classify and cannot be adapted.
Status check_head(const SourceModel& source, const std::string& name) {
  for (Index k = 0; k < source.classes(); ++k)
    if (as_eigen(source.weight()).row(k).isZero(0))
      return invalid(
          fmt::format("{}: the fitted weight of class {} is zero; its features must differ from the others'", name, k));
  return {};
}

/// Accuracy of the stored float32 head: rounding may lower it if features are far from zero.
double accuracy(const SourceModel& source, const FeatureStream& labelled) {
  const DoubleRows weight = as_eigen(source.weight()).cast<double>();
  const VectorXd bias = as_array(source.bias()).cast<double>();
  Index correct = 0;
  for (Index n = 0; n < labelled.features.rows; ++n) {
    Index answer = 0;
    (weight * as_eigen(labelled.features).row(n).transpose().cast<double>() + bias).maxCoeff(&answer);
    correct += answer == labelled.labels[static_cast<std::size_t>(n)];
  }
  return static_cast<double>(correct) / static_cast<double>(labelled.features.rows);
}

FeatureStream select_rows(const FeatureStream& all, std::span<const Index> rows) {
  Matrix features(static_cast<Index>(rows.size()), all.features.cols);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(all.features.row(rows[i]), features.row(static_cast<Index>(i)).begin());
  FeatureStream chosen = FeatureStream::from(std::move(features));
  chosen.name = all.name;
  for (const Index row : rows) chosen.labels.push_back(all.labels[static_cast<std::size_t>(row)]);
  return chosen;
}

bool has_all_classes(const FeatureStream& labelled, Index classes) {
  const std::set<std::int64_t> present(labelled.labels.begin(), labelled.labels.end());
  return static_cast<Index>(present.size()) == classes;
}

/// The rows that the head is fitted to, and those of its card.
struct SplitRows {
  FeatureStream fitted;
  std::optional<FeatureStream> held_out;
};

SplitRows split_rows(const FeatureStream& labelled, Index classes, const FitSettings& settings) {
  const Index rows = labelled.features.rows;
  if (!settings.card || rows < kLeastRowsForCard) return {labelled, std::nullopt};
  std::vector<Index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  Random(settings.seed).shuffle(order);
  const auto count = order.begin() + rows / kHeldOutShare;
  std::sort(order.begin(), count);
  std::sort(count, order.end());
  FeatureStream fitted = select_rows(labelled, {count, order.end()});
  if (!has_all_classes(fitted, classes)) return {labelled, std::nullopt};
  return {std::move(fitted), select_rows(labelled, {order.begin(), count})};
}

Result<FitReport> fit_rows(const FeatureStream& labelled, Index classes, const FitSettings& settings) {
  const Standardisation standard = standardise(labelled.features);
  const FittedHead head = settings.kind == FitKind::kLogistic ? fit_logistic(labelled, classes, settings.l2, standard)
                                                              : fit_class_means(labelled, classes);
  auto made = stored(head, standard.mean, settings.classes);
  if (!made) return invalid(fmt::format("{}: the fitted {}", labelled.name, made.error().message));
  SourceModel source = *std::move(made);
  STAD_TRY(check_head(source, labelled.name));
  const double right = accuracy(source, labelled);
  return FitReport{std::move(source), 0, right, head.iterations, head.converged};
}

}  // namespace

Result<FitReport> fit_source(const FeatureStream& labelled, const FitSettings& settings) {
  STAD_TRY(check_fit_settings(settings));
  STAD_ASSIGN(const Index classes, check_labels(labelled));
  STAD_TRY(check_features(labelled));

  const SplitRows rows = split_rows(labelled, classes, settings);
  STAD_ASSIGN(FitReport report, fit_rows(rows.fitted, classes, settings));
  if (!rows.held_out) return report;
  STAD_ASSIGN(report.source, report.source.with_card(rows.held_out->features, rows.held_out->labels));
  report.held_out = rows.held_out->features.rows;
  return report;
}

}  // namespace stad
