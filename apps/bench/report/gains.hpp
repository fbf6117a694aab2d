#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {

/// Points of accuracy. A smaller loss may be due to a few rows; a larger one counts as worse than the source.
constexpr double kGainTolerance = 0.3;
constexpr double kHarm = 0.5;  ///< a loss that users notice

inline bool is_worse(double gain) { return gain < -kGainTolerance; }

/// The gain of a method over the source in one row, in points of accuracy. A member is a network under a corruption, or
/// a simulated seed: the mean over its orders, each compared with the source in the same order.
struct Gain {
  std::vector<double> members;
  std::string title;   ///< of the method
  std::string choice;  ///< point of its grid; empty: the defaults, or the options of a method without a grid

  double mean() const;
  double least() const;
};

/// Neither gain nor failure: the method is not run there.
struct GainEntry {
  std::optional<Gain> gain;
  std::string failure;  ///< the reason if a run failed
};

struct GainColumn {
  std::string title;  ///< of the method; empty: in each row the best of all chosen with labels
  Protocol protocol = Protocol::kLabelFree;
  bool had_choice = false;  ///< the title has columns of both protocols

  bool is_best_of_all() const { return title.empty(); }
  std::string shown_title() const { return is_best_of_all() ? "best of these" : title; }
};

/// A stream in a setting at a batch size.
struct GainRow {
  const StreamSpec* stream;
  const SettingSpec* setting;
  Index batch_size;
  std::optional<double> source;    ///< accuracy in percent; none where it failed
  std::vector<GainEntry> entries;  ///< one for each column
};

/// Statistics of one column.
struct GainSummary {
  Index cells = 0;    ///< rows with a gain
  Index members = 0;  ///< members of all cells
  double mean = 0;    ///< over cells, each the mean of its members
  /// Mean of each setting: the order of the rows affects methods differently, which an overall mean would hide.
  std::vector<std::pair<std::string, std::optional<double>>> by_setting;
  double least_cell = 0;
  const GainRow* least_row = nullptr;  ///< its row
  double least_member = 0;
  Index cells_worse = 0;
  Index members_worse = 0;
  Index members_harmed = 0;  ///< that lose more than kHarm
};

struct GainTable {
  std::vector<GainColumn> columns;
  std::vector<GainRow> rows;

  GainSummary summarise(std::size_t column) const;
};

/// Missing streams are left out.
GainTable gain_table(const Results& results);

/// "covariate shift, batches of 64".
std::string name_of(const GainRow& row);

/// With sign and two decimals; no sign if it rounds to zero.
std::string gain_text(double gain);

// As JSON, and as text for the terminal.
Json gains_json(const Results& results);
std::string gains_text(const Results& results);

}  // namespace stad::cli::bench
