#pragma once

#include <cstdint>
#include <string_view>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

namespace stad {

/// Movement of the class centres: as in the three data sets of the paper, one jump, or none.
enum class Drift {
  kNone,
  kRecurring,    ///< periodic (Yearbook)
  kProgressive,  ///< linear (EVIS)
  kRapid,        ///< an independent jump at every step (FMoW-Time)
  kAbrupt,       ///< one permanent jump in the middle
};

/// Settings of simulate().
struct SimulationSettings {
  Drift drift = Drift::kProgressive;
  Index steps = 20;  ///< time steps
  Index samples_per_step = 256;
  Index classes = 6;         ///< K
  Index dimension = 32;      ///< D
  double strength = 1;       ///< of the drift; 0: none
  double noise = 1;          ///< standard deviation of the samples around their centre
  bool label_shift = false;  ///< rows sorted by class inside each step
  /// Classes that are not clusters: they differ along few directions and vary much more along the others. A linear head
  /// separates them, class means do not.
  bool scattered = false;
  /// From the middle step on, one in K + 1 rows belongs to a class without training rows; its label is kNoClass.
  bool unknown_class = false;
  std::uint64_t seed = 0;
};

/// A head and a drifting stream.
struct Simulation {
  SourceModel source;    ///< fitted to data drawn before the drift, with a card of further such data
  FeatureStream stream;  ///< features, labels and time
};

/// Draws a head and a stream. Deterministic: equal settings give equal bits.
STAD_API Result<Simulation> simulate(const SimulationSettings& settings);

}  // namespace stad
