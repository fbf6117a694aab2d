// stad-safe on real streams, through the command: never worse than the source, and better on average.
// experiments/never-worse.toml checks more; this part is checked for every build.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/command_test.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

constexpr double kTolerance = 0.3;  // points

struct RealStream {
  const char* file;
  const char* since;
};

constexpr RealStream kStreams[] = {{"data/yearbook/yearbook_features_seed0.npz", "1970"},
                                   {"data/yearbook/yearbook_features_seed1.npz", "1970"},
                                   {"data/yearbook/yearbook_features_seed2.npz", "1970"},
                                   {"data/gas/gas_features.npz", "3"}};

class NeverWorse : public CommandTest, public ::testing::WithParamInterface<const char*> {
 protected:
  double accuracy(const char* method, const RealStream& stream, const char* order) const {
    const auto report = json({"adapt", "--method", method, "--stream", shared_path(stream.file), "--since",
                              stream.since, "--sort-by-time", "--order", order, "--batch-size", GetParam()});
    return 100 * report["accuracy"]["pooled"].get<double>();
  }
};

TEST_P(NeverWorse, ThanTheSourceOnRealStreams) {
  STAD_NEEDS_SHARED("data/yearbook");
  STAD_NEEDS_SHARED("data/gas");
  double sum = 0;
  for (const char* order : {"shuffled", "sorted"})
    for (const RealStream& stream : kStreams) {
      const double gain = accuracy("stad-safe", stream, order) - accuracy("source", stream, order);
      EXPECT_GT(gain, -kTolerance) << stream.file << " " << order;
      sum += gain;
    }
  RecordProperty("mean_gain", std::to_string(sum / 8));
  EXPECT_GT(sum / 8, std::string(GetParam()) == "1" ? 4 : 5);  // a row by itself says less than a batch
}

INSTANTIATE_TEST_SUITE_P(BatchesOf, NeverWorse, ::testing::Values("1", "16", "64", "512"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace stad::testing
