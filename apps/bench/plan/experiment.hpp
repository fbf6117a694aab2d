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

const char* name_of(Order order);

/// What the report shows of an experiment, in this order.
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
  bool through_network = false;      ///< methods that need embeddings alone take images too, for the clock
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

/// How much less than the others it runs there, for the reader of a figure: "100 images a severity, 1 network of 3".
std::string thrift_text(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting);

}  // namespace stad::cli::bench
