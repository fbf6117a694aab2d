#include "bench/report/gains.hpp"
#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

/// Experiments whose records are made up by the test instead of being run.
class Gains : public BenchTest {
 protected:
  static std::string methods() {
    return R"(
[[methods]]
name = "stad-safe"
title = "safe"
[[methods]]
name = "t3a"
title = "T3A"
grid = { supports = [1, 20] }
[[methods]]
name = "lame"
title = "LAME"
settings = ["sorted"]
protocol = "best with labels"
)";
  }

  /// @param accuracy in percent, of each planned run
  template <typename Accuracy>
  GainTable table(const std::string& text, const Accuracy& accuracy) {
    experiments = {experiment("report = [\"gains\"]\n" + text)};
    plan = make_plan(experiments, loader, false);
    outcome.records.assign(plan.runs.size(), {});
    for (std::size_t i = 0; i < plan.runs.size(); ++i) outcome.records[i].pooled = accuracy(plan.runs[i]) / 100;
    return remake();
  }

  /// The table of the current records.
  GainTable remake() {
    cells.emplace(experiments.front(), plan, outcome);
    return gain_table(results());
  }

  Results results() const { return {experiments.front(), plan, *cells}; }

  std::vector<Experiment> experiments;
  StreamLoader loader{directory.path()};
  Plan plan;
  Outcome outcome;
  std::optional<Cells> cells;
};

/// The accuracies of most cases: every method gains a little, except for one network in one order.
double accuracy_of(const PlannedRun& run) {
  const double source = 80 + static_cast<double>(run.network);
  if (run.method->name == "source") return source;
  if (run.method->name == "lame") return source - 1;
  if (run.method->name == "t3a") return source + (run.choice == "supports = 20" ? 4 : -2);
  const bool unlucky = run.network == 1 && run.setting->name == "sorted" && run.seed == 1;
  return source + (unlucky ? -3 : 1);
}

TEST_F(Gains, StandAgainstTheSourceOfTheSameNetworkAndOrder) {
  const GainTable made = table(start() + methods(), accuracy_of);
  ASSERT_EQ(made.rows.size(), 2U) << "mixed and sorted";
  EXPECT_NEAR(*made.rows[0].source, 80.5, 1e-9);
  ASSERT_EQ(made.columns.size(), 5U) << "safe, T3A by two protocols, LAME, and the best of all";
  const Gain& mixed = *made.rows[0].entries[0].gain;
  EXPECT_NEAR(mixed.mean(), 1, 1e-9);
  const Gain& sorted = *made.rows[1].entries[0].gain;
  ASSERT_EQ(sorted.members.size(), 2U) << "the networks, each the mean of its two orders";
  EXPECT_NEAR(sorted.mean(), 0, 1e-9);
  EXPECT_NEAR(sorted.least(), -1, 1e-9);
  EXPECT_FALSE(made.rows[0].entries[3].gain) << "LAME is not of this setting";
}

TEST_F(Gains, SumUpWhatIsLeastAndHowOftenItIsWorse) {
  const GainTable made = table(start() + methods(), accuracy_of);
  const GainSummary safe = made.summarise(0);
  EXPECT_NEAR(safe.mean, 0.5, 1e-9);
  ASSERT_EQ(safe.by_setting.size(), 2U);
  EXPECT_EQ(safe.by_setting[1].first, "sorted");
  EXPECT_NEAR(*safe.by_setting[0].second, 1, 1e-9);
  EXPECT_NEAR(*safe.by_setting[1].second, 0, 1e-9);
  EXPECT_NEAR(safe.least_cell, 0, 1e-9);
  EXPECT_EQ(safe.least_row->setting->name, "sorted");
  EXPECT_NEAR(safe.least_member, -1, 1e-9);
  EXPECT_EQ(safe.cells_worse, 0);
  EXPECT_EQ(safe.members_worse, 1);
  EXPECT_EQ(safe.members_harmed, 1);
  EXPECT_EQ(safe.members, 4);
  const GainSummary defaults = made.summarise(1);
  EXPECT_NEAR(defaults.mean, -2, 1e-9);
  EXPECT_EQ(defaults.cells_worse, 2);
  EXPECT_EQ(made.summarise(3).cells, 1);
  EXPECT_FALSE(made.summarise(3).by_setting[0].second) << "LAME is not of this setting";
}

