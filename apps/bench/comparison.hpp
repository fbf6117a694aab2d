#pragma once

#include <optional>
#include <string>
#include <vector>

#include <stad/eval/statistics.hpp>

#include "common/json_text.hpp"

namespace stad::cli::bench {

/// A cell of both results: a method on a stream in a setting, over networks and orders.
struct ChangedCell {
  std::string experiment;
  std::string stream;
  std::string setting;
  std::string title;
  std::string detail;  ///< batch size and swept value
  std::string protocol;
  double accuracy_a = 0;  ///< pooled, as fractions
  double accuracy_b = 0;
  std::optional<Difference> difference;  ///< b minus a; none with a single time step
  double adjusted_p = 1;                 ///< by Holm's method, over all cells that changed
  std::string changed_options;           ///< "window = 3 -> 5", and whether the data differ; empty if equal

  bool significant() const { return difference && adjusted_p < 0.05; }
};

struct Comparison {
  std::vector<ChangedCell> cells;   ///< in the order of a
  std::vector<std::string> only_a;  ///< cells that the other lacks, or that failed in one of the two
  std::vector<std::string> only_b;
};

/// Compares two results of `stad bench`.
/// @param a, b directories with results.json and runs/
Comparison compare_results(const std::string& a, const std::string& b);

std::string comparison_text(const Comparison& comparison);
Json comparison_json(const Comparison& comparison);

}  // namespace stad::cli::bench
