#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

/// What an experiment on images may say; nothing here opens a network.
class ImageRules : public BenchTest {
 protected:
  static std::string stream(const std::string& more) {
    return "[[streams]]\nname = \"pictures\"\nmodels = [\"a.pt\", \"b.pt\"]\nimages = \"pictures.npz\"\n" + more +
           "[[settings]]\nname = \"mixed\"\nbatch_size = 20\nseeds = [0, 1]\n[[methods]]\nname = \"source\"\n";
  }

  std::string refusal(const std::string& text) const {
    return complaint([&] { experiment(text); });
  }
};

TEST_F(ImageRules, ReadsModelsImagesAndCorruptions) {
  const Experiment read = experiment("through_network = true\n" + stream("corruptions = \"all\"\ncount = 7\n") +
                                     "[[methods]]\nname = \"cotta\"\ncount = 3\nnetworks = 1\norders = 1\n");
  EXPECT_TRUE(read.through_network);
  EXPECT_EQ(read.streams[0].networks(), 2U);
  EXPECT_EQ(read.streams[0].showings().size(), 15U);
  EXPECT_EQ(read.streams[0].count, 7);
  EXPECT_FALSE(read.methods[0].adapts_network);
  EXPECT_TRUE(read.methods[1].adapts_network);
  EXPECT_EQ(thrift_text(read.methods[0], read.streams[0], read.settings[0]), "");
  EXPECT_EQ(thrift_text(read.methods[1], read.streams[0], read.settings[0]),
            "3 images a severity, 1 network of 2, 1 order of 2");
}

TEST_F(ImageRules, RefusesHalfAStream) {
  EXPECT_EQ(refusal("[[streams]]\nname = \"x\"\nmodels = [\"a.pt\"]\n"),
            "experiment.toml:3: models stands without images, must have what the networks are shown");
  EXPECT_EQ(refusal("[[streams]]\nname = \"x\"\nimages = \"x.npz\"\n"),
            "experiment.toml:3: images stands without models, must have the networks they are shown to");
  EXPECT_EQ(refusal("[[streams]]\nname = \"x\"\nmodels = [\"a.pt\"]\nimages = \"x.npz\"\nfiles = [\"f.npz\"]\n"),
            "experiment.toml:5: files stands beside models, must be one or the other");
  EXPECT_EQ(refusal("[[streams]]\nname = \"x\"\n"),
            "experiment.toml:1: files is missing, must be there, or models and images, or simulated");
}

TEST_F(ImageRules, RefusesWhatOnlyImagesHave) {
  EXPECT_EQ(refusal("[[streams]]\nname = \"x\"\nfiles = [\"f.npz\"]\ncorruptions = [\"fog\"]\n"),
            "experiment.toml:4: corruptions stands without images, must stand beside models and images");
  EXPECT_EQ(refusal("[[streams]]\nname = \"x\"\nfiles = [\"f.npz\"]\nhead = \"fc\"\n"),
            "experiment.toml:4: head stands without images, must stand beside models and images");
  EXPECT_EQ(refusal(stream("count = 3\n")),
            "experiment.toml:5: count stands without corruptions, must be the images of a severity");
}

TEST_F(ImageRules, RefusesUnknownCorruptionsAndHeadsOfAnotherNumber) {
  EXPECT_EQ(refusal(stream("corruptions = [\"fog\", \"smog\"]\n"))
                .rfind("experiment.toml:5: corruptions names smog, must be all or some of gaussian_noise, ", 0),
            0U);
  EXPECT_EQ(refusal(stream("heads = [\"h.npz\"]\n")),
            "experiment.toml:5: heads names 1 files, must name 2, one for each of models");
}

TEST_F(ImageRules, RefusesAMethodThatNeedsTheNetworkWhereThereIsNone) {
  EXPECT_EQ(refusal(start() + "[[methods]]\nname = \"tent\"\n"),
            "experiment.toml:15: tent adapts the network, stream simulated has no images; must have models and images, "
            "or streams must leave it out");
  EXPECT_EQ(refusal("through_network = true\n" + start()),
            "experiment.toml:3: stream simulated has no images, must have models and images for through_network");
}

TEST_F(ImageRules, RefusesLimitsThatLimitNothing) {
  EXPECT_EQ(refusal(stream("") + "[[methods]]\nname = \"bn\"\ncount = 3\n"),
            "experiment.toml:11: count is of images a severity, must stand where a stream has corruptions");
  EXPECT_EQ(refusal(stream("") + "[[methods]]\nname = \"bn\"\nbatch_size = 3\n"),
            "experiment.toml:11: batch_size names 3, must be of a setting");
}

TEST_F(ImageRules, RefusesToDrawANetworkThatChanges) {
  EXPECT_EQ(refusal("report = [\"projection\"]\n" + stream("") +
                    "[[methods]]\nname = \"bn\"\n[projection]\nstream = \"pictures\"\nsetting = \"mixed\"\n"
                    "method = \"bn\"\ntime = 1\n"),
            "experiment.toml:12: the method of [projection] is bn, which adapts the network; must be one that works on "
            "embeddings");
  EXPECT_EQ(
      refusal("through_network = true\nreport = [\"fidelity\"]\n" + stream("")),
      "experiment.toml:1: through_network stands beside fidelity or projection, which look at embeddings; must be "
      "apart");
}

}  // namespace
}  // namespace stad::testing
