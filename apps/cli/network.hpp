#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <stad/backbone.hpp>

// What the commands that run a TorchScript network share.
namespace stad::cli {

/// Configures memory allocation and thread waiting of this process; to be called before the torch component is loaded.
/// A network allocates and frees tens of megabytes per layer: returning them to the system each time costs a third of a
/// run. Waiting threads of torch would spin, which slows down every other process on a busy machine.
void prepare_for_networks();

/// Loads the network, with the feature mean and class names of the head file `source` unless that is empty.
/// @param head the name of the last linear layer; empty: detected
BackbonePointer open_network(const std::string& model, const std::string& head, const std::string& source);

/// "head fc (32 -> 2), 4 batch norm layers, 28386 parameters"
std::string network_text(const BackboneInfo& info, const SourceModel& source);

/// The features of every image with its labels and times. Shows progress; throws Interrupted after a signal.
FeatureStream extract_features(const Backbone& network, const ImageStream& images, bool show_progress);

/// The head of the network with the mean of the selected feature rows.
SourceModel head_with_mean(const Backbone& network, const FeatureStream& features,
                           const std::function<bool(Index row)>& is_selected);

/// The images between two times, both inclusive; all images without bounds.
std::vector<Index> rows_between(const ImageStream& images, const std::optional<double>& since,
                                const std::optional<double>& until);

}  // namespace stad::cli
