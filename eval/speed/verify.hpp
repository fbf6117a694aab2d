#pragma once

#include <stad/error.hpp>
#include <stad/eval/speed.hpp>

namespace stad::speed {

/// `s` of methods that look back, else 0.
Index window_of(const std::vector<OptionSetting>& options);

/// The shape on which the method is compared with its plain form.
/// stad-gauss: that inverts a D x D matrix for every sample and class, so a small one; else the shape itself.
SpeedVerification verified_shape(const SpeedSettings& settings);

/// Answers a stream with the method and its plain form, as many batches as show the window slide, unless time runs out
/// first. Probabilities or prototypes that differ by more than 1e-4, or labels where the plain form is sure of its own,
/// are an error.
Result<SpeedVerification> verify(const SpeedSettings& settings);

}  // namespace stad::speed
