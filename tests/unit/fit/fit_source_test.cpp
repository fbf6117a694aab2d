#include <stad/eval/fit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "fit/logistic.hpp"

namespace stad {
namespace {

using Eigen::VectorXd;

/// `count` rows a class around centres `apart` from each other, on a common offset as real features have.
FeatureStream clouds(Index classes, Index dimension, Index count, double apart, std::uint64_t seed = 1) {
  Random random(seed);
  Matrix features(classes * count, dimension);
  std::vector<std::int64_t> labels;
  for (Index n = 0; n < features.rows(); ++n) {
    labels.push_back(n % classes);
    for (Index d = 0; d < dimension; ++d)
      features(n, d) = static_cast<float>(5 + random.normal() + (d == n % classes ? apart : 0));
  }
  auto stream = FeatureStream::from(std::move(features));
  stream.labels = std::move(labels);
  return stream;
}

std::string fit_error(const FeatureStream& stream, const FitSettings& settings = {}) {
  const auto result = fit_source(stream, settings);
  return result ? "" : result.error().message;
}

TEST(LogisticLoss, HasTheGradientThatFiniteDifferencesSee) {
  const auto data = clouds(3, 4, 200, 1);
  const LogisticLoss loss(data.features, data.labels, 3, 0.1, standardise(data.features));
  Random random(2);
  VectorXd point(loss.parameters()), gradient, ignored;
  for (auto& x : point) x = random.normal();
  loss(point, gradient);
  for (Eigen::Index i = 0; i < point.size(); ++i) {
    const double h = 1e-5;
    VectorXd up = point, down = point;
    up[i] += h;
    down[i] -= h;
    EXPECT_NEAR(gradient[i], (loss(up, ignored) - loss(down, ignored)) / (2 * h), 1e-8);
  }
}

TEST(FitSource, SeparatesWhatCanBeSeparated) {
  const auto report = fit_source(clouds(4, 6, 50, 12));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->training_accuracy, 1);
  EXPECT_EQ(report->source.classes(), 4);
}

TEST(FitSource, GivesAHeadForRawFeaturesAtWhichTheGradientIsZero) {
  const auto data = clouds(3, 5, 100, 2);
  const double l2 = 0.01;
  const auto report = fit_source(data, {.l2 = l2, .card = false});
  ASSERT_TRUE(report);
  const Standardisation standard = standardise(data.features);
  const LogisticLoss loss(data.features, data.labels, 3, l2, standard);
  VectorXd point(loss.parameters()), gradient;
  for (Index k = 0; k < 3; ++k) {
    double shift = 0;
    for (Index d = 0; d < 5; ++d) {
      point[k * 5 + d] = report->source.weight()(k, d) * standard.scale;
      shift += report->source.weight()(k, d) * standard.mean[d];
    }
    point[15 + k] = report->source.bias()[static_cast<std::size_t>(k)] + shift;
  }
  loss(point, gradient);
  EXPECT_LT(gradient.lpNorm<Eigen::Infinity>(), 1e-6);  // the head is stored in float32
}

TEST(FitSource, MakesPredictedProportionsEqualToThoseSeen) {
  // Where the bias is free, the gradient for it vanishes: mean probability of a class = its share of the labels.
  const auto data = clouds(2, 3, 150, 1);
  const auto report = fit_source(data, {.card = false});
  ASSERT_TRUE(report);
  double mean = 0;
  for (Index n = 0; n < data.features.rows; ++n) {
    double logit = report->source.bias()[0] - report->source.bias()[1];
    for (Index d = 0; d < 3; ++d)
      logit += (report->source.weight()(0, d) - report->source.weight()(1, d)) *
               data.features.row(n)[static_cast<std::size_t>(d)];
    mean += 1 / (1 + std::exp(-logit)) / static_cast<double>(data.features.rows);
  }
  EXPECT_NEAR(mean, 0.5, 1e-5);
}

TEST(FitSource, ShrinksTheWeightsAsThePenaltyGrows) {
  const auto data = clouds(2, 3, 100, 2);
  const auto loose = fit_source(data, {.l2 = 1e-4});
  const auto tight = fit_source(data, {.l2 = 10});
  ASSERT_TRUE(loose && tight);
  EXPECT_LT(std::abs(tight->source.weight()(0, 0)), std::abs(loose->source.weight()(0, 0)) / 10);
}

TEST(FitSource, AnswersTheSameWhateverTheUnitOfTheFeatures) {
  const auto data = clouds(3, 4, 60, 1);
  Matrix large(data.features.rows, 4);
  for (Index n = 0; n < large.rows(); ++n)
    for (Index d = 0; d < 4; ++d) large(n, d) = data.features.row(n)[static_cast<std::size_t>(d)] * 1024;
  auto scaled = FeatureStream::from(std::move(large));
  scaled.labels = data.labels;
  const auto a = fit_source(data);
  const auto b = fit_source(scaled);
  ASSERT_TRUE(a && b);
  EXPECT_FLOAT_EQ(a->source.weight()(0, 0), b->source.weight()(0, 0) * 1024);
  EXPECT_EQ(a->training_accuracy, b->training_accuracy);
}

TEST(FitSource, TakesClassMeansAndTheMeanOfAll) {
  Matrix features(4, 2);
  const float values[] = {0, 0, 2, 0, 0, 4, 0, 8};
  std::copy(std::begin(values), std::end(values), features.data());
  auto stream = FeatureStream::from(std::move(features));
  stream.labels = {0, 0, 1, 1};
  const auto report = fit_source(stream, {.kind = FitKind::kClassMeans, .classes = {"low", "high"}});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->source.weight()(0, 0), 1);
  EXPECT_EQ(report->source.weight()(1, 1), 6);
  EXPECT_EQ(report->source.bias()[0], -0.5F);
  EXPECT_EQ(report->source.bias()[1], -18);
  EXPECT_EQ(report->source.mean()[0], 0.5F);
  EXPECT_EQ(report->source.mean()[1], 3);
  EXPECT_EQ(report->source.class_names()[1], "high");
}

