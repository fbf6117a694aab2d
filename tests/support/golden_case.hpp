#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <stad/options.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

namespace stad::testing {

/// One reference case: inputs, and answers of a float64 implementation.
struct GoldenCase {
  std::string name;
  std::string method;
  OptionValues options;
};

/// The cases of cases.json; empty if the folder is absent.
std::vector<GoldenCase> golden_cases(const std::string& folder);

/// An array of a case as double; empty if the file does not have it.
Eigen::MatrixXd golden_array(const std::string& path, const std::string& name);

/// A scalar of the case's file in double; none where it has none.
std::optional<double> golden_scalar(const std::string& path, const std::string& name);

}  // namespace stad::testing
