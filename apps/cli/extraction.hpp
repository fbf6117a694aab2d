#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <stad/backbone.hpp>

namespace stad::cli {

/// The features of every image, with its labels and times. Shows progress; a signal ends it.
FeatureStream extract_features(const Backbone& network, const ImageStream& images, bool show_progress);

/// The network's head with the mean of the rows chosen.
SourceModel head_with_mean(const Backbone& network, const FeatureStream& features,
                           const std::function<bool(Index row)>& chosen);

/// The images between two times, both inclusive; without either, all.
std::vector<Index> rows_between(const ImageStream& images, const std::optional<double>& since,
                                const std::optional<double>& until);

}  // namespace stad::cli
