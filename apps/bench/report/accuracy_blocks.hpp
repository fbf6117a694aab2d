#pragma once

#include <string>
#include <vector>

#include "bench/report/exhibits.hpp"
#include "bench/report/figure_column.hpp"

namespace stad::cli::bench {

/// The figures of one stream in one setting: the rows are Results::titles().
struct AccuracyBlock {
  std::string heading;
  std::vector<FigureColumn> columns;  ///< ours by protocol, then the paper's where there are any
};

std::vector<AccuracyBlock> accuracy_blocks(const Results& results);

}  // namespace stad::cli::bench
