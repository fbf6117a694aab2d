#include <stad/stad.h>

#include <cmath>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

const RandomStreamShape kHandleShape{.classes = 4, .dimension = 12, .batch_sizes = {9, 1, 16, 7}};

/// Frees the handles.
struct Handles {
  stad_source* source = nullptr;
  stad_adapter* adapter = nullptr;

  Handles(const RandomStream& stream, const char* method) {
    EXPECT_EQ(stad_source_create(stream.weight.data(), stream.bias.data(), stream.mean.data(), 4, 12, &source),
              STAD_OK);
    EXPECT_EQ(stad_adapter_create(source, method, nullptr, 0, &adapter), STAD_OK) << stad_last_error();
  }
  Handles(const Handles&) = delete;
  ~Handles() {
    stad_adapter_free(adapter);
    stad_source_free(source);
  }
};

stad_batch batch_of(const Matrix& rows) {
  return {.features = rows.data(),
          .rows = static_cast<std::size_t>(rows.rows()),
          .stride = 0,
          .time = nullptr,
          .ids = nullptr};
}

TEST(CApi, AnswersAsTheLibraryDoes) {
  const auto stream = random_stream(1, kHandleShape);
  for (const char* method : {"source", "t3a", "stad-vmf", "stad-safe"}) {
    const Handles c(stream, method);
    const auto adapter = *make_adapter(method, stream.source());
    for (const Matrix& rows : stream.batches) {
      std::vector<std::int64_t> labels(static_cast<std::size_t>(rows.rows()));
      Matrix probabilities(rows.rows(), 4);
      const stad_batch batch = batch_of(rows);
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
  const Handles c(stream, "stad-safe");
  const auto adapter = *make_adapter("stad-safe", stream.source());
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
  const stad_batch first = batch_of(stream.batches[0]), second = batch_of(stream.batches[2]);
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
  EXPECT_TRUE(std::isnan(health.estimated_accuracy)) << "before the first batch";
  const stad_batch batch = batch_of(stream.batches[0]);
  ASSERT_EQ(stad_adapt(c.adapter, &batch, nullptr, nullptr), STAD_OK);
  ASSERT_EQ(stad_adapter_health(c.adapter, &health), STAD_OK);
  EXPECT_LE(health.estimated_low, health.estimated_accuracy);
  EXPECT_GE(health.trust, 0);
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
  EXPECT_EQ(source, nullptr);
  says(stad_adapter_create(c.source, "magic", nullptr, 0, &adapter), "magic");
  const stad_option option{"kappa", "1"};
  says(stad_adapter_create(c.source, "stad-vmf", &option, 1, &adapter), "unknown option kappa");
  EXPECT_EQ(adapter, nullptr);
  says(stad_adapt(nullptr, nullptr, nullptr, nullptr), "adapter is NULL");
  says(stad_adapt(c.adapter, nullptr, nullptr, nullptr), "batch is NULL");
  stad_batch batch = batch_of(stream.batches[0]);
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
