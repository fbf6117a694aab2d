#pragma once

#include <string>
#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// The aggregates for programs: one entry for each cell and protocol, with the paper's figure beside it; and the gains
/// of the experiments that show them.
Json bench_summary(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

/// The tables of accuracies and gains for a terminal.
std::string bench_tables(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

}  // namespace stad::cli::bench
