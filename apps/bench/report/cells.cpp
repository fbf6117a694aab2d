#include "bench/report/cells.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace stad::cli::bench {
namespace {

CellKey key_of(const PlannedRun& run) {
  return {run.stream->name,
          run.setting->name,
          run.batch_size,
          run.method->title,
          run.method->sweep ? run.method->sweep->name : "",
          run.sweep_value};
}

CandidateRuns& candidate_of(ResultCell& cell, const std::string& choice) {
  for (CandidateRuns& candidate : cell.candidates)
    if (candidate.choice == choice) return candidate;
  cell.candidates.push_back({choice, {}, {}});
  return cell.candidates.back();
}

/// The printed digits: figures that print equally have the same rank.
long long printed_digits(double figure) { return std::llround(figure * 100); }

}  // namespace

double pooled_percent(const RunRecord& record) { return 100 * record.pooled; }

double step_mean_percent(const RunRecord& record) { return 100 * record.step_mean; }

Figure figure_of(const std::vector<const PlannedRun*>& plans, const std::vector<double>& values) {
  std::map<std::pair<std::size_t, std::string>, std::vector<double>> of_part;
  for (std::size_t i = 0; i < values.size(); ++i)
    of_part[{plans[i]->network, plans[i]->corruption}].push_back(values[i]);
  std::vector<double> means;
  means.reserve(of_part.size());
  for (const auto& [part, own] : of_part) means.push_back(summarise(own).mean);
  const Summary all = summarise(values);
  Figure figure{all.mean, std::nullopt, std::nullopt};
  if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); })) return figure;
  if (means.size() > 1) figure.deviation = summarise(means).deviation;
  if (means.size() == 1 && values.size() > 1) figure.deviation = all.deviation;
  if (values.size() > means.size()) figure.worst_tenth = all.worst_tenth;
  return figure;
}

std::string CandidateRuns::failure() const {
  for (const RunRecord* record : records)
    if (record->failed) return record->reason;
  return "";
}

Figure CandidateRuns::figure(double (*value)(const RunRecord&)) const {
  std::vector<double> values;
  values.reserve(records.size());
  for (const RunRecord* record : records) values.push_back(value(*record));
  return figure_of(plans, values);
}

const CandidateRuns* ResultCell::chosen(Protocol protocol) const {
  if (protocol == Protocol::kLabelFree)
    return has_grid() || method->protocol == Protocol::kLabelFree ? &candidates.front() : nullptr;
  const CandidateRuns* best = nullptr;
  double highest = -1;
  for (const CandidateRuns& candidate : candidates) {
    const double mean = candidate.failure().empty() ? candidate.figure(pooled_percent).mean : -1;
    if (best && mean <= highest) continue;
    best = &candidate;
    highest = mean;
  }
  return best;
}

std::vector<Protocol> ResultCell::protocols() const {
  if (has_grid()) return {Protocol::kLabelFree, Protocol::kBestWithLabels};
  return {method->protocol};
}

Cells::Cells(const Experiment& experiment, const Plan& plan, const Outcome& outcome) {
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const PlannedRun& run = plan.runs[i];
    if (run.experiment != &experiment) continue;
    ResultCell& cell = cells_[key_of(run)];
    cell.method = run.method;
    CandidateRuns& candidate = candidate_of(cell, run.choice);
    candidate.plans.push_back(&run);
    candidate.records.push_back(&outcome.records[i]);
  }
}

const ResultCell* Cells::find(const CellKey& key) const {
  const auto found = cells_.find(key);
  return found == cells_.end() ? nullptr : &found->second;
}

FigureEntry entry_of(const CandidateRuns* candidate, double (*value)(const RunRecord&)) {
  FigureEntry entry;
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

FigureEntry entry_of(const PaperFigure* published) {
  FigureEntry entry;
  if (published) entry.figure = Figure{published->mean, published->deviation, std::nullopt};
  return entry;
}

SourceComparison compare_with_source(const FigureColumn& column, std::size_t row) {
  const FigureEntry& own = column.entries[row];
  if (!own.figure || own.is_source) return SourceComparison::kNone;
  for (const FigureEntry& entry : column.entries) {
    if (!entry.is_source || !entry.figure) continue;
    const auto own_digits = printed_digits(own.figure->mean), source_digits = printed_digits(entry.figure->mean);
    if (own_digits == source_digits) return SourceComparison::kNone;
    return own_digits > source_digits ? SourceComparison::kBetter : SourceComparison::kWorse;
  }
  return SourceComparison::kNone;
}

int rank_of(const FigureColumn& column, std::size_t row) {
  const FigureEntry& own = column.entries[row];
  if (!own.figure || own.is_source) return 0;
  std::set<long long> above;
  std::size_t ranked = 0;
  for (const FigureEntry& entry : column.entries) {
    if (!entry.figure || entry.is_source) continue;
    ++ranked;
    if (printed_digits(entry.figure->mean) > printed_digits(own.figure->mean))
      above.insert(printed_digits(entry.figure->mean));
  }
  if (ranked < 2 || above.size() > 1) return 0;
  return static_cast<int>(above.size()) + 1;
}

std::string figure_text(const Figure& figure) {
  const std::string mean = fmt::format("{:.2f}", figure.mean);
  return figure.deviation ? fmt::format("{} ± {:.2f}", mean, *figure.deviation) : mean;
}

Json page_cell(const FigureColumn& column, std::size_t row) {
  const FigureEntry& entry = column.entries[row];
  if (!entry.figure && !entry.failed) return {{"text", "–"}, {"tone", "faint"}};
  Json cell{{"text", entry.failed ? "failed" : figure_text(*entry.figure)}};
  const SourceComparison comparison = compare_with_source(column, row);
  if (comparison != SourceComparison::kNone)
    cell["tone"] = comparison == SourceComparison::kBetter ? "better" : "worse";
  if (entry.failed) cell["tone"] = "worse";
  if (const int rank = rank_of(column, row)) cell["rank"] = rank;
  if (!entry.note.empty()) cell["note"] = entry.note;
  return cell;
}

}  // namespace stad::cli::bench
