#pragma once

#include <optional>
#include <string>
#include <vector>

#include <stad/matrix.hpp>

#include "common/toml_table.hpp"

namespace stad::cli::bench {

/// An option and the values it takes in turn.
struct OptionRange {
  std::string name;
  std::vector<std::string> values;
  Place place;
};

enum class Protocol {
  kLabelFree,       ///< one fixed setting for all streams
  kBestWithLabels,  ///< chosen for each stream and setting by its accuracy, as the paper chose
};
const char* name_of(Protocol protocol);

/// How much of an experiment a slow method runs: the first of each, where there is a limit.
struct Thrift {
  std::optional<Index> count;      ///< images a severity
  std::optional<Index> networks;   ///< of the stream
  std::optional<Index> orders;     ///< seeds of the setting
  std::vector<Index> batch_sizes;  ///< these of the setting's alone; empty: all
};

/// One row of the tables.
struct MethodSpec {
  std::string title;
  std::string name;                          ///< empty: not run here, only the paper's figures are shown
  bool adapts_network = false;               ///< needs models and images; else the embeddings are enough
  std::string group;                         ///< a heading the row stands under
  std::vector<OptionRange> options;          ///< of one value each
  std::vector<OptionRange> grid;             ///< chosen among with labels; the label-free figure is the defaults
  std::optional<OptionRange> sweep;          ///< shown side by side
  Protocol protocol = Protocol::kLabelFree;  ///< without a grid: how the options were come by
  std::vector<std::string> streams;          ///< empty: all
  std::vector<std::string> settings;         ///< empty: all
  Thrift thrift;
  Place place;

  /// Options, grid and sweep together.
  std::vector<OptionRange> ranges() const;
};

/// Reads a table of [[methods]].
MethodSpec read_method_spec(TomlTable table);

}  // namespace stad::cli::bench
