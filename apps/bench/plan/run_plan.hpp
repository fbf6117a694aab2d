#pragma once

#include <string>
#include <vector>

#include <stad/methods.hpp>

#include "bench/plan/experiment.hpp"
#include "bench/plan/stream_loader.hpp"
#include "common/json_text.hpp"

namespace stad::cli::bench {

/// One run with everything that determines its outcome.
struct PlannedRun {
  const Experiment* experiment;
  const StreamSpec* stream;
  const SettingSpec* setting;
  const MethodSpec* method;
  std::size_t network = 0;
  std::string corruption;  ///< of an image stream; empty: none
  Index batch_size;
  std::uint64_t seed;
  std::string choice;       ///< point of the grid, "supports = 20"; empty: see CandidateRuns
  std::string sweep_value;  ///< empty without a sweep
  OptionValues options;     ///< as written
  std::vector<OptionSetting> resolved;
  const RunData* data = nullptr;
  bool follow_prototypes = false;
  bool watch_health = false;
  const ProjectionSpec* projection = nullptr;
  Json identity;    ///< everything that determines the outcome, for the store
  std::string key;  ///< hash of the identity

  PlannedRun(const Experiment& experiment, const StreamSpec& stream, const SettingSpec& setting,
             const MethodSpec& method);

  BatchSettings batches() const;
  /// Whether its rows are images instead of embeddings.
  bool takes_images() const { return method->adapts_network || experiment->through_network; }
  /// Whether the method subtracts the feature mean of the source.
  bool centres_features() const;
};

/// A stream that cannot be loaded.
struct MissingStream {
  const Experiment* experiment = nullptr;
  const StreamSpec* stream = nullptr;
  std::string file;    ///< the missing file; empty if the torch component is missing
  std::string reason;  ///< for messages
};

struct Plan {
  std::vector<PlannedRun> runs;
  std::vector<MissingStream> missing;

  const MissingStream* find_missing(const Experiment& experiment, const StreamSpec& stream) const;
};

/// Loads the streams and derives every run. All mistakes of an experiment are rejected here, with their line, before
/// anything runs. The experiments and the loader must outlive the plan.
/// @param skip_missing skip streams whose files or components are missing instead of rejecting them
Plan make_plan(const std::vector<Experiment>& experiments, StreamLoader& loader, bool skip_missing);

/// Everything that determines the outcome of a run.
/// @param program the result of program_fingerprint()
Json identity_of(const PlannedRun& run, const std::string& program);

/// The hash of the identity, which names the file of the run.
std::string key_of(const Json& identity);

// Checks that need the data; called by make_plan(). Each rejects with the line of the mistake.

/// Checks each value of each option separately, so that the message has the line of the value.
void check_values(const MethodSpec& method, const RunData& data);

/// Checks that the stream can be run in the setting and scored.
void check_network(const PlannedRun& run);

/// Checks that the time step exists and has enough points for t-SNE: samples and both prototypes of every class.
void check_projection(const PlannedRun& run);

}  // namespace stad::cli::bench
