#include "bench/report/bench_report.hpp"
#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

class SimulatedStreams : public BenchTest {
 protected:
  /// An experiment on one simulated stream; its `simulated` is line 3, its seeds line 4.
  static std::string simulated(const std::string& settings, const std::string& seeds = "[4, 7]",
                               const std::string& more = "") {
    return "[[streams]]\nname = \"drawn\"\nsimulated = { " + settings + " }\nseeds = " + seeds + "\n" + more +
           "[[settings]]\nname = \"mixed\"\nbatch_size = 20\n[[methods]]\nname = \"source\"\n";
  }

  static std::string small(const std::string& more = "") {
    return simulated("steps = 4, samples = 60, classes = 3, dimension = 8" + more);
  }

  std::string rejection(const std::string& text) const {
    return error_message([&] { run(text); });
  }

  RunCounts run(const std::string& text) const {
    const std::vector<Experiment> experiments{experiment(text)};
    StreamLoader loader(directory.path());
    const Plan plan = make_plan(experiments, loader, false);
    const cli::InterruptionWatch watch;
    const Outcome outcome = run_all(plan, RunStore(path("out")), 1, false, watch);
    rows = result_rows(experiments, plan, outcome);
    return outcome.counts;
  }

  mutable cli::Json rows;
};

TEST_F(SimulatedStreams, AreWhatTheSimulatorWritesIntoFiles) {
  for (const std::uint64_t seed : {4U, 7U}) {
    const auto made = *simulate({.drift = Drift::kRapid,
                                 .steps = 4,
                                 .samples_per_step = 60,
                                 .classes = 3,
                                 .dimension = 8,
                                 .strength = 0.5,
                                 .noise = 2,
                                 .seed = seed});
    ASSERT_TRUE(write_stream(path("seed" + std::to_string(seed) + ".npz"), made.stream, &made.source));
  }
  EXPECT_EQ(run(small(", drift = \"rapid\", strength = 0.5, noise = 2")).run, 2);
  EXPECT_EQ(run("[[streams]]\nname = \"read\"\nfiles = [\"seed4.npz\", \"seed7.npz\"]\n[[settings]]\nname = \"mixed\"\n"
                "batch_size = 20\n[[methods]]\nname = \"source\"\n")
                .reused,
            2)
      << "the same rows, so the same runs";
}

TEST_F(SimulatedStreams, HaveANetworkForEverySeed) {
  run(small());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["network"], 0);
  EXPECT_EQ(rows[1]["network"], 1);
  EXPECT_NE(rows[0]["accuracy_pooled"], rows[1]["accuracy_pooled"]);
}

TEST_F(SimulatedStreams, AreFoundAgainForTheSameSettingsOnly) {
  EXPECT_EQ(run(small()).run, 2);
  EXPECT_EQ(run(small()).reused, 2);
  for (const char* change :
       {", drift = \"abrupt\"", ", scattered = true", ", unknown_class = true", ", strength = 0.5", ", noise = 0.5"})
    EXPECT_EQ(run(small(change)).run, 2) << change;
  EXPECT_EQ(run(simulated("steps = 4, samples = 60, classes = 3, dimension = 8", "[7, 9]")).run, 1)
      << "seed 7 was there";
}

TEST_F(SimulatedStreams, AreCutLikeOthers) {
  run(simulated("steps = 4, samples = 60", "[4]", "since = 1\nuntil = 2\n"));
  EXPECT_EQ(rows[0]["samples"], 120);
}

TEST_F(SimulatedStreams, RejectUnknownKeysAndOtherKinds) {
  EXPECT_EQ(rejection(simulated("label_shift = true")),
            "experiment.toml:3: unknown key label_shift in simulated, must be one of classes, dimension, drift, noise, "
            "samples, scattered, steps, strength, unknown_class");
  EXPECT_EQ(rejection(simulated("drift = \"sudden\"")),
            "experiment.toml:3: drift is sudden, must be one of none, recurring, progressive, rapid, abrupt");
  EXPECT_EQ(rejection(simulated("scattered = 1")), "experiment.toml:3: scattered is an integer, must be true or false");
  EXPECT_EQ(rejection(simulated("steps = 2.5")), "experiment.toml:3: steps is a number, must be an integer");
  EXPECT_EQ(rejection(simulated("strength = nan")), "experiment.toml:3: strength is nan, must be a finite number");
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nsimulated = true\nseeds = [1]\n"),
            "experiment.toml:3: simulated is true or false, must be a table");
}

