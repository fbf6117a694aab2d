#pragma once

#include <optional>
#include <string>
#include <vector>

#include <stad/matrix.hpp>
#include <stad/options.hpp>

#include "common/toml_table.hpp"

namespace stad::cli::bench {

/// An option and the list of its values.
struct OptionRange {
  std::string name;
  std::vector<std::string> values;
  TomlPlace place;
};

enum class Protocol {
  kLabelFree,       ///< one fixed set of options for all streams
  kBestWithLabels,  ///< options chosen by accuracy for each stream and setting, as in the paper
};
const char* name_of(Protocol protocol);

/// Limits of the runs of a slow method: only the first networks, orders and images are used.
struct RunLimits {
  std::optional<Index> count;      ///< images per severity
  std::optional<Index> networks;   ///< networks of the stream
  std::optional<Index> orders;     ///< seeds of the setting
  std::vector<Index> batch_sizes;  ///< subset of those of the setting; empty: all
};

/// A method with its options: one row of the tables.
struct MethodSpec {
  std::string title;
  std::string name;                          ///< empty: not run, only published figures are shown
  bool adapts_network = false;               ///< needs models and images, not only embeddings
  std::string group;                         ///< heading above the row
  std::vector<OptionRange> options;          ///< with one value each
  std::vector<OptionRange> grid;             ///< searched with labels; the label-free figure uses the defaults
  std::optional<OptionRange> sweep;          ///< one column per value
  Protocol protocol = Protocol::kLabelFree;  ///< without a grid: how the options were chosen
  std::vector<std::string> streams;          ///< empty: all
  std::vector<std::string> settings;         ///< empty: all
  RunLimits limits;
  std::optional<Index> labels;  ///< that stad-safe may request over a stream
  Index label_delay = 1;        ///< batches after which a requested label arrives
  TomlPlace place;

  /// Options, grid and sweep together.
  std::vector<OptionRange> ranges() const;
};

/// Reads a table of [[methods]].
MethodSpec read_method_spec(TomlTable table);

struct GridPoint {
  std::string choice;  ///< "supports = 20"
  OptionValues options;
};

/// The options of the method; with a grid, the defaults followed by every point of the grid.
std::vector<GridPoint> grid_points(const MethodSpec& method);

}  // namespace stad::cli::bench
