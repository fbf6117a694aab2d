#include <stad/methods.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "data/source_logits.hpp"
#include "math/softmax.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

std::string complaint(std::string_view method, const SourceModel& source, const OptionValues& options = {}) {
  const auto made = make_adapter(method, source, options);
  return made ? "" : made.error().message;
}

TEST(Methods, AreListedWithTheirOptions) {
  std::vector<std::string> names;
  for (const auto& method : methods()) names.push_back(method.name);
  EXPECT_EQ(names, (std::vector<std::string>{"source", "t3a", "lame", "stad-vmf", "stad-gauss", "normalise", "prior",
                                             "stad-safe"}));
  EXPECT_EQ(methods()[3].options[0].name, "kappa_trans");
  EXPECT_EQ(methods()[3].options[0].default_value, "100");
}

TEST(Methods, UnknownOnesAreRefusedWithTheKnownOnes) {
  EXPECT_EQ(complaint("tend", random_stream(1).source()),
            "unknown method tend, must be one of source, t3a, lame, stad-vmf, stad-gauss, normalise, prior, stad-safe");
  EXPECT_EQ(complaint("tent", random_stream(1).source()),
            "tent: adapts the network itself; requires a model and images, not embeddings");
}

TEST(Methods, CentringNeedsAMean) {
  auto stream = random_stream(1);
  stream.mean.clear();
  EXPECT_EQ(complaint("stad-vmf", stream.source(), {{"center", "source"}}),
            "stad-vmf: center = source needs a feature mean, the source has none");
}

TEST(Methods, PrototypesNeedADirection) {
  auto stream = random_stream(1);
  std::fill(stream.weight.row(2).begin(), stream.weight.row(2).end(), 0.0F);
  EXPECT_EQ(complaint("stad-gauss", stream.source()), "stad-gauss: source weight row 2 is zero, must have a direction");
  EXPECT_EQ(complaint("t3a", stream.source()), "");
}

TEST(StadGauss, RefusesMoreThan1024DimensionsUnlessForced) {
  const auto stream = random_stream(1, {.classes = 2, .dimension = 1025, .batch_sizes = {1}});
  EXPECT_NE(complaint("stad-gauss", stream.source()).find("GB of memory"), std::string::npos);
  EXPECT_EQ(complaint("stad-gauss", stream.source(), {{"force", "on"}}), "");
}

TEST(StadGauss, BeginsAgainWhereAClassRanAway) {
  const auto stream = random_stream(2, {.classes = 3, .dimension = 4, .batch_sizes = std::vector<Index>(6, 20)});
  const auto adapter = *make_adapter(stream.source(), StadGaussOptions{.window = 1, .init = Init::kPrevious});
  for (const Matrix& batch : stream.batches) ASSERT_TRUE(adapter->adapt(batch));
  AdapterState lost = adapter->state();
  for (Tensor& tensor : lost.tensors)
    if (tensor.name == "start1.mean") std::get<std::vector<double>>(tensor.values).assign(4, 1e6);
  ASSERT_TRUE(adapter->restore(lost));
  // The window keeps the belief it started from until that slides out; then the class is back for good.
  EXPECT_EQ(adapter->adapt(stream.batches[0])->restarted, 0);
  lost = adapter->state();
  for (Tensor& tensor : lost.tensors)
    if (tensor.name == "oldest1.mean") std::get<std::vector<double>>(tensor.values).assign(4, 1e6);
  ASSERT_TRUE(adapter->restore(lost));
  EXPECT_EQ(adapter->adapt(stream.batches[1])->restarted, 1);
  for (const Matrix& batch : stream.batches) EXPECT_EQ(adapter->adapt(batch)->restarted, 0);
}

TEST(StadGauss, StaysFiniteOverManySmallBatches) {
  const auto stream = random_stream(2, {.classes = 3, .dimension = 4, .batch_sizes = std::vector<Index>(400, 2)});
  const auto adapter = *make_adapter(stream.source(), StadGaussOptions{.init = Init::kPrevious});
  for (const Matrix& batch : stream.batches) {
    const auto answer = adapter->adapt(batch);
    ASSERT_TRUE(answer);
    for (Index n = 0; n < batch.rows(); ++n)
      for (const float p : answer->probabilities.row(n)) ASSERT_TRUE(std::isfinite(p));
  }
}

TEST(Lame, OfABatchOfOneIsTheSourceModel) {
  const auto stream = random_stream(3, {.batch_sizes = {1, 1}});
  const auto lame = *make_adapter(stream.source(), LameOptions{});
  const auto source = *make_adapter(stream.source(), SourceOptions{});
  for (const Matrix& batch : stream.batches) {
    const auto expected = *source->adapt(batch);
    const auto found = *lame->adapt(batch);
    for (Index k = 0; k < 4; ++k) EXPECT_NEAR(found.probabilities(0, k), expected.probabilities(0, k), 1e-6);
  }
}

TEST(T3a, KeepsTheLowestEntropiesAndTheEarlierOfEquals) {
  // Two classes along the axes; features of growing certainty replace the weights' own supports.
  Matrix weight(2, 2);
  weight(0, 0) = weight(1, 1) = 1;
  const auto adapter = *make_adapter(*SourceModel::create(weight), T3aOptions{.supports = 1});
  Matrix certain(2, 2);
  certain(0, 0) = 10, certain(0, 1) = 1;  // entropy of a gap of 9
  certain(1, 0) = 11, certain(1, 1) = 2;  // the same gap, later, another direction
  ASSERT_TRUE(adapter->adapt(certain));
  EXPECT_FLOAT_EQ(adapter->prototypes()(0, 0), 10 / std::sqrt(101.0F));
  EXPECT_FLOAT_EQ(adapter->prototypes()(1, 1), 1);
}

TEST(StadVmf, PredictBeforeAnswersTheFirstBatchWithTheSourcePrototypes) {
  const auto stream = random_stream(4);
  StadVmfOptions options;
  options.predict = Predict::kBefore;
  options.init = Init::kPrevious;
  options.probabilities = VmfProbabilities::kPaper;
  const auto adapter = *make_adapter(stream.source(), options);
  const Matrix prototypes = adapter->prototypes();
  const auto answer = *adapter->adapt(stream.batches[0]);
  for (Index n = 0; n < 5; ++n) {
    const Eigen::VectorXd h = as_double(stream.batches[0]).row(n).normalized().transpose();
    Index best = 0;
    (as_double(prototypes) * h).maxCoeff(&best);
    EXPECT_EQ(answer.labels[n], best);
  }
}

}  // namespace
}  // namespace stad::testing
