#pragma once

#include <string>
#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// One row for each run and protocol it counts for, experiment by experiment: the contract of results.json.
Json result_rows(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

/// The same rows as comma-separated values; options are one quoted field.
std::string csv_text(const Json& rows);

}  // namespace stad::cli::bench
