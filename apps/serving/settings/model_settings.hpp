#pragma once

#include <string>

#include <stad/eval/simulate.hpp>

#include "serving/model.hpp"

namespace stad::cli {
class TomlTable;
}

namespace stad::serving {

/// A table [[model]] of the configuration file.
struct ConfiguredModel {
  ModelSpecification specification;
  std::string source;   ///< path of the classifier; empty: that of the demo, or the network's own
  std::string network;  ///< path of a TorchScript file; empty: requests carry features
  ImageShape image;     ///< input of the network
  std::string place;    ///< file and line, for error messages; empty: the demo
};

/// Throws AppError that names file and line.
ConfiguredModel read_model(cli::TomlTable& table);

/// Loads the files of a model. Throws AppError.
ModelPointer open_model(const ConfiguredModel& model);

/// Six classes in 32 dimensions with recurring drift and persistent labels: the model and the traffic without a
/// configuration.
Simulation demo_simulation();

}  // namespace stad::serving
