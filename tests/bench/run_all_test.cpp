#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/report/bench_report.hpp"
#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

/// The methods that every case here runs.
std::string methods() {
  return R"(
[[methods]]
name = "t3a"
grid = { supports = [1, 5, "all"] }
[[methods]]
name = "stad-vmf"
options = { init = "previous" }
protocol = "best with labels"
)";
}

class RunAll : public BenchTest {
 protected:
  RunCounts run(const std::string& text, int threads, const std::string& out = "out") {
    experiments = {experiment(text)};
    StreamLoader loader(directory.path());
    const Plan plan = make_plan(experiments, loader, false);
    const RunStore store(path(out));
    const cli::InterruptionWatch watch;
    const Outcome outcome = run_all(plan, store, threads, false, watch);
    rows = result_rows(experiments, plan, outcome);
    return outcome.counts;
  }

  /// The rows without times.
  cli::Json figures() const {
    cli::Json list = rows;
    for (auto& row : list) row.erase("seconds_adapt");
    return list;
  }

  std::vector<Experiment> experiments;
  cli::Json rows;
};

TEST_F(RunAll, GivesTheSameResultsOnAnyNumberOfThreads) {
  const RunCounts one = run(start() + methods(), 1, "one");
  const auto expected = figures();
  const RunCounts three = run(start() + methods(), 3, "three");
  EXPECT_EQ(one.run, three.run);
  EXPECT_EQ(figures(), expected);
}

TEST_F(RunAll, RunsNothingTwice) {
  // 2 networks x 3 orders x (source + defaults + 3 points + stad-vmf)
  EXPECT_EQ(run(start() + methods(), 2).run, 36);
  const auto expected = rows;
  const RunCounts again = run(start() + methods(), 2);
  EXPECT_EQ(again.run, 0);
  EXPECT_EQ(again.reused, 36);
  EXPECT_EQ(rows, expected) << "down to the clock: nothing ran";
}

TEST_F(RunAll, RunsAgainWhatIsTornOrOfOtherData) {
  run(start() + methods(), 2);
  const auto first = std::filesystem::directory_iterator(path("out/runs"))->path();
  std::ofstream(first) << "{\"run\": ";
  EXPECT_EQ(run(start() + methods(), 2).run, 1);
  std::string content;
  std::getline(std::ifstream(first), content);
  content.replace(content.find("\"steps\":[[0.0,60,"), 17, "\"steps\":[[0.0,6,6");
  std::ofstream(first) << content;
  EXPECT_EQ(run(start() + methods(), 2).run, 1) << "more correct than there are";

  auto made = *simulate({.steps = 4, .samples_per_step = 60, .classes = 3, .dimension = 8, .seed = 77});
  ASSERT_TRUE(write_stream(path("network1.npz"), made.stream, &made.source));
  EXPECT_EQ(run(start() + methods(), 2).run, 18) << "the runs of the changed network";
}

TEST_F(RunAll, ReportsAFailedRunAndFinishesTheOthers) {
  EXPECT_EQ(run("time_limit = 0\n" + start(), 2, "limited").failed, 6);
  for (const auto& row : rows) {
    EXPECT_EQ(row["status"], "failed");
    EXPECT_EQ(row["reason"], "took longer than time_limit = 0 s");
    EXPECT_TRUE(row["accuracy_pooled"].is_null());
  }
  EXPECT_EQ(run(start(), 2, "limited").run, 6) << "failed runs are tried again";
}

TEST_F(RunAll, LetsASharedRunTakeAsLongAsAnyExperimentAllows) {
  experiments = {experiment("time_limit = 0\n" + start(), "hasty.toml"), experiment(start(), "patient.toml")};
  StreamLoader loader(directory.path());
  const Plan plan = make_plan(experiments, loader, false);
  const cli::InterruptionWatch watch;
  EXPECT_EQ(run_all(plan, RunStore(path("out")), 2, false, watch).counts.failed, 0);
}

