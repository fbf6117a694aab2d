#include <algorithm>

#include "bench/plan/run_plan.hpp"
#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

class PlanRuns : public BenchTest {
 protected:
  std::string refusal(const std::string& text) const {
    return complaint([&] { plan(text, false); });
  }

  std::size_t plan(const std::string& text, bool skip_missing) const {
    const std::vector<Experiment> experiments{experiment(text)};
    StreamShelf shelf(directory.path());
    const Plan made = make_plan(experiments, shelf, skip_missing);
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
  StreamShelf shelf(directory.path());
  const Plan made = make_plan(experiments, shelf, false);
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
  EXPECT_EQ(refusal(text), "experiment.toml:1: stream x: absent.npz does not exist. Make it so.");
  EXPECT_EQ(plan(text, true), 0U);
  EXPECT_EQ(missing, 1U);
}

TEST_F(PlanRuns, RefusesOptionsAtTheirOwnLine) {
  EXPECT_EQ(refusal(start() + "[[methods]]\nname = \"lame\"\n[methods.grid]\nneighbours = [1,\n 0]\n"),
            "experiment.toml:18: lame: neighbours = 0, must be a whole number from 1 to 10000");
  EXPECT_EQ(
      refusal(start() + "[[methods]]\nname = \"lame\"\noptions = { knn = 5 }\n").rfind("experiment.toml:17: lame: ", 0),
      0U);
  EXPECT_EQ(refusal(start() + "[[methods]]\nname = \"magic\"\nstreams = [\"simulated\"]\n"),
            "experiment.toml:15: unknown method magic, must be one of source, t3a, lame, stad-vmf, stad-gauss, "
            "stad-safe, bn, tent, cotta, shot, sar, cmf, rotta, stad-vmf+bn, stad-gauss+bn, oracle");
}

TEST_F(PlanRuns, RefusesAMethodWithoutTheInputItNeeds) {
  const auto made = *simulate({.steps = 2, .samples_per_step = 30, .classes = 3, .dimension = 8, .seed = 5});
  Matrix weight(3, 8);
  std::copy_n(made.source.weight().data(), 24, weight.data());
  const auto headless = *SourceModel::create(std::move(weight));
  ASSERT_TRUE(write_stream(path("network0.npz"), made.stream, &headless));
  const std::string told = refusal(start() + "[[methods]]\nname = \"stad-vmf\"\noptions = { center = \"source\" }\n");
  EXPECT_EQ(told.rfind("experiment.toml:17: stad-vmf: ", 0), 0U) << told;
  EXPECT_NE(told.find("mean"), std::string::npos) << told;
}

TEST_F(PlanRuns, RefusesLabelsOutsideTheHead) {
  auto made = *simulate({.steps = 2, .samples_per_step = 30, .classes = 3, .dimension = 8, .seed = 5});
  made.stream.labels[41] = 3;
  ASSERT_TRUE(write_stream(path("network1.npz"), made.stream, &made.source));
  EXPECT_EQ(refusal(start()),
            "experiment.toml:2: network1.npz: labels row 41 is 3, must be from 0 to 2, or -1 for none of them");
}

TEST_F(PlanRuns, RefusesAStreamOfWhichNoRowIsScored) {
  auto made = *simulate({.steps = 2, .samples_per_step = 30, .classes = 3, .dimension = 8, .seed = 5});
  std::ranges::fill(made.stream.labels, kNoClass);
  ASSERT_TRUE(write_stream(path("network1.npz"), made.stream, &made.source));
  EXPECT_EQ(refusal(start()), "experiment.toml:2: network1.npz: no row used has a class, which scoring needs");
}

TEST_F(PlanRuns, RefusesAMapThatCannotBeDrawn) {
  EXPECT_EQ(refusal("report = [\"projection\"]\n" + start() +
                    "[projection]\nstream = \"simulated\"\nsetting = \"mixed\"\nmethod = \"source\"\ntime = 99\n"),
            "experiment.toml:16: time is 99, must be a time step of simulated that is used");
  EXPECT_EQ(refusal("report = [\"projection\"]\n" + start() +
                    "[projection]\nstream = \"simulated\"\nsetting = \"mixed\"\nmethod = \"source\"\ntime = 1\n"
                    "perplexity = 40\n"),
            "experiment.toml:16: perplexity is 40, must be from 1 to 21.7 with so many points");
}

}  // namespace
}  // namespace stad::testing
