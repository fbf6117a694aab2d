#pragma once

#include <string>
#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// The content of summary.json: one entry for each cell and protocol with the published figure, and the gains of the
/// experiments that show them.
Json bench_summary(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

/// The tables of accuracies, gains and warning levels for the terminal.
std::string bench_tables(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

/// The report for report_page(), one section per experiment.
Json bench_page(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

/// The content of results.json: one row for each run and protocol that it counts for.
Json result_rows(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome);

/// The same rows as comma-separated values, with the options as one quoted field.
std::string csv_text(const Json& rows);

}  // namespace stad::cli::bench
