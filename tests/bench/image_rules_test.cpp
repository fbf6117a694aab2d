#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

/// The rules of experiments on images; no network is loaded.
class ImageRules : public BenchTest {
 protected:
  static std::string stream(const std::string& more) {
    return "[[streams]]\nname = \"pictures\"\nmodels = [\"a.pt\", \"b.pt\"]\nimages = \"pictures.npz\"\n" + more +
           "[[settings]]\nname = \"mixed\"\nbatch_size = 20\nseeds = [0, 1]\n[[methods]]\nname = \"source\"\n";
  }

  std::string rejection(const std::string& text) const {
    return error_message([&] { experiment(text); });
  }
};

TEST_F(ImageRules, ReadsModelsImagesAndCorruptions) {
  const Experiment read = experiment("through_network = true\n" + stream("corruptions = \"all\"\ncount = 7\n") +
                                     "[[methods]]\nname = \"cotta\"\ncount = 3\nnetworks = 1\norders = 1\n");
  EXPECT_TRUE(read.through_network);
  EXPECT_EQ(read.streams[0].networks(), 2U);
  EXPECT_EQ(read.streams[0].corruption_variants().size(), 15U);
  EXPECT_EQ(read.streams[0].count, 7);
  EXPECT_FALSE(read.methods[0].adapts_network);
  EXPECT_TRUE(read.methods[1].adapts_network);
  EXPECT_EQ(limits_text(read.methods[0], read.streams[0], read.settings[0]), "");
  EXPECT_EQ(limits_text(read.methods[1], read.streams[0], read.settings[0]),
            "3 images a severity, 1 network of 2, 1 order of 2");
}

TEST_F(ImageRules, RejectsHalfAStream) {
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nmodels = [\"a.pt\"]\n"),
            "experiment.toml:3: models requires images, the input of the networks");
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nimages = \"x.npz\"\n"),
            "experiment.toml:3: images requires models, the networks to run on them");
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nmodels = [\"a.pt\"]\nimages = \"x.npz\"\nfiles = [\"f.npz\"]\n"),
            "experiment.toml:5: files and models exclude each other");
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\n"),
            "experiment.toml:1: files is missing, must be given, or models and images, or simulated");
}

TEST_F(ImageRules, RejectsWhatOnlyImagesHave) {
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nfiles = [\"f.npz\"]\ncorruptions = [\"fog\"]\n"),
            "experiment.toml:4: corruptions requires models and images");
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nfiles = [\"f.npz\"]\nhead = \"fc\"\n"),
            "experiment.toml:4: head requires models and images");
  EXPECT_EQ(rejection(stream("count = 3\n")),
            "experiment.toml:5: count requires corruptions: it is the number of images per severity");
}

TEST_F(ImageRules, RejectsUnknownCorruptionsAndHeadsOfAnotherNumber) {
  EXPECT_EQ(rejection(stream("corruptions = [\"fog\", \"smog\"]\n"))
                .rfind("experiment.toml:5: corruptions names smog, must be all or some of gaussian_noise, ", 0),
            0U);
  EXPECT_EQ(rejection(stream("heads = [\"h.npz\"]\n")),
            "experiment.toml:5: heads names 1 files, must name 2, one for each of models");
}

TEST_F(ImageRules, RejectsAMethodThatNeedsTheNetworkWhereThereIsNone) {
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"tent\"\n"),
            "experiment.toml:15: tent adapts the network, stream simulated has no images; must have models and images, "
            "or be left out of the streams of the method");
  EXPECT_EQ(rejection("through_network = true\n" + start()),
            "experiment.toml:3: stream simulated has no images, must have models and images for through_network");
}

TEST_F(ImageRules, RejectsLimitsThatLimitNothing) {
  EXPECT_EQ(rejection(stream("") + "[[methods]]\nname = \"bn\"\ncount = 3\n"),
            "experiment.toml:11: count is the number of images per severity, requires a stream with corruptions");
  EXPECT_EQ(rejection(stream("") + "[[methods]]\nname = \"bn\"\nbatch_size = 3\n"),
            "experiment.toml:11: batch_size names 3, must be a batch size of a setting");
}

TEST_F(ImageRules, RejectsToDrawANetworkThatChanges) {
  EXPECT_EQ(rejection("report = [\"projection\"]\n" + stream("") +
                      "[[methods]]\nname = \"bn\"\n[projection]\nstream = \"pictures\"\nsetting = \"mixed\"\n"
                      "method = \"bn\"\ntime = 1\n"),
            "experiment.toml:12: the method of [projection] is bn, which adapts the network; must be one that works on "
            "embeddings");
  EXPECT_EQ(rejection("through_network = true\nreport = [\"fidelity\"]\n" + stream("")),
            "experiment.toml:1: through_network excludes fidelity and projection, which need embeddings");
}

}  // namespace
}  // namespace stad::testing
