#pragma once

#include <string>
#include <vector>

#include <stad/methods.hpp>

#include "bench/plan/experiment.hpp"
#include "bench/plan/streams.hpp"
#include "common/json_text.hpp"

namespace stad::cli::bench {

/// One run, with everything that decides its outcome.
struct PlannedRun {
  const Experiment* experiment;
  const StreamSpec* stream;
  const SettingSpec* setting;
  const MethodSpec* method;
  std::size_t network = 0;
  std::string corruption;  ///< of a stream of images; empty: none
  Index batch_size;
  std::uint64_t seed;
  std::string choice;       ///< of the grid, "supports = 20"; empty: see Candidate
  std::string sweep_value;  ///< empty without a sweep
  OptionValues options;     ///< as written
  std::vector<OptionSetting> resolved;
  const RunData* data = nullptr;
  bool follow_prototypes = false;
  bool watch_health = false;
  const ProjectionSpec* projection = nullptr;
  Json identity;    ///< what decides the outcome, for the store
  std::string key;  ///< its fingerprint

  PlannedRun(const Experiment& experiment, const StreamSpec& stream, const SettingSpec& setting,
             const MethodSpec& method);

  BatchSettings batches() const;
  /// Whether its rows are images, not embeddings.
  bool takes_images() const { return method->adapts_network || experiment->through_network; }
  /// Whether the method subtracts the source's feature mean, and so sees other directions.
  bool centres_features() const;
};

/// A stream that cannot be opened here.
struct MissingStream {
  const Experiment* experiment = nullptr;
  const StreamSpec* stream = nullptr;
  std::string file;    ///< that is not there; empty where it is the torch component
  std::string reason;  ///< in words
};

struct Plan {
  std::vector<PlannedRun> runs;
  std::vector<MissingStream> missing;

  const MissingStream* find_missing(const Experiment& experiment, const StreamSpec& stream) const;
};

/// Opens the streams and works out every run. Whatever is wrong with an experiment is refused here, with its line,
/// before anything runs.
/// @param skip_missing leave out the streams whose files, or the component they need, are not there, rather than
/// refuse them
/// The experiments and the shelf must outlive the plan.
Plan make_plan(const std::vector<Experiment>& experiments, StreamShelf& shelf, bool skip_missing);

}  // namespace stad::cli::bench
