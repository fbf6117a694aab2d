#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <stad/options.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

namespace stad::testing {

/// One reference case: what went in and what a float64 implementation answered.
struct GoldenCase {
  std::string name;
  std::string method;
  OptionValues options;
};

/// The list in cases.json; empty where the folder is absent.
std::vector<GoldenCase> golden_cases(const std::string& folder);

/// An array of the case's file in double, as it was written; empty where it has none.
Eigen::MatrixXd golden_array(const std::string& path, const std::string& name);

}  // namespace stad::testing
