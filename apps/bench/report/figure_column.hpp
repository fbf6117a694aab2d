#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// One cell of a column before it is ranked.
struct Entry {
  std::optional<Figure> figure;
  bool failed = false;     ///< then there is no figure, and the note says why
  std::string note;        ///< a smaller line below
  bool is_source = false;  ///< what the others are compared with; takes no rank
};

Entry entry_of(const Candidate* candidate, double (*value)(const RunRecord&) = pooled_percent);
Entry entry_of(const PaperFigure* published);

struct FigureColumn {
  std::string title;
  std::vector<Entry> entries;  ///< one a row
};

enum class Standing { kNone, kBetter, kWorse };

/// Better or worse than the source of the same column; kNone without one, or where the digits shown are the same.
Standing standing_of(const FigureColumn& column, std::size_t row);

/// 1 for the highest figure, 2 for the second, else 0; equal digits share a rank.
int rank_of(const FigureColumn& column, std::size_t row);

std::string figure_text(const Figure& figure);
/// For the page.
Json page_cell(const FigureColumn& column, std::size_t row);

}  // namespace stad::cli::bench
