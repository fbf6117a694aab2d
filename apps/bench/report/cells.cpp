#include "bench/report/cells.hpp"

#include <algorithm>

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

Candidate& candidate_of(Cell& cell, const std::string& choice) {
  for (Candidate& candidate : cell.candidates)
    if (candidate.choice == choice) return candidate;
  cell.candidates.push_back({choice, {}, {}});
  return cell.candidates.back();
}

}  // namespace

double pooled_percent(const RunRecord& record) { return 100 * record.pooled; }

double step_mean_percent(const RunRecord& record) { return 100 * record.step_mean; }

Figure figure_of(const std::vector<const PlannedRun*>& plans, const std::vector<double>& values) {
  std::map<std::pair<std::size_t, std::string>, std::vector<double>> of_part;
  for (std::size_t i = 0; i < values.size(); ++i)
    of_part[{plans[i]->network, plans[i]->corruption}].push_back(values[i]);
  std::vector<double> means;
  for (const auto& [part, own] : of_part) means.push_back(summarise(own).mean);
  const Summary all = summarise(values);
  Figure figure{all.mean, std::nullopt, std::nullopt};
  if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); })) return figure;
  if (means.size() > 1) figure.deviation = summarise(means).deviation;
  if (means.size() == 1 && values.size() > 1) figure.deviation = all.deviation;
  if (values.size() > means.size()) figure.worst_tenth = all.worst_tenth;
  return figure;
}

std::string Candidate::failure() const {
  for (const RunRecord* record : records)
    if (record->failed) return record->reason;
  return "";
}

Figure Candidate::figure(double (*value)(const RunRecord&)) const {
  std::vector<double> values;
  for (const RunRecord* record : records) values.push_back(value(*record));
  return figure_of(plans, values);
}

const Candidate* Cell::chosen(Protocol protocol) const {
  if (protocol == Protocol::kLabelFree)
    return has_grid() || method->protocol == Protocol::kLabelFree ? &candidates.front() : nullptr;
  const Candidate* best = nullptr;
  double highest = -1;
  for (const Candidate& candidate : candidates) {
    const double mean = candidate.failure().empty() ? candidate.figure(pooled_percent).mean : -1;
    if (best && mean <= highest) continue;
    best = &candidate;
    highest = mean;
  }
  return best;
}

std::vector<Protocol> Cell::protocols() const {
  if (has_grid()) return {Protocol::kLabelFree, Protocol::kBestWithLabels};
  return {method->protocol};
}

Cells::Cells(const Experiment& experiment, const Plan& plan, const Outcome& outcome) {
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const PlannedRun& run = plan.runs[i];
    if (run.experiment != &experiment) continue;
    Cell& cell = cells_[key_of(run)];
    cell.method = run.method;
    Candidate& candidate = candidate_of(cell, run.choice);
    candidate.plans.push_back(&run);
    candidate.records.push_back(&outcome.records[i]);
  }
}

const Cell* Cells::find(const CellKey& key) const {
  const auto found = cells_.find(key);
  return found == cells_.end() ? nullptr : &found->second;
}

}  // namespace stad::cli::bench
