#include "bench/report/cells.hpp"
#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

FigureColumn column_of(const std::vector<double>& figures) {
  FigureColumn column{"x", {}};
  for (const double mean : figures) {
    FigureEntry entry;
    entry.figure = Figure{mean, std::nullopt, std::nullopt};
    column.entries.push_back(entry);
  }
  column.entries.front().is_source = true;
  return column;
}

TEST(FigureColumn, RanksByTheDigitsShownAndLeavesTheSourceOut) {
  const auto column = column_of({99, 80.001, 85, 80.004, 70});
  EXPECT_EQ(rank_of(column, 0), 0);
  EXPECT_EQ(rank_of(column, 2), 1);
  EXPECT_EQ(rank_of(column, 1), 2);
  EXPECT_EQ(rank_of(column, 3), 2);
  EXPECT_EQ(rank_of(column, 4), 0);
}

TEST(FigureColumn, StandsAgainstTheSource) {
  const auto column = column_of({80, 80.004, 81, 79});
  EXPECT_EQ(compare_with_source(column, 1), SourceComparison::kNone);
  EXPECT_EQ(compare_with_source(column, 2), SourceComparison::kBetter);
  EXPECT_EQ(compare_with_source(column, 3), SourceComparison::kWorse);
}

TEST(FigureColumn, ShowsTheDeviationWhereThereIsOne) {
  EXPECT_EQ(figure_text({85.4975, 1.34, {}}), "85.50 ± 1.34");
  EXPECT_EQ(figure_text({85.4975, {}, {}}), "85.50");
}

class FigureOf : public BenchTest {};

TEST_F(FigureOf, DeviatesOverNetworksWhereThereAreSeveralAndOverOrdersElse) {
  const Experiment read = experiment(start());
  PlannedRun run(read, read.streams[0], read.settings[1], read.methods[0]);
  PlannedRun other = run;
  other.network = 1;
  const Figure both = figure_of({&run, &run, &other, &other}, {80, 82, 90, 92});
  EXPECT_EQ(both.mean, 86);
  EXPECT_NEAR(*both.deviation, 7.0710678, 1e-6) << "of 81 and 91";
  EXPECT_EQ(both.worst_tenth, 80);
  const Figure alone = figure_of({&run, &run}, {80, 82});
  EXPECT_NEAR(*alone.deviation, 1.4142136, 1e-6);
  EXPECT_FALSE(figure_of({&run, &other}, {80, 90}).worst_tenth) << "nothing but the network differs";
}

}  // namespace
}  // namespace stad::testing
