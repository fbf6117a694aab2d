#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// The input of the exhibits of one experiment.
struct Results {
  const Experiment& experiment;
  const Plan& plan;
  const Cells& cells;

  /// The titles of the methods in the order of the file.
  std::vector<std::string> titles() const;
  /// The title as a cell, with limits_text() as a note.
  Json title_cell(const std::string& title, const StreamSpec& stream, const SettingSpec& setting) const;
  std::string limits_of(const std::string& title, const StreamSpec& stream, const SettingSpec& setting) const;
  bool is_source(const std::string& title) const;
  bool is_missing(const StreamSpec& stream) const;
  /// Whether options were chosen with labels, so that the two protocols differ.
  bool has_choices() const;
  /// The candidate of a title in a chart: the best with labels, as in the paper.
  const CandidateRuns* shown(const CellKey& key) const;
  /// Visits every available stream with every setting that includes it.
  void for_each_setting(const std::function<void(const StreamSpec&, const SettingSpec&)>& visit) const;
};

/// The tables and charts of a section of the page.
struct Section {
  Json tables = Json::array();
  Json charts = Json::array();
};

void add_accuracy_table(const Results& results, Section& section);
void add_gain_tables(const Results& results, Section& section);
void add_time_step_tables(const Results& results, Section& section);
void add_sweep_tables(const Results& results, Section& section);
void add_runtime_table(const Results& results, Section& section);
void add_warning_table(const Results& results, Section& section);
void add_health_charts(const Results& results, Section& section);
void add_over_time_charts(const Results& results, Section& section);
void add_batch_size_charts(const Results& results, Section& section);
void add_sweep_charts(const Results& results, Section& section);
void add_fidelity_charts(const Results& results, Section& section);
void add_projection(const Results& results, Section& section);

/// A chart of accuracies, with notes where options were chosen with labels or methods have limits.
Json accuracy_chart(const Results& results, const StreamSpec& stream, const SettingSpec& setting,
                    const std::string& title, const std::string& x_label, const Json& series);

/// The heading of a stream in a setting: "Yearbook, + label shift".
std::string heading_of(const StreamSpec& stream, const SettingSpec& setting);
/// The same with the batch size, if the setting has several.
std::string heading_of(const StreamSpec& stream, const SettingSpec& setting, Index batch_size);

/// A line of a chart, with a band where the figures have a deviation.
class Series {
 public:
  explicit Series(std::string name, bool reference = false);

  void add(double x, const Figure& figure);
  bool empty() const { return points_.empty(); }
  Json json() const;

 private:
  std::string name_;
  bool reference_;
  Json points_ = Json::array();
};

/// Collects the values of every time step over the runs of a candidate.
class StepValues {
 public:
  void add(double time, const PlannedRun* plan, double value);
  void fill(Series& series) const;

 private:
  struct Values {
    std::vector<const PlannedRun*> plans;
    std::vector<double> values;
  };
  std::map<double, Values> steps_;
};

/// Mean accuracy of every time step over the candidate's runs, in percent.
Json accuracy_line(const std::string& name, const CandidateRuns& candidate, bool reference);

/// Rounds to four decimals, which are finer than a chart shows and keep the page small.
double shortened(double value);

/// The figures of one stream in one setting; the rows are Results::titles().
struct AccuracyBlock {
  std::string heading;
  std::vector<FigureColumn> columns;  ///< measured figures by protocol, then published ones if any
};

std::vector<AccuracyBlock> accuracy_blocks(const Results& results);

}  // namespace stad::cli::bench
