#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <stad/eval/pipeline.hpp>

#include "bench/plan/method_spec.hpp"
#include "bench/plan/stream_spec.hpp"
#include "common/toml_table.hpp"

namespace stad::cli::bench {

/// The order and batching of the streams.
struct SettingSpec {
  std::string name;
  Order order = Order::kShuffled;
  std::vector<Index> batch_sizes;
  std::vector<std::uint64_t> seeds;  ///< seeds of the order
  bool across_steps = false;
  std::vector<std::string> streams;  ///< empty: all
  TomlPlace place;
};

const char* name_of(Order order);

/// The tables and charts that the report shows of an experiment.
enum class Exhibit {
  kAccuracy,
  kGains,
  kTimeSteps,
  kOverTime,
  kBatchSizes,
  kSweep,
  kFidelity,
  kHealth,
  kRuntime,
  kProjection
};

/// The t-SNE map of one time step.
struct ProjectionSpec {
  std::string stream;
  std::string setting;
  std::string title;  ///< of the method whose prototypes are shown
  double time = 0;
  Index points = 500;
  double perplexity = 30;
  std::uint64_t seed = 0;
  TomlPlace place;
};

/// A published figure: percent, or a multiple of the source for the runtime.
struct PaperFigure {
  double mean = 0;
  std::optional<double> deviation;
  TomlPlace place;
};

/// A cell of a published table. `detail` is the swept value or the time step, or empty.
struct PaperCell {
  std::string stream;
  std::string setting;
  std::string title;
  std::string detail;

  auto operator<=>(const PaperCell&) const = default;  // NOLINT(modernize-use-nullptr): false positive
};

struct Experiment {
  std::string file;
  std::string name;
  std::string title;
  std::string paper;  ///< the table or figure that it reproduces
  std::vector<std::string> text;
  std::vector<Exhibit> exhibits;
  bool alone = false;                ///< one run at a time, for timing
  bool through_network = false;      ///< methods on embeddings are given images too, for timing
  std::optional<double> time_limit;  ///< in seconds, for each run
  std::vector<StreamSpec> streams;
  std::vector<SettingSpec> settings;
  std::vector<MethodSpec> methods;
  std::optional<ProjectionSpec> projection;
  std::map<PaperCell, PaperFigure> paper_figures;

  bool shows(Exhibit exhibit) const;
  const PaperFigure* published(const PaperCell& cell) const;
};

/// Reads and checks the file. Throws AppError with the line of the first mistake.
Experiment read_experiment(const std::string& path);
/// @param path the file of the text, for error messages
Experiment parse_experiment(const std::string& text, const std::string& path);

/// Whether the setting includes the stream.
bool applies(const SettingSpec& setting, const StreamSpec& stream);

/// Whether the method runs on the stream in the setting.
bool applies(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting);

/// The limits of the method that take effect there: "100 images a severity, 1 network of 3".
std::string limits_text(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting);

/// Checks that the parts of an experiment are consistent. Throws AppError with the line of the first mistake.
void check_experiment(const Experiment& experiment);

// Checks of single exhibits, called by check_experiment().

/// A projection shows one run, and prototypes are tracked by time step, so that a batch must not span several.
void check_prototypes(const Experiment& experiment);
/// A projection needs a fixed feature space, which a method that adapts the network does not have.
void check_drawn_method(const Experiment& experiment);
/// Gains compare with the source on the same rows, so that the source must run wherever another method does.
void check_gains(const Experiment& experiment);

}  // namespace stad::cli::bench
