#pragma once

#include <string>
#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// The aggregates for programs: one entry for each cell and protocol, with the paper's figure beside it.
Json bench_summary(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

/// The accuracy tables for a terminal.
std::string bench_tables(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

}  // namespace stad::cli::bench
