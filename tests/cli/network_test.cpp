// Networks from the shell: train one on made-up images, then run, adapt and extract with it.

#include <random>

#include <stad/files.hpp>

#include "cli/command_test.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

/// 4 time steps of 30 grey squares, the second class brighter, and darker with time.
ImageStream squares() {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> noise(0, 0.4F);
  Matrix pixels(120, 256);
  ImageStream images{{1, 16, 16}, {}};
  std::vector<std::int64_t> labels;
  std::vector<double> time;
  for (Index i = 0; i < pixels.rows(); ++i) {
    labels.push_back(i % 2);
    time.push_back(static_cast<double>(i / 30));
    const float level = 0.5F * static_cast<float>(i % 2) + 0.03F * static_cast<float>(i / 30);
    for (float& value : pixels.row(i)) value = std::min(1.0F, noise(random) + level);
  }
  images.pixels = FeatureStream::from(std::move(pixels));
  images.pixels.labels = labels;
  images.pixels.time = time;
  return images;
}

class Networks : public CommandTest {
 protected:
  void SetUp() override {
    STAD_NEEDS_TORCH();
    ASSERT_TRUE(write_images(directory.file("images.npz"), squares()));
    trained = json({"train", "--images", "images.npz", "--until", "1", "--out", "net.pt", "--features", "features.npz",
                    "--epochs", "3", "--batch-size", "10", "--threads", "1"});
  }

  nlohmann::json adapt(const std::string& method, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"adapt", "--method", method, "--model", "net.pt", "--images", "images.npz"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json(arguments);
  }

  nlohmann::json trained;
};

TEST_F(Networks, TrainingTellsEveryEpochAndWritesTheNetworkAndItsFeatures) {
  EXPECT_EQ(trained["epochs"].size(), 3U);
  EXPECT_EQ(trained["images"], 60);
  const auto features = *read_stream(directory.file("features.npz"));
  EXPECT_EQ(features.features.rows, 120);
  EXPECT_EQ(features.features.cols, 32);
  EXPECT_TRUE(read_source(directory.file("features.npz"))->has_mean());
}

TEST_F(Networks, EveryMethodRunsFromImages) {
  for (const char* method : {"source", "t3a", "lame", "stad-vmf", "stad-gauss", "bn", "tent", "shot", "sar", "rotta",
                             "cmf", "stad-vmf+bn", "stad-gauss+bn"}) {
    const auto report = adapt(method, {"--batch-size", "15"});
    EXPECT_EQ(report["method"], method);
    EXPECT_EQ(report["samples"], 120) << method;
    EXPECT_EQ(report["network"]["head"], "fc");
    EXPECT_EQ(report["network"]["batch_norms"], 4);
  }
  EXPECT_EQ(adapt("cotta", {"-O", "augmentations=2"})["samples"], 120);
  EXPECT_EQ(adapt("oracle")["samples"], 108);  // a tenth of every time step is labelled and not scored
}

TEST_F(Networks, FeaturesOnceGiveWhatImagesGive) {
  const auto made =
      json({"features", "--model", "net.pt", "--images", "images.npz", "--mean-until", "1", "--out", "f.npz"});
  EXPECT_EQ(made["rows"], 120);
  EXPECT_EQ(made["mean"], true);
  const auto from_images = adapt("stad-vmf", {"--out", "a.npz"});
  const auto from_features = json({"adapt", "--method", "stad-vmf", "--stream", "f.npz", "--out", "b.npz"});
  EXPECT_EQ(from_images["accuracy"], from_features["accuracy"]);
  const auto centred = adapt("stad-vmf", {"-O", "center=source", "--source", "f.npz"});
  EXPECT_EQ(centred["options"]["center"], "source");
}

TEST_F(Networks, FeaturesAddACardOnRequest) {
  const std::vector<std::string> features{"features", "--model", "net.pt", "--images", "images.npz", "--out", "f.npz"};
  EXPECT_TRUE(json(features)["card"].is_null());
  auto with_card = features;
  with_card.emplace_back("--card");
  EXPECT_TRUE(json(with_card)["card"]["accuracy"].is_number());
  EXPECT_FALSE(read_source(directory.file("f.npz"))->card().is_empty());
  const std::vector<std::string> adapted{"adapt", "--model", "net.pt", "--images", "images.npz", "--source", "f.npz"};
  EXPECT_NE(stad(adapted).out.find("too few rows yet"), std::string::npos);
  auto without = adapted;
  without.insert(without.end(), {"--card", "off"});
  EXPECT_NE(stad(without).out.find("no card"), std::string::npos);
}

TEST_F(Networks, AStateContinuesOnTheNetworkItWasMadeWith) {
  const auto whole = adapt("tent", {"--batch-size", "30", "--threads", "1"});
  adapt("tent", {"--batch-size", "30", "--until", "1", "--state-out", "half.state", "--threads", "1"});
  const auto rest = json({"adapt", "--state-in", "half.state", "--model", "net.pt", "--images", "images.npz",
                          "--batch-size", "30", "--since", "2", "--threads", "1"});
  EXPECT_EQ(rest["accuracy"]["per_step"][1], whole["accuracy"]["per_step"][3]);
  json({"train", "--images", "images.npz", "--out", "other.pt", "--epochs", "1", "--seed", "9"});
  expect_rejected({"adapt", "--state-in", "half.state", "--model", "other.pt", "--images", "images.npz"},
                  {"half.state: state: was made with another source head"});
}

TEST_F(Networks, SayWhatWasFoundAndWhatWasExpected) {
  ASSERT_TRUE(write_text(directory.file("text.pt"), "no network"));
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"adapt", "--method", "bn"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  expect_rejected(with({"--model", "text.pt", "--images", "images.npz"}), {"text.pt: is not a TorchScript model"});
  expect_rejected(with({"--model", "missing.pt", "--images", "images.npz"}), {"missing.pt"});
  expect_rejected(with({"--model", "net.pt"}), {"--model requires --images"});
  expect_rejected(with({"--images", "images.npz"}), {"--images requires --model"});
  expect_rejected(with({"--model", "net.pt", "--images", "images.npz", "--stream", "features.npz"}),
                  {"--stream and --model exclude each other"});
  expect_rejected(with({"--model", "net.pt", "--images", "images.npz", "--head", "last"}),
                  {"net.pt: has no linear layer last; it has fc"});
  expect_rejected(with({"--stream", "features.npz"}),
                  {"bn: adapts the network", "requires a model and images, not embeddings"});
  Matrix colours(4, 3 * 16 * 16);
  ASSERT_TRUE(write_images(directory.file("colours.npz"), {{3, 16, 16}, FeatureStream::from(std::move(colours))}));
  expect_rejected(with({"--model", "net.pt", "--images", "colours.npz"}),
                  {"the network does not take images of 3 x 16 x 16 (channels x height x width)", "expected input"});
}

TEST_F(CommandTest, MethodsSayWhetherNetworksCanBeRun) {
  const auto report = json({"methods"});
  EXPECT_EQ(report["torch"], kHasTorch);
  int networks = 0;
  for (const auto& method : report["methods"]) networks += method["needs_network"].get<bool>();
  EXPECT_EQ(networks, 10);
}

}  // namespace
}  // namespace stad::testing
