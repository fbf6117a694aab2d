#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <stad/eval/statistics.hpp>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_all.hpp"

namespace stad::cli::bench {

/// A figure over the networks, corruptions and orders of a cell; the mean alone where all runs gave the same.
struct Figure {
  double mean = 0;
  std::optional<double>
      deviation;  ///< over networks (and corruptions), each the mean of its orders; over orders with one
  std::optional<double> worst_tenth;  ///< mean of the worst tenth of all runs, where orders differ
};

/// The runs of one method with the same options: a cell of a table is one of these.
struct Candidate {
  std::string choice;  ///< of the grid; empty: the method's defaults, or the options of an entry without a grid
  std::vector<const PlannedRun*> plans;
  std::vector<const RunRecord*> records;  ///< beside plans

  /// Why some run failed; empty where all are done.
  std::string failure() const;
  Figure figure(double (*value)(const RunRecord&)) const;
};

/// Which cell: the swept value is empty without a sweep.
struct CellKey {
  std::string stream;
  std::string setting;
  Index batch_size = 0;
  std::string title;
  std::string sweep_option;
  std::string sweep_value;

  auto operator<=>(const CellKey&) const = default;
};

/// A cell holds the points of its grid, scored both ways.
struct Cell {
  const MethodSpec* method = nullptr;
  std::vector<Candidate> candidates;

  /// label-free: the method's defaults. best with labels: the most accurate of the defaults and the grid, which is how
  /// the paper chose. Null where the entry has no figure of that protocol. An entry without a grid whose options were
  /// not chosen with labels counts for both: there was nothing to choose.
  const Candidate* chosen(Protocol protocol) const;
  bool has_grid() const { return !method->grid.empty(); }
  /// The protocols to list it under: where there was nothing to choose, label-free alone.
  std::vector<Protocol> protocols() const;
};

/// The cells of one experiment.
class Cells {
 public:
  Cells(const Experiment& experiment, const Plan& plan, const Outcome& outcome);

  const Cell* find(const CellKey& key) const;
  const std::map<CellKey, Cell>& all() const { return cells_; }

 private:
  std::map<CellKey, Cell> cells_;
};

double pooled_percent(const RunRecord& record);
double step_mean_percent(const RunRecord& record);

/// Any figure over several values for each network and corruption, in the order of `plans`.
Figure figure_of(const std::vector<const PlannedRun*>& plans, const std::vector<double>& values);

}  // namespace stad::cli::bench
