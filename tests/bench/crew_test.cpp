#include <filesystem>
#include <fstream>

#include "bench/results_files.hpp"
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

class CrewTest : public BenchTest {
 protected:
  Tally run(const std::string& text, int threads, const std::string& out = "out") {
    experiments = {experiment(text)};
    StreamShelf shelf(directory.path());
    const Plan plan = make_plan(experiments, shelf, false);
    const RunStore store(path(out));
    const cli::InterruptionWatch watch;
    const Outcome outcome = run_all(plan, store, threads, false, watch);
    rows = result_rows(experiments, plan, outcome);
    return outcome.tally;
  }

  /// The rows without what the clock says.
  cli::Json figures() const {
    cli::Json list = rows;
    for (auto& row : list) row.erase("seconds_adapt");
    return list;
  }

  std::vector<Experiment> experiments;
  cli::Json rows;
};

TEST_F(CrewTest, GivesTheSameResultsOnAnyNumberOfThreads) {
  const Tally one = run(start() + methods(), 1, "one");
  const auto expected = figures();
  const Tally three = run(start() + methods(), 3, "three");
  EXPECT_EQ(one.run, three.run);
  EXPECT_EQ(figures(), expected);
}

TEST_F(CrewTest, RunsNothingTwice) {
  // 2 networks x 3 orders x (source + defaults + 3 points + stad-vmf)
  EXPECT_EQ(run(start() + methods(), 2).run, 36);
  const auto expected = rows;
  const Tally again = run(start() + methods(), 2);
  EXPECT_EQ(again.run, 0);
  EXPECT_EQ(again.reused, 36);
  EXPECT_EQ(rows, expected) << "down to the clock: nothing ran";
}

TEST_F(CrewTest, RunsAgainWhatIsTornOrOfOtherData) {
  run(start() + methods(), 2);
  const auto first = std::filesystem::directory_iterator(path("out/runs"))->path();
  std::ofstream(first) << "{\"run\": ";
  EXPECT_EQ(run(start() + methods(), 2).run, 1);

  auto made = *simulate({.steps = 4, .samples_per_step = 60, .classes = 3, .dimension = 8, .seed = 77});
  ASSERT_TRUE(write_stream(path("network1.npz"), made.stream, &made.source));
  EXPECT_EQ(run(start() + methods(), 2).run, 18) << "the runs of the changed network";
}

TEST_F(CrewTest, ReportsAFailedRunAndFinishesTheOthers) {
  EXPECT_EQ(run("time_limit = 0\n" + start(), 2, "limited").failed, 6);
  for (const auto& row : rows) {
    EXPECT_EQ(row["status"], "failed");
    EXPECT_EQ(row["reason"], "took longer than time_limit = 0 s");
    EXPECT_TRUE(row["accuracy_pooled"].is_null());
  }
  EXPECT_EQ(run(start(), 2, "limited").run, 6) << "failed runs are tried again";
}

TEST_F(CrewTest, ScoresGridsBothWays) {
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
  for (const char* supports : {"1", "5", "\"all\""}) {
    double mean = 0;
    for (const auto& row : rows)
      if (row["method"] == "t3a" && row["setting"] == "mixed" && row["protocol"] != "label-free" &&
          row["options"]["supports"].dump() == supports)
        mean += row["accuracy_pooled"].get<double>() / 2;
    highest = std::max(highest, mean);
  }
  EXPECT_GT(free, 0);
  EXPECT_DOUBLE_EQ(best, highest);
}

TEST_F(CrewTest, EveryRowKeepsTheContract) {
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
