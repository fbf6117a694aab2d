// What every method promises, whatever it computes.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <Eigen/QR>

#include <stad/methods.hpp>
#include <stad/threads.hpp>

#include "support/method_cases.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

class Contract : public ::testing::TestWithParam<MethodCase> {
 protected:
  AdapterPointer adapter(const RandomStream& stream) const {
    auto made = make_adapter(GetParam().method, stream.source(), GetParam().options);
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }
};

bool same(const Predictions& a, const Predictions& b) {
  return a.labels == b.labels && a.probabilities == b.probabilities;
}

const RandomStreamShape kShape{.classes = 4, .dimension = 12, .batch_sizes = {9, 1, 16, 7, 2, 30, 5, 5}};

TEST_P(Contract, AnswersAreProbabilitiesAndTheLabelIsTheLargest) {
  const auto stream = random_stream(1, kShape);
  const auto method = adapter(stream);
  for (const Matrix& batch : stream.batches) {
    const auto answer = *method->adapt(batch);
    ASSERT_EQ(answer.probabilities.rows(), batch.rows());
    for (Index n = 0; n < batch.rows(); ++n) {
      const auto row = answer.probabilities.row(n);
      double sum = 0;
      for (const float p : row) {
        EXPECT_TRUE(p >= 0 && p <= 1) << p;
        sum += p;
      }
      EXPECT_NEAR(sum, 1, 1e-5);
      EXPECT_EQ(answer.labels[n], std::max_element(row.begin(), row.end()) - row.begin());
    }
  }
}

TEST_P(Contract, TheSameInputGivesTheSameBitsWhateverTheThreads) {
  // Large enough that the work is shared out; stad-gauss shares out classes, whatever their size.
  RandomStreamShape shape{.classes = 70, .dimension = 96, .batch_sizes = {200, 33, 200}};
  if (GetParam().method == "stad-gauss") shape.classes = 12, shape.dimension = 16;
  const auto stream = random_stream(2, shape);
  const auto alone = adapter(stream);
  std::vector<Predictions> expected;
  for (const Matrix& batch : stream.batches) expected.push_back(*alone->adapt(batch));
  for (const int count : {2, 3}) {
    set_threads(count);
    const auto threaded = adapter(stream);
    for (std::size_t t = 0; t < stream.batches.size(); ++t)
      EXPECT_TRUE(same(*threaded->adapt(stream.batches[t]), expected[t])) << count << " threads, batch " << t;
  }
  set_threads(1);
}

TEST_P(Contract, TheSameRowsGiveTheSameBitsWhereverTheyLie) {
  const auto stream = random_stream(3, kShape);
  const auto tight = adapter(stream);
  const auto strided = adapter(stream);
  for (const Matrix& batch : stream.batches) {
    std::vector<float> moved(static_cast<std::size_t>(batch.rows() * 17 + 3));
    for (Index n = 0; n < batch.rows(); ++n) std::copy(batch.row(n).begin(), batch.row(n).end(), &moved[n * 17 + 3]);
    EXPECT_TRUE(
        same(*strided->adapt(MatrixView(moved.data() + 3, batch.rows(), batch.cols(), 17)), *tight->adapt(batch)));
  }
}

TEST_P(Contract, RestoreContinuesBitForBit) {
  const auto stream = random_stream(4, kShape);
  for (std::size_t pause = 0; pause < stream.batches.size(); ++pause) {
    const auto whole = adapter(stream);
    for (std::size_t t = 0; t < pause; ++t) ASSERT_TRUE(whole->adapt(stream.batches[t]));
    const AdapterState saved = whole->state();
    const auto resumed = adapter(stream);
    ASSERT_TRUE(resumed->restore(saved));
    EXPECT_EQ(resumed->state(), saved);
    for (std::size_t t = pause; t < stream.batches.size(); ++t)
      ASSERT_TRUE(same(*resumed->adapt(stream.batches[t]), *whole->adapt(stream.batches[t]))) << pause << " " << t;
    EXPECT_EQ(resumed->prototypes(), whole->prototypes());
  }
}

