// stad-safe without labels on whole recorded streams. experiments/safety.toml compares more methods on more streams;
// this part is checked for every build.

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include <stad/eval/pipeline.hpp>
#include <stad/files.hpp>
#include <stad/methods.hpp>

#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

struct Recording {
  std::string name;
  SourceModel source;
  FeatureStream stream;
};

std::vector<Recording> read_recordings(const char* folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(shared_path(folder)))
    if (entry.path().extension() == ".npz") files.push_back(entry.path().string());
  std::ranges::sort(files);
  std::vector<Recording> recordings;
  for (const std::string& file : files)
    recordings.push_back({std::filesystem::path(file).stem(), *read_source(file), *read_stream(file)});
  return recordings;
}

double accuracy(const char* method, const SourceModel& source, const FeatureStream& stream,
                const BatchSettings& settings) {
  const auto adapter = *make_adapter(method, source);
  adapter->watch(HealthLevel::kNone);
  return 100 * run(*adapter, stream, settings)->evaluation->pooled;
}

/// Gains over the source in points, by order.
struct Gains {
  std::vector<double> natural, shuffled, sorted;

  std::vector<double> all() const {
    std::vector<double> gains = natural;
    gains.insert(gains.end(), shuffled.begin(), shuffled.end());
    gains.insert(gains.end(), sorted.begin(), sorted.end());
    return gains;
  }
};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Gains gains_on(const std::vector<Recording>& recordings, Index batch_size, bool with_card) {
  Gains gains;
  for (const auto& [name, carded, stream] : recordings) {
    const SourceModel source = with_card ? carded : *carded.with_card(SourceCard{});
    const auto gain = [&](Order order) {
      const BatchSettings settings{.batch_size = batch_size, .order = order};
      return accuracy("stad-safe", source, stream, settings) - accuracy("source", source, stream, settings);
    };
    gains.natural.push_back(gain(Order::kAsIs));
    gains.shuffled.push_back(gain(Order::kShuffled));
    gains.sorted.push_back(gain(Order::kSorted));
  }
  return gains;
}

void expect_harmless(const Gains& gains) {
  constexpr double kHarm = -0.3;
  constexpr double kWorst = -1.6;
  const auto all = gains.all();
  const auto harmed = std::ranges::count_if(all, [](double gain) { return gain < kHarm; });
  EXPECT_LE(static_cast<double>(harmed), 0.025 * static_cast<double>(all.size()));
  EXPECT_GT(std::ranges::min(all), kWorst);
  EXPECT_EQ(std::ranges::max(gains.shuffled), 0) << "no order, no persistence";
  EXPECT_EQ(std::ranges::min(gains.shuffled), 0);
}

class Safety : public ::testing::TestWithParam<Index> {};

TEST_P(Safety, GainsWhereClassesAreSortedAndHarmsNowhereElse) {
  STAD_NEEDS_SHARED("data/corpus");
  const auto corpus = read_recordings("data/corpus");
  ASSERT_GE(corpus.size(), 32U);
  const Gains gains = gains_on(corpus, GetParam(), true);
  expect_harmless(gains);
  EXPECT_GT(mean(gains.all()), 0.26);
  EXPECT_GT(mean(gains.sorted), 0.79);
  RecordProperty("mean_gain", std::to_string(mean(gains.all())));
  RecordProperty("least_gain", std::to_string(std::ranges::min(gains.all())));
}

TEST_P(Safety, HarmsNowhereWithoutACard) {
  STAD_NEEDS_SHARED("data/corpus");
  expect_harmless(gains_on(read_recordings("data/corpus"), GetParam(), false));
}

TEST_P(Safety, HarmsNowhereOnOtherDomains) {
  STAD_NEEDS_SHARED("data/pacs");
  expect_harmless(gains_on(read_recordings("data/pacs"), GetParam(), true));
}

INSTANTIATE_TEST_SUITE_P(BatchesOf, Safety, ::testing::Values(1, 16, 64, 256),
                         [](const auto& param) { return std::to_string(param.param); });

}  // namespace
}  // namespace stad::testing
