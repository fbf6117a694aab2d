#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <stad/eval/statistics.hpp>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_all.hpp"

namespace stad::cli::bench {

/// A statistic over the networks, corruptions and orders of a cell; only the mean where all runs are equal.
struct Figure {
  double mean = 0;
  /// Over networks and corruptions, each the mean of its orders; over orders with a single network.
  std::optional<double> deviation;
  std::optional<double> worst_tenth;  ///< mean of the worst tenth of all runs, if there are several orders
};

/// The runs of one method with the same options: one candidate for the figure of a cell.
struct CandidateRuns {
  std::string choice;  ///< point of the grid; empty: the defaults, or the options of a method without a grid
  std::vector<const PlannedRun*> plans;
  std::vector<const RunRecord*> records;  ///< one for each plan

  /// The reason of the first failed run; empty if all succeeded.
  std::string failure() const;
  Figure figure(double (*value)(const RunRecord&)) const;
};

/// Identifies a cell. The sweep fields are empty without a sweep.
struct CellKey {
  std::string stream;
  std::string setting;
  Index batch_size = 0;
  std::string title;
  std::string sweep_option;
  std::string sweep_value;

  auto operator<=>(const CellKey&) const = default;  // NOLINT(modernize-use-nullptr): false positive
};

/// A cell of the results: the points of its grid, scored by both protocols.
struct ResultCell {
  const MethodSpec* method = nullptr;
  std::vector<CandidateRuns> candidates;

  /// label-free: the defaults of the method. best with labels: the most accurate of the defaults and the grid, as in
  /// the paper. Null if the method has no figure of that protocol. A method without a grid whose options were not
  /// chosen with labels counts for both protocols.
  const CandidateRuns* chosen(Protocol protocol) const;
  bool has_grid() const { return !method->grid.empty(); }
  /// The protocols to list it under: only label-free where there was no choice.
  std::vector<Protocol> protocols() const;
};

/// The cells of one experiment.
class Cells {
 public:
  Cells(const Experiment& experiment, const Plan& plan, const Outcome& outcome);

  const ResultCell* find(const CellKey& key) const;
  const std::map<CellKey, ResultCell>& all() const { return cells_; }

 private:
  std::map<CellKey, ResultCell> cells_;
};

double pooled_percent(const RunRecord& record);
double step_mean_percent(const RunRecord& record);

/// The statistic of `values`, which has one value for each of `plans`.
Figure figure_of(const std::vector<const PlannedRun*>& plans, const std::vector<double>& values);

/// One entry of a column, before ranking.
struct FigureEntry {
  std::optional<Figure> figure;
  bool failed = false;     ///< there is no figure, and the note has the reason
  std::string note;        ///< small print below
  bool is_source = false;  ///< the others are compared with it; has no rank
};

FigureEntry entry_of(const CandidateRuns* candidate, double (*value)(const RunRecord&) = pooled_percent);
FigureEntry entry_of(const PaperFigure* published);

struct FigureColumn {
  std::string title;
  std::vector<FigureEntry> entries;  ///< one per row
};

enum class SourceComparison { kNone, kBetter, kWorse };

/// Compares with the source of the same column; kNone without a source, or where the printed digits are equal.
SourceComparison compare_with_source(const FigureColumn& column, std::size_t row);

/// 1 for the highest figure, 2 for the second, else 0; figures with equal printed digits share a rank.
int rank_of(const FigureColumn& column, std::size_t row);

std::string figure_text(const Figure& figure);
/// The entry as JSON for the report page.
Json page_cell(const FigureColumn& column, std::size_t row);

}  // namespace stad::cli::bench