TEST_P(Contract, TimesInAnyUnitCanBeSavedAndRestored) {
  const auto stream = random_stream(15, kShape);
  // Micro- and nanoseconds since 1970, and the ends of what is allowed.
  for (const double start : {1.8e15, 1.8e18, 1e290, -1e290}) {
    const auto whole = adapter(stream);
    for (const double time : {-start, start / 2, start})
      ASSERT_TRUE(whole->adapt(Batch(stream.batches[0].view(), time))) << time;
    const auto resumed = adapter(stream);
    const auto restored = resumed->restore(whole->state());
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(resumed->state(), whole->state());
    const Batch next(stream.batches[1].view(), start);
    EXPECT_TRUE(same(*resumed->adapt(next), *whole->adapt(next))) << start;
  }
}

TEST_P(Contract, ATimeThatIsNoneIsRefusedAndNothingIsLearned) {
  const auto stream = random_stream(16, kShape);
  const auto method = adapter(stream);
  ASSERT_TRUE(method->adapt(Batch(stream.batches[0].view(), 1)));
  const AdapterState before = method->state();
  using Limits = std::numeric_limits<double>;
  for (const double bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 2e290}) {
    const auto answer = method->adapt(Batch(stream.batches[2].view(), bad));
    ASSERT_FALSE(answer) << bad;
    EXPECT_NE(answer.error().message.find("must be finite and at most 1e290 in magnitude"), std::string::npos);
  }
  EXPECT_EQ(method->adapt(Batch(stream.batches[2].view(), Limits::infinity())).error().message,
            "batch: time is inf, must be finite and at most 1e290 in magnitude");
  EXPECT_EQ(method->state(), before);
}

TEST_P(Contract, PredictingLearnsNothingAndAnswersAsTheMethodStands) {
  const auto stream = random_stream(14, kShape);
  const auto method = adapter(stream);
  for (const Matrix& batch : stream.batches) {
    const AdapterState before = method->state();
    const auto asked = *method->predict(batch);
    EXPECT_EQ(method->state(), before);
    const auto adapted = *method->adapt(batch);
    // What predict = before serves is the answer from before the batch; the others answer like predict afterwards,
    // but for stad-safe where chains answer, to which the same rows once more are the next ones in a row.
    if (method->guard() && method->guard()->chains) continue;
    EXPECT_TRUE(same(adapted, GetParam().name == "VmfBefore" ? asked : *method->predict(batch)));
  }
  EXPECT_FALSE(method->predict(Matrix(0, 12)));
}

TEST_P(Contract, ReportsThePredictionsOfTheSourceWithoutAnInfluenceOnItsOwn) {
  const auto stream = random_stream(18, kShape);
  const auto source = *make_adapter("source", stream.source(), {});
  const auto silent = adapter(stream);
  const auto reporting = adapter(stream);
  reporting->report_source(true);
  Predictions answer;
  for (const Matrix& batch : stream.batches) {
    const auto expected = *source->predict(batch);
    ASSERT_TRUE(reporting->adapt(batch, answer));
    EXPECT_TRUE(same(answer, *silent->adapt(batch)));
    EXPECT_EQ(answer.source_labels, expected.labels);
    EXPECT_EQ(answer.source_probabilities, expected.probabilities);
    EXPECT_EQ(answer.health.compared, batch.rows());
    ASSERT_TRUE(reporting->predict(batch, answer));
    EXPECT_EQ(answer.source_probabilities, expected.probabilities);
  }
  reporting->report_source(false);
  ASSERT_TRUE(reporting->adapt(stream.batches[0], answer));
  EXPECT_TRUE(answer.source_labels.empty());
}

TEST_P(Contract, ABadBatchIsRefusedAndChangesNothing) {
  const auto stream = random_stream(5, kShape);
  const auto method = adapter(stream);
  ASSERT_TRUE(method->adapt(stream.batches[0]));
  const AdapterState before = method->state();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 2e15F}) {
    Matrix batch = stream.batches[2];
    batch(11, 3) = bad;
    const auto answer = method->adapt(batch);
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().message.find("row 11 column 3"), std::string::npos) << answer.error().message;
  }
  EXPECT_FALSE(method->adapt(Matrix(3, 11)));
  EXPECT_FALSE(method->adapt(Matrix(0, 12)));
  EXPECT_EQ(method->state(), before);
}

