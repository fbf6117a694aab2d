// The same portraits as images, through the networks: the claims of the paper about methods that adapt the feature
// extractor. Pooled accuracy in percent.

#include <cmath>
#include <string>
#include <vector>

#include "cli/command_test.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

class YearbookImages : public CommandTest {
 protected:
  void SetUp() override {
    STAD_NEEDS_SHARED("data/yearbook");
    STAD_NEEDS_TORCH();
  }

  static std::string file(const std::string& kind, int network, const std::string& ending) {
    return shared_path("data/yearbook/yearbook_" + kind + "_seed" + std::to_string(network) + ending);
  }

  double accuracy(std::vector<std::string> arguments, const std::vector<std::string>& order) const {
    arguments.insert(arguments.begin(), "adapt");
    arguments.insert(arguments.end(), {"--since", "1970", "--sort-by-time", "--threads", "1"});
    arguments.insert(arguments.end(), order.begin(), order.end());
    return 100 * json(arguments)["accuracy"]["pooled"].get<double>();
  }

  double from_images(const std::string& method, int network, const std::vector<std::string>& order) const {
    return accuracy({"--method", method, "--model", file("cnn", network, ".pt"), "--images",
                     shared_path("data/yearbook/yearbook32.npz")},
                    order);
  }

  const std::vector<std::string> mixed{"--batch-size", "2048", "--order", "shuffled"};
  const std::vector<std::string> sorted{"--batch-size", "64", "--order", "sorted"};
};

TEST_F(YearbookImages, BnIsAboveTheSourceOnMixedClassesAndBelowItOnSortedOnes) {
  double mean = 0;
  for (int network = 0; network < 3; ++network) mean += from_images("bn", network, mixed) / 3;
  EXPECT_NEAR(mean, 85.7, 0.5);  // the source: 81.99
  EXPECT_NEAR(from_images("bn", 0, sorted), 71.6, 1.5);
}

TEST_F(YearbookImages, TentAndShotAreNearBnOnMixedClasses) {
  const double bn = from_images("bn", 0, mixed);
  EXPECT_NEAR(from_images("tent", 0, mixed), bn, 1);
  EXPECT_NEAR(from_images("shot", 0, mixed), bn, 2);
}

TEST_F(YearbookImages, StadFromImagesIsStadFromFeatures) {
  for (int network = 0; network < 3; ++network)
    EXPECT_NEAR(from_images("stad-vmf", network, mixed),
                accuracy({"--method", "stad-vmf", "--stream", file("features", network, ".npz")}, mixed), 0.1);
}

}  // namespace
}  // namespace stad::testing
