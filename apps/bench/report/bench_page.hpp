#pragma once

#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// The report for report_page(): one section an experiment.
Json bench_page(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

}  // namespace stad::cli::bench