TEST_F(SimulatedStreams, RejectWhatTheSimulatorRefuses) {
  EXPECT_EQ(rejection(simulated("samples = 0")), "experiment.toml:3: samples is 0, must be at least 1");
  EXPECT_EQ(rejection(simulated("classes = 1")),
            "experiment.toml:3: simulate: classes = 1, must be a whole number from 2 to 1000");
  EXPECT_EQ(rejection(simulated("noise = 0")),
            "experiment.toml:3: simulate: noise = 0, must be a number above 0 and up to 10");
  EXPECT_EQ(rejection(simulated("drift = \"abrupt\", steps = 1")),
            "experiment.toml:3: simulate: steps = 1, must be at least 2 with abrupt drift");
}

TEST_F(SimulatedStreams, RejectSeedsThatAreNoneOrCountTwice) {
  EXPECT_EQ(rejection(simulated("", "[]")), "experiment.toml:4: seeds is empty, must name at least one");
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nsimulated = {}\n"),
            "experiment.toml:1: seeds is missing, must name at least one");
  EXPECT_EQ(rejection(simulated("", "[-1]")), "experiment.toml:4: seeds is -1, must be at least 0");
  EXPECT_EQ(rejection(simulated("", "[3, 3]")), "experiment.toml:1: seeds names 3 twice, must name it once");
}

TEST_F(SimulatedStreams, RejectFilesBesideThem) {
  for (const char* key : {"files", "models", "images", "heads", "corruptions"})
    EXPECT_EQ(rejection(simulated("", "[1]", std::string(key) + " = \"network0.npz\"\n")),
              "experiment.toml:5: " + std::string(key) + " and simulated exclude each other");
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nfiles = [\"network0.npz\"]\nseeds = [1]\n"),
            "experiment.toml:4: seeds requires simulated");
}

TEST_F(SimulatedStreams, AreToldOfWithoutLabelsWhereTheReportShowsIt) {
  const std::vector<Experiment> experiments{
      experiment("report = [\"health\"]\n" + simulated("steps = 4, samples = 300"))};
  StreamLoader loader(directory.path());
  const Plan plan = make_plan(experiments, loader, false);
  const cli::InterruptionWatch watch;
  const RunStore store(path("out"));
  const Outcome outcome = run_all(plan, store, 1, false, watch);
  const cli::Json cell = bench_summary(experiments, plan, outcome)["cells"][0];
  EXPECT_EQ(cell["warnings"]["steps"], 4 * cell["runs"].get<int>());
  EXPECT_EQ(
      cell["warnings"]["fine"].get<int>() + cell["warnings"]["watch"].get<int>() + cell["warnings"]["act"].get<int>(),
      cell["warnings"]["steps"]);
  const auto kept = store.find(plan.runs[0]);
  ASSERT_TRUE(kept);
  EXPECT_EQ(to_json(*kept), to_json(outcome.records[0]));
  ASSERT_EQ(kept->health.size(), 4U);
  EXPECT_EQ(kept->health[0].flip_rate, 0);
  EXPECT_EQ(kept->health[0].chains, 0.0);
  EXPECT_EQ(kept->warnings, outcome.records[0].warnings);
  const std::string text = bench_tables(experiments, plan, outcome);
  EXPECT_NE(text.find("all streams"), std::string::npos) << text;
}

TEST_F(SimulatedStreams, HaveNoWarningsWithoutACard) {
  const std::vector<Experiment> experiments{
      experiment("report = [\"health\"]\n" +
                 simulated("steps = 4, samples = 60, classes = 3, dimension = 8", "[4]", "card = false\n"))};
  StreamLoader loader(directory.path());
  const Plan plan = make_plan(experiments, loader, false);
  EXPECT_TRUE(plan.runs[0].data->source().card().is_empty());
  const cli::InterruptionWatch watch;
  const RunStore store(path("out"));
  const Outcome outcome = run_all(plan, store, 1, false, watch);
  EXPECT_TRUE(bench_summary(experiments, plan, outcome)["cells"][0]["warnings"].is_null());
  EXPECT_NE(bench_tables(experiments, plan, outcome).find("no source has a card"), std::string::npos);

  const std::vector<Experiment> carded{experiment("report = [\"health\"]\n" + small())};
  const Plan other = make_plan(carded, loader, false);
  EXPECT_FALSE(other.runs[0].data->source().card().is_empty());
  EXPECT_FALSE(store.find(other.runs[0])) << "runs with and without a card are different runs";
}

}  // namespace
}  // namespace stad::testing