TEST_P(Contract, AStateOfAnotherMethodHeadOrOptionIsRefused) {
  const auto stream = random_stream(6, kShape);
  const auto method = adapter(stream);
  ASSERT_TRUE(method->adapt(stream.batches[0]));
  const AdapterState good = method->state();
  const auto refuses = [&](auto change) {
    AdapterState bad = good;
    change(bad);
    return !method->restore(bad);
  };
  EXPECT_TRUE(refuses([](auto& s) { s.method = "other"; }));
  EXPECT_TRUE(refuses([](auto& s) { s.classes += 1; }));
  EXPECT_TRUE(refuses([](auto& s) { s.dimension += 1; }));
  EXPECT_TRUE(refuses([](auto& s) { s.source_fingerprint += 1; }));
  EXPECT_TRUE(refuses([](auto& s) { s.options.push_back({"more", "1", true}); }));
  for (std::size_t i = 0; i < good.tensors.size(); ++i) {
    EXPECT_TRUE(refuses([&](auto& s) { s.tensors[i].name += "x"; })) << good.tensors[i].name;
    EXPECT_TRUE(refuses([&](auto& s) { s.tensors[i].shape.push_back(2); })) << good.tensors[i].name;
    const auto* values = std::get_if<std::vector<double>>(&good.tensors[i].values);
    if (!values || values->empty()) continue;
    EXPECT_TRUE(refuses([&](auto& s) { std::get<1>(s.tensors[i].values)[0] = std::nan(""); }));
  }
  EXPECT_EQ(method->state(), good);
}

TEST_P(Contract, WhateverStateIsAcceptedTheAnswersStayFinite) {
  const auto stream = random_stream(11, kShape);
  const auto honest = adapter(stream);
  for (const Matrix& batch : stream.batches) ASSERT_TRUE(honest->adapt(batch));
  const AdapterState good = honest->state();
  Random random(12);
  constexpr double kOdd[] = {0, -1, 1e-300, 1e15, -1e15, 0.5};
  for (int trial = 0; trial < 200 && !good.tensors.empty(); ++trial) {
    AdapterState bad = good;
    auto& tensor = bad.tensors[random.below(bad.tensors.size())];
    std::visit(
        [&](auto& values) {
          const double share = random.uniform() < 0.3 ? 1 : 0.3;  // now and then the whole tensor
          const double odd = kOdd[random.below(6)];
          for (auto& value : values)
            if (share == 1)
              value = static_cast<std::decay_t<decltype(value)>>(odd);
            else if (random.uniform() < share)
              value = static_cast<std::decay_t<decltype(value)>>(kOdd[random.below(6)]);
        },
        tensor.values);
    const auto victim = adapter(stream);
    if (!victim->restore(bad)) continue;
    for (std::size_t t = 0; t < 3; ++t) {
      const auto answer = victim->adapt(stream.batches[t]);
      ASSERT_TRUE(answer);
      for (Index n = 0; n < stream.batches[t].rows(); ++n)
        for (const float p : answer->probabilities.row(n)) ASSERT_TRUE(std::isfinite(p)) << tensor.name;
    }
  }
}

/// Methods that apply the head to the features as they are, whether they have a direction or not.
bool ignores_directions(const std::string& method) {
  return method == "source" || method == "normalise" || method == "prior" || method == "stad-safe";
}

TEST_P(Contract, RowsWithoutDirectionAreCountedAndTeachNothing) {
  if (ignores_directions(GetParam().method)) GTEST_SKIP() << "directions do not matter to " << GetParam().method;
  const auto stream = random_stream(7, kShape);
  const bool centred = std::find(GetParam().options.begin(), GetParam().options.end(),
                                 std::pair<std::string, std::string>("center", "source")) != GetParam().options.end();
  Matrix batch = stream.batches[2];
  std::vector<float> nowhere = centred ? stream.mean : std::vector<float>(12, 0.0F);
  Matrix with_zero(batch.rows() + 1, batch.cols());
  for (Index n = 0; n < batch.rows(); ++n)
    std::copy(batch.row(n).begin(), batch.row(n).end(), with_zero.row(n < 5 ? n : n + 1).begin());
  std::copy(nowhere.begin(), nowhere.end(), with_zero.row(5).begin());

  const auto without = adapter(stream);
  const auto with = adapter(stream);
  const auto expected = *without->adapt(batch);
  const auto found = *with->adapt(with_zero);
  EXPECT_EQ(found.undirected, 1);
  EXPECT_EQ(with->state(), without->state());
  for (Index n = 0; n < batch.rows(); ++n)
    for (Index k = 0; k < 4; ++k)
      EXPECT_NEAR(found.probabilities(n < 5 ? n : n + 1, k), expected.probabilities(n, k), 1e-6);
  for (Index k = 0; k < 4; ++k) EXPECT_FLOAT_EQ(found.probabilities(5, k), 0.25F);
}