TEST_F(RunAll, FollowsThePrototypesToTheEndOfEveryStep) {
  run("report = [\"fidelity\", \"projection\"]\n" + start() +
          "[[methods]]\nname = \"t3a\"\n[projection]\nstream = \"simulated\"\nsetting = \"mixed\"\n"
          "method = \"t3a\"\ntime = 2\npoints = 40\nperplexity = 10\n",
      2);
  int maps = 0;
  for (const auto& row : rows) {
    std::ifstream file(path("out/" + row["record"].get<std::string>()));
    const RunRecord record = record_from(cli::Json::parse(file)["result"]);
    ASSERT_EQ(record.geometry.size(), 4U);
    for (const StepGeometry& step : record.geometry) {
      if (row["method"] == "source") {
        EXPECT_NEAR(*step.adapted_angle, *step.source_angle, 1e-4);
      }
      EXPECT_GT(*step.true_dispersion, 10);
    }
    if (!record.map) continue;
    ++maps;
    EXPECT_EQ(record.map->samples.size(), 40U);
    EXPECT_EQ(record.map->source.size(), 3U);
    EXPECT_EQ(record.map->adapted.size(), 3U);
  }
  EXPECT_EQ(maps, 1) << "of the first network and order";
}

TEST_F(RunAll, LeavesRowsOfNoClassOutOfScoresCentresAndMaps) {
  Index scored = 0;
  for (const char* name : {"network0.npz", "network1.npz"}) {
    const auto made =
        *simulate({.steps = 4, .samples_per_step = 60, .classes = 3, .dimension = 8, .unknown_class = true});
    ASSERT_TRUE(write_stream(path(name), made.stream, &made.source));
    scored = std::ranges::count_if(std::span(made.stream.labels).subspan(120, 60),
                                   [](std::int64_t label) { return label != kNoClass; });
  }
  ASSERT_LT(scored, 60);
  run("report = [\"fidelity\", \"projection\"]\n" + start() +
          "[projection]\nstream = \"simulated\"\nsetting = \"mixed\"\n"
          "method = \"source\"\ntime = 2\npoints = 60\nperplexity = 10\n",
      1);
  int maps = 0;
  for (const auto& row : rows) {
    std::ifstream file(path("out/" + row["record"].get<std::string>()));
    const RunRecord record = record_from(cli::Json::parse(file)["result"]);
    EXPECT_EQ(record.samples, 240);
    ASSERT_EQ(record.steps.size(), 4U);
    EXPECT_EQ(record.steps[1].samples, 60);
    EXPECT_EQ(record.steps[2].samples, scored);
    EXPECT_EQ(record.geometry.size(), 4U);
    if (!record.map) continue;
    ++maps;
    EXPECT_EQ(record.map->samples.size(), static_cast<std::size_t>(scored));
  }
  EXPECT_EQ(maps, 1);
}

TEST_F(RunAll, ScoresGridsBothWays) {
  run(start() + methods(), 2);
  double best = 0, free = 0, highest = 0;
  for (const auto& row : rows) {
    if (row["method"] != "t3a" || row["setting"] != "mixed") continue;
    const double accuracy = row["accuracy_pooled"].get<double>() / 2;  // two networks
    if (row["protocol"] == "best with labels") best += accuracy;
    if (row["protocol"] == "label-free") {
      free += accuracy;
      EXPECT_EQ(row["options"]["supports"], 100);
    }
  }
  for (const char* supports : {"1", "5", "100", "\"all\""}) {
    double mean = 0;
    for (const auto& row : rows)
      if (row["method"] == "t3a" && row["setting"] == "mixed" && row["options"]["supports"].dump() == supports &&
          (row["protocol"] != "best with labels" || row["options"]["supports"] != 100))
        mean += row["accuracy_pooled"].get<double>() / 2;
    highest = std::max(highest, mean);
  }
  EXPECT_GT(free, 0);
  EXPECT_DOUBLE_EQ(best, highest);
}

TEST_F(RunAll, EveryRowKeepsTheContract) {
  run(start() + methods(), 2);
  for (const auto& row : rows) {
    for (const char* key : {"experiment", "stream", "method", "options", "order", "batch_size", "window", "seed",
                            "protocol", "predict", "status", "reason", "accuracy_pooled", "accuracy_step_mean",
                            "calibration_error", "seconds_adapt", "samples", "version", "machine"})
      EXPECT_TRUE(row.contains(key)) << key;
    EXPECT_EQ(row["samples"], 240);
    EXPECT_EQ(row["batch_size"], 20);
    EXPECT_EQ(row["status"], "done");
    EXPECT_EQ(row["window"].is_number(), row["method"] == "stad-vmf");
    EXPECT_TRUE(std::filesystem::exists(path("out/" + row["record"].get<std::string>())));
  }
  const std::string csv = csv_text(rows);
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), rows.size() + 1);
}

}  // namespace
}  // namespace stad::testing
