#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {

/// A loss so small that it may be the accident of a few rows; any more counts as worse than the source.
constexpr double kGainTolerance = 0.3;

inline bool is_worse(double gain) { return gain < -kGainTolerance; }

/// What a method gained over the source in one row, in points of accuracy. A member is a network under a corruption, or
/// a simulated seed: the mean over its orders, each against the source in the same order.
struct Gain {
  std::vector<double> members;
  std::string title;   ///< of the method
  std::string choice;  ///< of its grid; empty: the defaults, or the options of an entry without a grid

  double mean() const;
  double least() const;
};

/// No gain and no failure: the method was not to run there.
struct GainEntry {
  std::optional<Gain> gain;
  std::string failure;  ///< why there is none
};

struct GainColumn {
  std::string title;  ///< of the method; empty: the best in each row of all that labels chose
  Protocol protocol = Protocol::kLabelFree;
  bool had_choice = false;  ///< the title has a column of either protocol

  bool is_best_of_all() const { return title.empty(); }
  std::string shown_title() const { return is_best_of_all() ? "best of these" : title; }
};

/// A stream in a setting at a batch size.
struct GainRow {
  const StreamSpec* stream;
  const SettingSpec* setting;
  Index batch_size;
  std::optional<double> source;    ///< accuracy in percent; none where it failed
  std::vector<GainEntry> entries;  ///< beside the columns
};

/// A column from top to bottom.
struct GainSummary {
  Index cells = 0;    ///< rows with a gain
  Index members = 0;  ///< of all of them
  double mean = 0;    ///< over cells, each the mean of its members
  /// The same of each setting: orders help some methods more than others, and a mean over all would hide it.
  std::vector<std::pair<std::string, std::optional<double>>> by_setting;
  double least_cell = 0;
  const GainRow* least_row = nullptr;  ///< where that is
  double least_member = 0;
  Index cells_worse = 0;
  Index members_worse = 0;
};

struct GainTable {
  std::vector<GainColumn> columns;
  std::vector<GainRow> rows;

  GainSummary summarise(std::size_t column) const;
};

/// Streams that are missing are left out.
GainTable gain_table(const Results& results);

/// "covariate shift, batches of 64".
std::string name_of(const GainRow& row);

/// With its sign and two decimals. Never a minus before what rounds to nothing.
std::string gain_text(double gain);

// What of it a program, and a person at a terminal, is told.
Json gains_json(const Results& results);
std::string gains_text(const Results& results);

}  // namespace stad::cli::bench