TEST_F(Gains, FindTheBestOfAllThatLabelsChose) {
  const GainTable made = table(start() + methods(), accuracy_of);
  ASSERT_TRUE(made.columns.back().is_best_of_all());
  const Gain& best = *made.rows[0].entries.back().gain;
  EXPECT_EQ(best.title, "T3A");
  EXPECT_EQ(best.choice, "supports = 20");
  EXPECT_NEAR(made.summarise(4).mean, 4, 1e-9);
  const GainTable losing =
      table(start() + methods(), [](const PlannedRun& run) { return run.method->name == "source" ? 80.0 : 79.0; });
  EXPECT_NEAR(losing.summarise(4).mean, -1, 1e-9) << "the source is none of them, nor is what had nothing to choose";
}

TEST_F(Gains, LeaveOutWhatFailed) {
  table(start() + methods(), accuracy_of);
  for (std::size_t i = 0; i < plan.runs.size(); ++i)
    if (plan.runs[i].method->title == "safe" && plan.runs[i].setting->name == "mixed") {
      outcome.records[i].failed = true;
      outcome.records[i].reason = "too slow";
    }
  const GainTable made = remake();
  EXPECT_FALSE(made.rows[0].entries[0].gain);
  EXPECT_EQ(made.rows[0].entries[0].failure, "too slow");
  EXPECT_EQ(made.summarise(0).cells, 1);
  EXPECT_NE(gains_text(results()).find("failed"), std::string::npos);
}

TEST_F(Gains, AreWorseOnlyBelowTheTolerance) {
  EXPECT_FALSE(is_worse(-0.29));
  EXPECT_TRUE(is_worse(-0.31));
  EXPECT_EQ(gain_text(-0.004), "0.00");
  EXPECT_EQ(gain_text(1.234), "+1.23");
  EXPECT_EQ(gain_text(-0.346), "-0.35");
}

TEST_F(Gains, MarkWhatIsWorseOnThePageAndInTheText) {
  table(start() + methods(), accuracy_of);
  Section section;
  add_gain_tables(results(), section);
  ASSERT_EQ(section.tables.size(), 2U);
  const cli::Json& rows = section.tables[1]["rows"];
  EXPECT_EQ(rows[0]["heading"], "simulated");
  EXPECT_EQ(rows[2][2]["note_tone"], "worse") << "a network that lost, in a cell that did not";
  EXPECT_FALSE(rows[2][2].contains("tone"));
  EXPECT_EQ(rows[2][3]["tone"], "worse");
  EXPECT_NE(gains_text(results()).find("-2.00!"), std::string::npos) << gains_text(results());
}

TEST_F(Gains, AreOneObjectForPrograms) {
  table(start() + methods(), accuracy_of);
  const cli::Json json = gains_json(results());
  EXPECT_EQ(json["rows"].size(), 2U);
  EXPECT_NEAR(json["rows"][1]["source_accuracy"].get<double>(), 0.805, 1e-9);
  EXPECT_EQ(json["rows"][1]["methods"][0]["members"].size(), 2U);
  EXPECT_EQ(json["summary"][1]["cells_worse"], 2);
  EXPECT_TRUE(json["summary"][4]["best_of_all"].get<bool>());
}

TEST_F(Gains, NeedTheSourceWhereverSomethingRuns) {
  const auto rejection = [&](const std::string& text) {
    return error_message([&] { experiment("report = [\"gains\"]\n" + text); });
  };
  EXPECT_EQ(rejection(start()),
            "experiment.toml:1: report names gains, must have a method other than source without a sweep");
  EXPECT_EQ(rejection(start() + "settings = [\"mixed\"]\n" + methods()),
            "experiment.toml:1: report names gains, must have source on simulated, sorted");
  EXPECT_EQ(
      rejection(start() + "orders = 1\n" + methods()),
      "experiment.toml:14: source has limits, must have none with gains: it must run wherever the other methods do");
}

}  // namespace
}  // namespace stad::testing
