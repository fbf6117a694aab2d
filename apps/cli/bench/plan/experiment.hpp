#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <stad/options.hpp>
#include <stad/pipeline.hpp>

#include "toml_table.hpp"

namespace stad::cli::bench {

/// A stream by its files: one for each trained network, in the order of their seeds.
struct StreamSpec {
  std::string name;
  std::vector<std::string> files;  ///< below the data directory
  std::vector<std::string> heads;  ///< one for each file; empty: the files hold their heads
  std::optional<double> since;
  std::optional<double> until;
  bool sort_by_time = false;
  std::string time_name = "time step";
  std::map<std::string, std::string> step_names;  ///< words for time stamps: "1" is "art"
  std::string about;  ///< what the files hold and how to come by them; told where one is missing
  Place place;
};

/// The step's name, or its time stamp.
std::string step_name(const StreamSpec& stream, double time);

/// How the streams arrive.
struct SettingSpec {
  std::string name;
  Order order = Order::kShuffled;
  std::vector<Index> batch_sizes;
  std::vector<std::uint64_t> seeds;  ///< of the order
  bool across_steps = false;
  std::vector<std::string> streams;  ///< empty: all
  Place place;
};

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
const char* name_of(Order order);

/// One row of the tables.
struct MethodSpec {
  std::string title;
  std::string name;                  ///< empty: not run here, only the paper's figures are shown
  std::string group;                 ///< a heading the row stands under
  std::vector<OptionRange> options;  ///< of one value each
  std::vector<OptionRange> grid;     ///< chosen among with labels; the label-free figure is the method's defaults
  std::optional<OptionRange> sweep;  ///< shown side by side
  Protocol protocol = Protocol::kLabelFree;  ///< without a grid: how the options were come by
  std::vector<std::string> streams;          ///< empty: all
  std::vector<std::string> settings;         ///< empty: all
  Place place;

  /// Options, grid and sweep together.
  std::vector<OptionRange> ranges() const;
};

/// What the report shows of an experiment, in this order.
enum class Exhibit { kAccuracy, kTimeSteps, kOverTime, kBatchSizes, kSweep, kFidelity, kRuntime, kProjection };

/// The map of one time step.
struct ProjectionSpec {
  std::string stream;
  std::string setting;
  std::string title;  ///< of the method whose prototypes are drawn in
  double time = 0;
  Index points = 500;
  double perplexity = 30;
  std::uint64_t seed = 0;
  Place place;
};

/// A published figure in percent, or times for the runtime.
struct PaperFigure {
  double mean = 0;
  std::optional<double> deviation;
  Place place;
};

/// Which cell of a published table: detail is the swept value or the time step, or empty.
struct PaperCell {
  std::string stream;
  std::string setting;
  std::string title;
  std::string detail;

  auto operator<=>(const PaperCell&) const = default;
};

struct Experiment {
  std::string file;
  std::string name;
  std::string title;
  std::string paper;  ///< the table or figure it repeats
  std::vector<std::string> text;
  std::vector<Exhibit> exhibits;
  bool alone = false;                ///< one run at a time, for the clock
  std::optional<double> time_limit;  ///< seconds a run may take
  std::vector<StreamSpec> streams;
  std::vector<SettingSpec> settings;
  std::vector<MethodSpec> methods;
  std::optional<ProjectionSpec> projection;
  std::map<PaperCell, PaperFigure> paper_figures;

  bool shows(Exhibit exhibit) const;
  const PaperFigure* published(const PaperCell& cell) const;
};

/// Reads and checks the file; a mistake is refused with its line.
Experiment read_experiment(const std::string& path);
/// @param path where the text came from
Experiment parse_experiment(const std::string& text, const std::string& path);

/// Whether the setting is for the stream.
bool meets(const SettingSpec& setting, const StreamSpec& stream);

/// Whether a method is to run on the stream in the setting.
bool applies(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting);

}  // namespace stad::cli::bench
