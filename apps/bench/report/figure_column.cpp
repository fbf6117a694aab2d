#include "bench/report/figure_column.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace stad::cli::bench {
namespace {

/// The digits shown: figures that look the same rank the same.
long long shown(double figure) { return std::llround(figure * 100); }

}  // namespace

Entry entry_of(const Candidate* candidate, double (*value)(const RunRecord&)) {
  Entry entry;
  if (!candidate) return entry;
  const std::string failure = candidate->failure();
  if (!failure.empty()) {
    entry.failed = true;
    entry.note = failure;
    return entry;
  }
  entry.figure = candidate->figure(value);
  if (entry.figure->worst_tenth) entry.note = fmt::format("worst {:.2f}", *entry.figure->worst_tenth);
  entry.is_source = candidate->plans.front()->method->name == "source";
  return entry;
}

Entry entry_of(const PaperFigure* published) {
  Entry entry;
  if (published) entry.figure = Figure{published->mean, published->deviation, std::nullopt};
  return entry;
}

Standing standing_of(const FigureColumn& column, std::size_t row) {
  const Entry& own = column.entries[row];
  if (!own.figure || own.is_source) return Standing::kNone;
  for (const Entry& entry : column.entries) {
    if (!entry.is_source || !entry.figure) continue;
    const auto mine = shown(own.figure->mean), source = shown(entry.figure->mean);
    if (mine == source) return Standing::kNone;
    return mine > source ? Standing::kBetter : Standing::kWorse;
  }
  return Standing::kNone;
}

int rank_of(const FigureColumn& column, std::size_t row) {
  const Entry& own = column.entries[row];
  if (!own.figure || own.is_source) return 0;
  std::set<long long> above;
  std::size_t ranked = 0;
  for (const Entry& entry : column.entries) {
    if (!entry.figure || entry.is_source) continue;
    ++ranked;
    if (shown(entry.figure->mean) > shown(own.figure->mean)) above.insert(shown(entry.figure->mean));
  }
  if (ranked < 2 || above.size() > 1) return 0;
  return static_cast<int>(above.size()) + 1;
}

std::string figure_text(const Figure& figure) {
  const std::string mean = fmt::format("{:.2f}", figure.mean);
  return figure.deviation ? fmt::format("{} ± {:.2f}", mean, *figure.deviation) : mean;
}

Json page_cell(const FigureColumn& column, std::size_t row) {
  const Entry& entry = column.entries[row];
  if (!entry.figure && !entry.failed) return {{"text", "–"}, {"tone", "faint"}};
  Json cell{{"text", entry.failed ? "failed" : figure_text(*entry.figure)}};
  const Standing standing = standing_of(column, row);
  if (standing != Standing::kNone) cell["tone"] = standing == Standing::kBetter ? "better" : "worse";
  if (entry.failed) cell["tone"] = "worse";
  if (const int rank = rank_of(column, row)) cell["rank"] = rank;
  if (!entry.note.empty()) cell["note"] = entry.note;
  return cell;
}

}  // namespace stad::cli::bench
