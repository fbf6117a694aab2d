#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>

namespace stad::testing {

inline Simulation simulated(const SimulationSettings& settings) {
  auto result = simulate(settings);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return *std::move(result);
}

inline std::string simulate_error(const SimulationSettings& settings) {
  const auto result = simulate(settings);
  return result ? "" : result.error().message;
}

inline std::vector<float> feature_values(const FeatureStream& stream) {
  return {stream.features.data, stream.features.data + stream.features.rows * stream.features.cols};
}

}  // namespace stad::testing