TEST(FitSource, HoldsOutAFifthOfTheRowsForTheCard) {
  const auto data = clouds(3, 4, 60, 2);
  const auto report = fit_source(data, {.seed = 5});
  const auto same = fit_source(data, {.seed = 5});
  const auto other = fit_source(data, {.seed = 6});
  ASSERT_TRUE(report && same && other);
  EXPECT_EQ(report->held_out, 36);
  EXPECT_NEAR(*report->source.card().accuracy, report->training_accuracy, 0.2);
  EXPECT_EQ(report->source.card(), same->source.card());
  EXPECT_EQ(report->source.weight(), same->source.weight());
  EXPECT_NE(report->source.weight(), other->source.weight());
}

TEST(FitSource, FitsTheHeadToTheOtherRowsOnly) {
  // One row of each class is far away: the class means show whether it was held out.
  Matrix features(20, 2);
  std::vector<std::int64_t> labels;
  for (Index n = 0; n < 20; ++n) {
    labels.push_back(n % 2);
    features(n, n % 2) = n < 2 ? 1000.0F : 1.0F;
  }
  auto stream = FeatureStream::from(std::move(features));
  stream.labels = labels;
  for (const std::uint64_t seed : {0, 1, 2, 3, 4, 5, 6, 7}) {
    const auto report = fit_source(stream, {.kind = FitKind::kClassMeans, .seed = seed});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->held_out, 4);
    for (Index k = 0; k < 2; ++k)
      EXPECT_NE(report->source.weight()(k, k) > 2, report->source.card().means(k, k) > 2) << seed;
  }
}

TEST(FitSource, HasNoCardOfTooFewRows) {
  const auto nine = fit_source(clouds(3, 4, 3, 12));
  ASSERT_TRUE(nine);
  EXPECT_EQ(nine->held_out, 0);
  EXPECT_TRUE(nine->source.card().is_empty());
  auto rare = clouds(2, 3, 5, 12);  // the only row of class 1 must not be held out
  std::ranges::fill(rare.labels, 0);
  rare.labels[3] = 1;
  for (const std::uint64_t seed : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    const auto report = fit_source(rare, {.seed = seed});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->source.card().is_empty(), report->held_out == 0);
  }
  const auto all = fit_source(clouds(3, 4, 60, 2), {.card = false});
  EXPECT_TRUE(all && all->held_out == 0 && all->source.card().is_empty());
}

TEST(FitSource, RefusesLabelsThatMakeNoClassifier) {
  auto data = clouds(3, 4, 5, 1);
  data.name = "faces.npz";
  auto none = data, negative = data, gap = data, one = data;
  none.labels.clear();
  EXPECT_EQ(fit_error(none), "faces.npz: has no labels, fit requires one for every row");
  negative.labels[7] = -3;
  EXPECT_EQ(fit_error(negative), "faces.npz: labels row 7 is -3, must be from 0 to 999999");
  for (auto& label : gap.labels) label = label == 1 ? 2 : label;
  EXPECT_EQ(fit_error(gap), "faces.npz: no row is labelled 1, every class from 0 to 2 must have one");
  one.labels.assign(one.labels.size(), 0);
  EXPECT_EQ(fit_error(one), "faces.npz: labels hold 1 class, must hold at least 2");
}

TEST(FitSource, RefusesAValueThatIsNotFiniteAndNamesItsPlace) {
  auto data = clouds(2, 3, 5, 1);
  Matrix features(10, 3);
  features(4, 2) = std::numeric_limits<float>::quiet_NaN();
  auto broken = FeatureStream::from(std::move(features));
  broken.labels = data.labels;
  EXPECT_NE(fit_error(broken).find("features row 4 column 2 is nan"), std::string::npos);
}

TEST(FitSource, RefusesANegativePenaltyAndAWrongNumberOfNames) {
  const auto data = clouds(2, 3, 5, 1);
  EXPECT_EQ(fit_error(data, {.l2 = -1}), "fit: l2 = -1, must be a number of at least 0");
  EXPECT_NE(fit_error(data, {.classes = {"only"}}).find("classes has 1 values, must have 2"), std::string::npos);
}

TEST(FitSource, RefusesFeaturesThatTellNoClassesApart) {
  auto stream = FeatureStream::from(Matrix(4, 2));
  stream.labels = {0, 1, 0, 1};
  const auto report = fit_source(stream);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message,
            "stream: the fitted weight of class 0 is zero; its features must differ from the others'");
}

}  // namespace
}  // namespace stad
