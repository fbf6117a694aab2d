#pragma once

#include <cstdint>
#include <string_view>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

namespace stad {

/// How the class centres wander: as in the paper's three data sets, in one jump, or not at all.
enum class Drift {
  kNone,
  kRecurring,    ///< away and back again (Yearbook)
  kProgressive,  ///< steadily away (EVIS)
  kRapid,        ///< a jump in every step (FMoW-Time)
  kAbrupt,       ///< none in the first half of the steps, then all at once and for good
};

/// What to draw.
struct SimulationSettings {
  Drift drift = Drift::kProgressive;
  Index steps = 20;  ///< time steps
  Index samples_per_step = 256;
  Index classes = 6;         ///< K
  Index dimension = 32;      ///< D
  double strength = 1;       ///< of the drift; 0 is none
  double noise = 1;          ///< spread of the samples around their centre
  bool label_shift = false;  ///< rows sorted by class inside each step
  /// Classes that are not clusters: they differ along few directions only, and all vary far more along the others. A
  /// linear head finds them, class means do not.
  bool scattered = false;
  /// From the middle of the steps on, one in K + 1 rows belongs to a class the head has never seen; labelled kNoClass.
  bool unknown_class = false;
  std::uint64_t seed = 0;
};

/// A head and the stream that drifts away from it.
struct Simulation {
  SourceModel source;    ///< fitted to data drawn before the drift
  FeatureStream stream;  ///< features, labels and time
};

/// Draws a drifting stream. The same settings give the same bits.
STAD_API Result<Simulation> simulate(const SimulationSettings& settings);

}  // namespace stad
