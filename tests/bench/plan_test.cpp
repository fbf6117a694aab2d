#include <algorithm>

#include "bench/plan/run_plan.hpp"
#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

class PlanRuns : public BenchTest {
 protected:
  std::string rejection(const std::string& text) const {
    return error_message([&] { plan(text, false); });
  }

  std::size_t plan(const std::string& text, bool skip_missing) const {
    const std::vector<Experiment> experiments{experiment(text)};
    StreamLoader loader(directory.path());
    const Plan made = make_plan(experiments, loader, skip_missing);
    missing = made.missing.size();
    return made.runs.size();
  }

  mutable std::size_t missing = 0;
};

TEST_F(PlanRuns, CountsNetworksSettingsSeedsAndGridPoints) {
  // 2 networks x (1 + 2 orders) x (source + defaults + 2 x 3 points)
  EXPECT_EQ(plan(start() + R"(
[[methods]]
name = "stad-vmf"
grid = { kappa_ems = [10, 100], window = [0, 1, 2] }
)",
                 false),
            2U * 3U * 8U);
}

TEST_F(PlanRuns, SpreadsLabelsOverTheRowsOfTheStream) {
  const std::vector<Experiment> experiments{experiment(start() + R"(
[[methods]]
name = "stad-safe"
labels = 7
label_delay = 2
)")};
  StreamLoader loader(directory.path());
  const Plan made = make_plan(experiments, loader, false);
  const PlannedRun& run = made.runs.back();
  const auto has = [&](const char* name, const char* value) {
    return std::ranges::any_of(run.resolved, [&](const auto& o) { return o.name == name && o.value == value; });
  };
  EXPECT_TRUE(has("label_budget", "7"));
  EXPECT_TRUE(has("label_period", "240")) << "four steps of 60 rows";
  ASSERT_TRUE(run.batches().late_labels);
  EXPECT_TRUE(run.batches().late_labels->requested);
  EXPECT_EQ(run.batches().late_labels->delay, 2);
  EXPECT_FALSE(made.runs.front().batches().late_labels) << "the source takes no labels";
}

TEST_F(PlanRuns, RejectsLabelsForMethodsThatDoNotRequestThem) {
  EXPECT_NE(
      rejection(start() + "[[methods]]\nname = \"t3a\"\nlabels = 7\n").find("labels requires the method stad-safe"),
      std::string::npos);
  EXPECT_NE(
      rejection(start() + "[[methods]]\nname = \"stad-safe\"\nlabel_delay = 7\n").find("label_delay requires labels"),
      std::string::npos);
}

TEST_F(PlanRuns, GivesEqualRunsOneKeyAndOthersTheirOwn) {
  const std::vector<Experiment> experiments{experiment(start() + R"(
[[methods]]
name = "t3a"
title = "by default"
[[methods]]
name = "t3a"
title = "written out"
options = { supports = 100 }
[[methods]]
name = "t3a"
title = "fewer"
options = { supports = 7 }
)")};
  StreamLoader loader(directory.path());
  const Plan made = make_plan(experiments, loader, false);
  const auto key_of = [&](const std::string& title) {
    return std::find_if(made.runs.begin(), made.runs.end(), [&](const auto& run) { return run.method->title == title; })
        ->key;
  };
  EXPECT_EQ(key_of("by default"), key_of("written out"));
  EXPECT_NE(key_of("by default"), key_of("fewer"));
}

TEST_F(PlanRuns, NamesTheMissingFileAndTheLine) {
  const std::string text =
      "[[streams]]\nname = \"x\"\nfiles = [\"absent.npz\"]\nabout = \"Make it so.\"\n[[settings]]\n"
      "name = \"s\"\nbatch_size = 1\n[[methods]]\nname = \"source\"\n";
  EXPECT_EQ(rejection(text), "experiment.toml:1: stream x: absent.npz does not exist. Make it so.");
  EXPECT_EQ(plan(text, true), 0U);
  EXPECT_EQ(missing, 1U);
}

TEST_F(PlanRuns, RejectsOptionsAtTheirOwnLine) {
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"lame\"\n[methods.grid]\nneighbours = [1,\n 0]\n"),
            "experiment.toml:18: lame: neighbours = 0, must be a whole number from 1 to 10000");
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"lame\"\noptions = { knn = 5 }\n")
                .rfind("experiment.toml:17: lame: ", 0),
            0U);
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"magic\"\nstreams = [\"simulated\"]\n"),
            "experiment.toml:15: unknown method magic, must be one of source, t3a, lame, stad-vmf, stad-gauss, "
            "normalise, prior, stad-safe, bn, tent, cotta, shot, sar, cmf, rotta, stad-vmf+bn, stad-gauss+bn, oracle");
}

TEST_F(PlanRuns, RejectsAMethodWithoutTheInputItNeeds) {
  const auto made = *simulate({.steps = 2, .samples_per_step = 30, .classes = 3, .dimension = 8, .seed = 5});
  Matrix weight(3, 8);
  std::copy_n(made.source.weight().data(), 24, weight.data());
  const auto headless = *SourceModel::create(std::move(weight));
  ASSERT_TRUE(write_stream(path("network0.npz"), made.stream, &headless));
  const std::string message =
      rejection(start() + "[[methods]]\nname = \"stad-vmf\"\noptions = { center = \"source\" }\n");
  EXPECT_EQ(message.rfind("experiment.toml:17: stad-vmf: ", 0), 0U) << message;
  EXPECT_NE(message.find("mean"), std::string::npos) << message;
}

TEST_F(PlanRuns, RejectsLabelsOutsideTheHead) {
  auto made = *simulate({.steps = 2, .samples_per_step = 30, .classes = 3, .dimension = 8, .seed = 5});
  made.stream.labels[41] = 3;
  ASSERT_TRUE(write_stream(path("network1.npz"), made.stream, &made.source));
  EXPECT_EQ(rejection(start()),
            "experiment.toml:2: network1.npz: labels row 41 is 3, must be from 0 to 2, or -1 for none of them");
}

TEST_F(PlanRuns, RejectsAStreamOfWhichNoRowIsScored) {
  auto made = *simulate({.steps = 2, .samples_per_step = 30, .classes = 3, .dimension = 8, .seed = 5});
  std::ranges::fill(made.stream.labels, kNoClass);
  ASSERT_TRUE(write_stream(path("network1.npz"), made.stream, &made.source));
  EXPECT_EQ(rejection(start()),
            "experiment.toml:2: network1.npz: no row in use has a class, which is needed for scoring");
}

TEST_F(PlanRuns, RejectsAMapThatCannotBeDrawn) {
  EXPECT_EQ(rejection("report = [\"projection\"]\n" + start() +
                      "[projection]\nstream = \"simulated\"\nsetting = \"mixed\"\nmethod = \"source\"\ntime = 99\n"),
            "experiment.toml:16: time is 99, must be a time step of simulated in use");
  EXPECT_EQ(rejection("report = [\"projection\"]\n" + start() +
                      "[projection]\nstream = \"simulated\"\nsetting = \"mixed\"\nmethod = \"source\"\ntime = 1\n"
                      "perplexity = 40\n"),
            "experiment.toml:16: perplexity is 40, must be from 1 to 21.7 with this number of points");
}

}  // namespace
}  // namespace stad::testing
