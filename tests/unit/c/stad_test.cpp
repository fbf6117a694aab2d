#include <stad/stad.h>

#include <cmath>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "handles.hpp"

namespace stad::testing {
namespace {

const RandomStreamShape kHandleShape{.classes = 4, .dimension = 12, .batch_sizes = {9, 1, 16, 7}};

TEST(CApi, AnswersAsTheLibraryDoes) {
  const auto stream = random_stream(1, kHandleShape);
  for (const char* method : {"source", "t3a", "stad-vmf", "stad-safe"}) {
    const Handles c(stream, method);
    const auto adapter = *make_adapter(method, stream.source());
    for (const Matrix& rows : stream.batches) {
      std::vector<std::int64_t> labels(static_cast<std::size_t>(rows.rows()));
      Matrix probabilities(rows.rows(), 4);
      const stad_batch batch = c_batch(rows);
      ASSERT_EQ(stad_adapt(c.adapter, &batch, labels.data(), probabilities.data()), STAD_OK) << stad_last_error();
      const auto expected = *adapter->adapt(rows);
      EXPECT_EQ(labels, expected.labels);
      EXPECT_EQ(probabilities, expected.probabilities);
      ASSERT_EQ(stad_predict(c.adapter, &batch, nullptr, probabilities.data()), STAD_OK);
      EXPECT_EQ(probabilities, adapter->predict(rows)->probabilities);
    }
  }
}

TEST(CApi, ReadsRowsAtADistanceWithTimesAndIds) {
  const auto stream = random_stream(2, kHandleShape);
  const Handles c(stream, "stad-vmf");
  const auto adapter = *make_adapter("stad-vmf", stream.source());
  std::vector<float> wide(9 * 20);
  for (Index n = 0; n < 9; ++n) std::copy_n(stream.batches[0].row(n).begin(), 12, &wide[n * 20]);
  std::vector<std::int64_t> ids{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const double time = 3;
  const stad_batch batch{.features = wide.data(), .rows = 9, .stride = 20, .time = &time, .ids = ids.data()};
  Matrix probabilities(9, 4);
  ASSERT_EQ(stad_adapt(c.adapter, &batch, nullptr, probabilities.data()), STAD_OK);
  Batch same(stream.batches[0].view(), time);
  same.ids = ids;
  EXPECT_EQ(probabilities, adapter->adapt(same)->probabilities);
  std::size_t used = 0;
  const std::int64_t later[] = {2, 99}, labels[] = {1, 0};
  ASSERT_EQ(stad_observe(c.adapter, later, labels, 2, &used), STAD_OK);
  EXPECT_EQ(used, 1U);
}

TEST(CApi, ContinuesFromAState) {
  const auto stream = random_stream(3, kHandleShape);
  const Handles whole(stream, "stad-safe");
  const Handles restored(stream, "stad-safe");
  const stad_batch first = c_batch(stream.batches[0]), second = c_batch(stream.batches[2]);
  ASSERT_EQ(stad_adapt(whole.adapter, &first, nullptr, nullptr), STAD_OK);
  void* bytes = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(stad_adapter_state(whole.adapter, &bytes, &size), STAD_OK);
  ASSERT_EQ(stad_adapter_restore(restored.adapter, bytes, size), STAD_OK) << stad_last_error();
  EXPECT_EQ(stad_adapter_restore(restored.adapter, bytes, size - 1), STAD_INVALID);
  stad_bytes_free(bytes);
  Matrix a(16, 4), b(16, 4);
  ASSERT_EQ(stad_adapt(whole.adapter, &second, nullptr, a.data()), STAD_OK);
  ASSERT_EQ(stad_adapt(restored.adapter, &second, nullptr, b.data()), STAD_OK);
  EXPECT_EQ(a, b);
}

TEST(CApi, TellsItsHealth) {
  const auto stream = random_stream(4, kHandleShape);
  const Handles c(stream, "stad-safe");
  stad_health health;
  ASSERT_EQ(stad_adapter_health(c.adapter, &health), STAD_OK);
  EXPECT_TRUE(std::isnan(health.confidence)) << "before the first batch";
  EXPECT_EQ(health.chains, -1);
  const stad_batch batch = c_batch(stream.batches[0]);
  ASSERT_EQ(stad_adapt(c.adapter, &batch, nullptr, nullptr), STAD_OK);
  ASSERT_EQ(stad_adapter_health(c.adapter, &health), STAD_OK);
  EXPECT_GT(health.confidence, 0);
  EXPECT_EQ(health.flip_rate, 0) << "too few rows: the source answers";
  EXPECT_EQ(health.chains, 0);
  EXPECT_TRUE(std::isfinite(health.zeta) && std::isfinite(health.excess) && std::isfinite(health.autocorrelation));
  EXPECT_EQ(health.warning, -1) << "without a card";
}

TEST(CApi, WarnsWithACard) {
  const auto stream = random_stream(4, {.classes = 4, .dimension = 12, .batch_sizes = {16, 300}});
  const Handles c(stream, "source");
  stad_source* carded = nullptr;
  stad_adapter* adapter = nullptr;
  const std::vector<std::int64_t> labels(stream.labels[0].begin(), stream.labels[0].end());
  ASSERT_EQ(stad_source_with_card(c.source, stream.batches[0].data(), 16, labels.data(), &carded), STAD_OK)
      << stad_last_error();
  EXPECT_EQ(stad_source_classes(carded), 4U);
  ASSERT_EQ(stad_adapter_create(carded, "stad-safe", nullptr, 0, &adapter), STAD_OK);
  const auto expected = *make_adapter("stad-safe", *stream.source().with_card(stream.batches[0], labels));
  Matrix probabilities(300, 4);
  const stad_batch batch = c_batch(stream.batches[1]);
  ASSERT_EQ(stad_adapt(adapter, &batch, nullptr, probabilities.data()), STAD_OK);
  const auto answer = *expected->adapt(stream.batches[1]);
  EXPECT_EQ(probabilities, answer.probabilities);
  stad_health health;
  ASSERT_EQ(stad_adapter_health(adapter, &health), STAD_OK);
  EXPECT_EQ(health.warning, static_cast<int>(answer.health.warning.value()));
  stad_adapter_free(adapter);
  stad_source_free(carded);
}

TEST(CApi, SaysWhatIsWrong) {
  const auto stream = random_stream(5, kHandleShape);
  const Handles c(stream, "t3a");
  const auto says = [](stad_status status, const char* reason) {
    EXPECT_EQ(status, STAD_INVALID);
    EXPECT_NE(std::string(stad_last_error()).find(reason), std::string::npos) << stad_last_error();
  };
  stad_source* source = nullptr;
  stad_adapter* adapter = nullptr;
  says(stad_source_create(nullptr, nullptr, nullptr, 4, 12, &source), "weight is NULL");
  says(stad_source_create(stream.weight.data(), nullptr, nullptr, 1, 12, &source), "1");
  says(stad_source_create(stream.weight.data(), nullptr, nullptr, SIZE_MAX / 2, 12, &source), "too many");
  says(stad_source_read("absent.npz", &source), "absent.npz");
  const std::int64_t classes[] = {0, 4};
  says(stad_source_with_card(c.source, stream.batches[0].data(), 2, classes, &source), "label 1 is 4");
  says(stad_source_with_card(c.source, stream.batches[0].data(), 1, classes, &source), "at least 2");
  says(stad_source_with_card(c.source, nullptr, 2, classes, &source), "features is NULL");
  EXPECT_EQ(source, nullptr);
  says(stad_adapter_create(c.source, "magic", nullptr, 0, &adapter), "magic");
  const stad_option option{"kappa", "1"};
  says(stad_adapter_create(c.source, "stad-vmf", &option, 1, &adapter), "unknown option kappa");
  EXPECT_EQ(adapter, nullptr);
  says(stad_adapt(nullptr, nullptr, nullptr, nullptr), "adapter is NULL");
  says(stad_adapt(c.adapter, nullptr, nullptr, nullptr), "batch is NULL");
  stad_batch batch = c_batch(stream.batches[0]);
  batch.stride = 3;
  says(stad_adapt(c.adapter, &batch, nullptr, nullptr), "stride is 3");
  batch.stride = 0;
  batch.rows = 0;
  says(stad_adapt(c.adapter, &batch, nullptr, nullptr), "no rows");
  batch.rows = SIZE_MAX;
  says(stad_adapt(c.adapter, &batch, nullptr, nullptr), "too many");
  const std::int64_t id = 1;
  says(stad_observe(c.adapter, &id, &id, 1, nullptr), "takes no labels");
  says(stad_adapter_restore(c.adapter, "junk", 4), "state");
}

TEST(CApi, SaysThatMemoryHasRunOut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers end a program that asks for so much";
#endif
  const float weight = 1;
  stad_source* source = nullptr;
  EXPECT_EQ(stad_source_create(&weight, nullptr, nullptr, std::size_t{1} << 40, 1 << 16, &source), STAD_FAILED);
  EXPECT_STREQ(stad_last_error(), "out of memory");
  EXPECT_EQ(source, nullptr);
}

TEST(CApi, KeepsErrorsOfThreadsApart) {
  stad_source* source = nullptr;
  stad_source_read("one.npz", &source);
  std::thread([&] { stad_source_read("two.npz", &source); }).join();
  EXPECT_NE(std::string(stad_last_error()).find("one.npz"), std::string::npos);
}

}  // namespace
}  // namespace stad::testing
