// Experiments on images. The network is one of the shared files, the images are made up.

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include <stad/backbone.hpp>

#include "bench/report/bench_report.hpp"
#include "bench_test.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

constexpr char kModel[] = "data/yearbook/yearbook_cnn_seed0.pt";

#define STAD_NEEDS_NETWORK()                   \
  STAD_NEEDS_SHARED(kModel);                   \
  if (const auto found = find_torch(); !found) \
  GTEST_SKIP() << "SKIPPED FOR WANT OF THE TORCH COMPONENT: " << found.error().message << "; this was NOT checked"

/// 3 time steps of 20 grey squares, the second class brighter.
ImageStream squares() {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> noise(0, 0.3F);
  Matrix pixels(60, 1024);
  std::vector<std::int64_t> labels;
  std::vector<double> time;
  for (Index i = 0; i < 60; ++i) {
    labels.push_back(i % 2);
    time.push_back(static_cast<double>(i / 20));
    for (float& value : pixels.row(i)) value = noise(random) + 0.5F * static_cast<float>(i % 2);
  }
  ImageStream images{{1, 32, 32}, FeatureStream::from(std::move(pixels))};
  images.pixels.labels = labels;
  images.pixels.time = time;
  return images;
}

class BenchImages : public BenchTest {
 protected:
  BenchImages() {
    EXPECT_TRUE(write_images(path("squares.npz"), squares()));
    if (is_shared(kModel)) std::filesystem::copy_file(shared_path(kModel), path("network.pt"));
  }

  static std::string stream(const std::string& more = "") {
    return "[[streams]]\nname = \"squares\"\nmodels = [\"network.pt\"]\nimages = \"squares.npz\"\n" + more +
           "[[settings]]\nname = \"mixed\"\nbatch_size = 20\n[[methods]]\nname = \"source\"\n";
  }

  std::string rejection(const std::string& text) {
    return error_message([&] { run(text); });
  }

  RunCounts run(const std::string& text, int threads = 2) {
    experiments = {experiment(text)};
    StreamLoader loader(directory.path());
    const Plan plan = make_plan(experiments, loader, false);
    const cli::InterruptionWatch watch;
    const Outcome outcome = run_all(plan, RunStore(path("out")), threads, false, watch);
    rows = result_rows(experiments, plan, outcome);
    return outcome.counts;
  }

  cli::Json figures(const char* key) const {
    cli::Json list = cli::Json::array();
    for (const auto& row : rows) list.push_back(row[key]);
    return list;
  }

  std::vector<Experiment> experiments;
  cli::Json rows;
};

TEST_F(BenchImages, RunsMethodsOfBothKinds) {
  STAD_NEEDS_NETWORK();
  const std::string text = stream() + "[[methods]]\nname = \"bn\"\n[[methods]]\nname = \"t3a\"\n";
  const RunCounts first = run(text);
  EXPECT_EQ(first.run, 3);
  EXPECT_EQ(first.failed, 0) << figures("reason");
  EXPECT_EQ(figures("samples"), (cli::Json{60, 60, 60}));
  EXPECT_EQ(run(text).reused, 3);
}

TEST_F(BenchImages, GivesTheSameFromImagesAsFromTheirEmbeddings) {
  STAD_NEEDS_NETWORK();
  run(stream() + "[[methods]]\nname = \"stad-vmf\"\n");
  const auto embedded = figures("accuracy_pooled");
  EXPECT_EQ(run("through_network = true\n" + stream() + "[[methods]]\nname = \"stad-vmf\"\n").run, 2)
      << "a run of its own, for the clock";
  EXPECT_EQ(figures("accuracy_pooled"), embedded);
}

TEST_F(BenchImages, RunsEveryCorruptionByItselfAndASlowMethodOnFewer) {
  STAD_NEEDS_NETWORK();
  const RunCounts counts =
      run(stream("corruptions = [\"fog\", \"contrast\"]\ncount = 10\n") + "[[methods]]\nname = \"bn\"\ncount = 4\n");
  EXPECT_EQ(counts.run, 4);
  EXPECT_EQ(counts.failed, 0) << figures("reason");
  std::map<std::string, int> corruptions;
  for (const auto& row : rows) {
    ++corruptions[row["corruption"]];
    EXPECT_EQ(row["samples"], row["method"] == "bn" ? 20 : 50) << "five severities";
  }
  EXPECT_EQ(corruptions, (std::map<std::string, int>{{"contrast", 2}, {"fog", 2}}));
}

TEST_F(BenchImages, RunsAgainWhatHasOtherImagesOrAnotherCount) {
  STAD_NEEDS_NETWORK();
  const auto fog = [](const char* count) { return stream(std::string("corruptions = [\"fog\"]\ncount = ") + count); };
  EXPECT_EQ(run(fog("10\n")).run, 1);
  EXPECT_EQ(run(fog("11\n")).run, 1);
  EXPECT_EQ(run(fog("10\n")).reused, 1);
  auto darker = squares();
  darker.pixels.labels[0] = 1;
  ASSERT_TRUE(write_images(path("squares.npz"), darker));
  EXPECT_EQ(run(fog("10\n")).run, 1);
}

TEST_F(BenchImages, FollowsPrototypesOfMethodsThatLeaveTheNetworkAlone) {
  STAD_NEEDS_NETWORK();
  run("report = [\"fidelity\"]\n" + stream() + "[[methods]]\nname = \"bn\"\n[[methods]]\nname = \"t3a\"\n");
  for (const auto& row : rows) {
    std::ifstream file(path("out/" + row["record"].get<std::string>()));
    const RunRecord record = record_from(cli::Json::parse(file)["result"]);
    EXPECT_EQ(record.geometry.size(), row["method"] == "bn" ? 0U : 3U);
  }
}

TEST_F(BenchImages, RejectsWhatTheFilesCannotDo) {
  STAD_NEEDS_NETWORK();
  EXPECT_EQ(rejection(stream("corruptions = [\"fog\"]\ncount = 61\n")),
            "experiment.toml:1: count is 61, must be at most the 60 images of squares.npz");
  EXPECT_EQ(rejection(stream("heads = [\"network0.npz\"]\n")).rfind("experiment.toml:1: network0.npz: the head ", 0),
            0U);
  EXPECT_EQ(rejection(stream() + "[[methods]]\nname = \"tent\"\ngrid = { learning_rate = [0.1, -1] }\n")
                .rfind("experiment.toml:12: tent: learning_rate = -1, ", 0),
            0U);
  auto strange = squares();
  strange.pixels.labels[41] = 2;
  ASSERT_TRUE(write_images(path("squares.npz"), strange));
  EXPECT_EQ(rejection(stream()),
            "experiment.toml:1: squares.npz: labels row 41 is 2, must be from 0 to 1, or -1 for none of them");
}

}  // namespace
}  // namespace stad::testing