TEST_P(Contract, ABatchOfUndirectedRowsIsAnswered) {
  const auto stream = random_stream(8, kShape);
  const auto method = adapter(stream);
  Matrix zeros(3, 12);
  std::fill(zeros.data(), zeros.data() + zeros.size(), 0.0F);
  for (int i = 0; i < 3; ++i) {
    const auto answer = *method->adapt(zeros);
    for (Index n = 0; n < 3; ++n)
      for (const float p : answer.probabilities.row(n)) EXPECT_TRUE(std::isfinite(p));
  }
  EXPECT_TRUE(method->adapt(stream.batches[0]));
}

TEST_P(Contract, RelabellingTheClassesRelabelsTheAnswers) {
  const auto stream = random_stream(9, kShape);
  RandomStream turned = stream;
  const auto place = [](Index k) { return (k + 1) % 4; };
  for (Index k = 0; k < 4; ++k) {
    std::copy(stream.weight.row(k).begin(), stream.weight.row(k).end(), turned.weight.row(place(k)).begin());
    turned.bias[place(k)] = stream.bias[k];
  }
  const auto one = adapter(stream);
  const auto other = adapter(turned);
  for (const Matrix& batch : stream.batches) {
    const auto expected = *one->adapt(batch);
    const auto found = *other->adapt(batch);
    for (Index n = 0; n < batch.rows(); ++n)
      for (Index k = 0; k < 4; ++k)
        EXPECT_NEAR(found.probabilities(n, place(k)), expected.probabilities(n, k), 2e-4);  // learned kappas amplify
  }
}

TEST_P(Contract, RotatingTheSpaceChangesNothing) {
  const auto stream = random_stream(10, kShape);
  std::srand(5);
  const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(Eigen::MatrixXd::Random(12, 12)).householderQ();
  const auto rotated = [&](const Matrix& rows) {
    Matrix result(rows.rows(), rows.cols());
    as_eigen(result) = (as_double(rows) * q).cast<float>();
    return result;
  };
  RandomStream turned = stream;
  turned.weight = rotated(stream.weight);
  Matrix mean(1, 12);
  std::copy(stream.mean.begin(), stream.mean.end(), mean.data());
  mean = rotated(mean);
  turned.mean.assign(mean.data(), mean.data() + 12);
  const auto one = adapter(stream);
  const auto other = adapter(turned);
  for (const Matrix& batch : stream.batches) {
    const auto expected = *one->adapt(batch);
    const auto found = *other->adapt(rotated(batch));
    for (Index n = 0; n < batch.rows(); ++n)
      for (Index k = 0; k < 4; ++k) EXPECT_NEAR(found.probabilities(n, k), expected.probabilities(n, k), 1e-3);
  }
}

TEST_P(Contract, AStateFromBeforeAnOptionExistedIsOneMadeWithItsDefault) {
  const auto stream = random_stream(13, kShape);
  const auto method = adapter(stream);
  AdapterState old = method->state();
  for (std::size_t i = 0; i < old.options.size(); ++i) {
    AdapterState older = old;
    older.options.erase(older.options.begin() + static_cast<Index>(i));
    bool is_default = false;
    for (const auto& info : methods())
      for (const auto& option : info.options)
        is_default |= info.name == old.method && option.name == old.options[i].name &&
                      option.default_value == old.options[i].value;
    EXPECT_EQ(method->restore(older).ok(), is_default) << old.options[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Contract, ::testing::ValuesIn(method_cases()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace stad::testing
