#pragma once

#include <memory>
#include <vector>

#include <stad/adapter.hpp>

namespace stad {

/// Looks after an adapter: writes the health of its answers. It learns from them what it needs and tells the adapter
/// nothing.
class Monitor {
 public:
  Monitor(const SourceModel& source, HealthLevel level);

  /// The answer to a batch that the adapter has just learned from.
  void examine(const Adapter& adapter, const Batch& batch, Predictions& answer);

 private:
  void count_evidence(Predictions& answer);
  void look(const Adapter& adapter, const Batch& batch, Predictions& answer);
  void look_closely(const Adapter& adapter, const Batch& batch, Predictions& answer);
  /// Asks the source about every `step`th row.
  void ask_source(const SourceModel& source, MatrixView features, Index step, Predictions& answer) const;

  HealthLevel level_;
  /// What accuracy is estimated by at kFull where a method does not guard itself: a classifier that does, whose
  /// posteriors say how likely an answer is, whoever gave it.
  std::unique_ptr<Adapter> referee_;
  Predictions referee_answer_;
  std::vector<double> evidence_;  ///< K
  Index rows_ = 0;                ///< so far
};

/// Where the prototypes lie: dispersion and movement.
void write_geometry(const Adapter& adapter, Health& health);

}  // namespace stad
