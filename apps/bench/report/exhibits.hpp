#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// What the exhibits of one experiment are made from.
struct Results {
  const Experiment& experiment;
  const Plan& plan;
  const Cells& cells;

  /// The titles of the methods in the order of the file.
  std::vector<std::string> titles() const;
  /// The title as a cell, with thrift_text() below it.
  Json title_cell(const std::string& title, const StreamSpec& stream, const SettingSpec& setting) const;
  std::string thrift_of(const std::string& title, const StreamSpec& stream, const SettingSpec& setting) const;
  bool is_source(const std::string& title) const;
  bool is_missing(const StreamSpec& stream) const;
  /// Whether something was chosen with labels, so that the two protocols differ.
  bool has_choices() const;
  /// The candidate that stands for a title in a chart: the best with labels, as the paper shows.
  const Candidate* shown(const CellKey& key) const;
  /// Every stream that is there with every setting that is for it.
  void for_each_setting(const std::function<void(const StreamSpec&, const SettingSpec&)>& visit) const;
};

/// What an exhibit adds to its section of the page.
struct Section {
  Json tables = Json::array();
  Json charts = Json::array();
};

void add_accuracy_table(const Results& results, Section& section);
void add_gain_tables(const Results& results, Section& section);
void add_time_step_tables(const Results& results, Section& section);
void add_sweep_tables(const Results& results, Section& section);
void add_runtime_table(const Results& results, Section& section);
void add_estimate_table(const Results& results, Section& section);
void add_health_charts(const Results& results, Section& section);
void add_over_time_charts(const Results& results, Section& section);
void add_batch_size_charts(const Results& results, Section& section);
void add_sweep_charts(const Results& results, Section& section);
void add_fidelity_charts(const Results& results, Section& section);
void add_projection(const Results& results, Section& section);

/// A chart of accuracies; says that labels chose the options, where they did, and which methods ran on less.
Json accuracy_chart(const Results& results, const StreamSpec& stream, const SettingSpec& setting,
                    const std::string& title, const std::string& x_label, const Json& series);

/// A stream in a setting as a heading: "Yearbook, + label shift".
std::string heading_of(const StreamSpec& stream, const SettingSpec& setting);
/// The same with the batch size, where the setting has several.
std::string heading_of(const StreamSpec& stream, const SettingSpec& setting, Index batch_size);

}  // namespace stad::cli::bench
