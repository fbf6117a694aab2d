#include "bench/report/gains.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace stad::cli::bench {
namespace {

/// One column for each protocol of each title, then the best of all chosen with labels, if any.
std::vector<GainColumn> columns_of(const Results& results) {
  std::vector<GainColumn> columns;
  for (const std::string& title : results.titles()) {
    bool by_protocol[2] = {};
    for (const MethodSpec& method : results.experiment.methods) {
      if (method.title != title || method.name.empty() || method.name == "source" || method.sweep) continue;
      by_protocol[0] |= !method.grid.empty() || method.protocol == Protocol::kLabelFree;
      by_protocol[1] |= !method.grid.empty() || method.protocol == Protocol::kBestWithLabels;
    }
    for (const Protocol protocol : {Protocol::kLabelFree, Protocol::kBestWithLabels})
      if (by_protocol[protocol == Protocol::kBestWithLabels])
        columns.push_back({title, protocol, by_protocol[0] && by_protocol[1]});
  }
  if (results.has_choices()) columns.push_back({"", Protocol::kBestWithLabels, false});
  return columns;
}

const CandidateRuns* source_of(const Results& results, CellKey key) {
  for (const MethodSpec& method : results.experiment.methods) {
    if (method.name != "source") continue;
    key.title = method.title;
    if (const ResultCell* cell = results.cells.find(key)) return &cell->candidates.front();
  }
  return nullptr;
}

/// Pairs a run of a method with the run of the source.
std::tuple<std::size_t, std::string, std::uint64_t> pair_of(const PlannedRun& run) {
  return {run.network, run.corruption, run.seed};
}

std::vector<double> member_gains(const CandidateRuns& candidate, const CandidateRuns& source) {
  std::map<std::tuple<std::size_t, std::string, std::uint64_t>, double> of_source;
  for (std::size_t i = 0; i < source.plans.size(); ++i)
    of_source[pair_of(*source.plans[i])] = pooled_percent(*source.records[i]);
  std::map<std::pair<std::size_t, std::string>, std::vector<double>> of_member;
  for (std::size_t i = 0; i < candidate.plans.size(); ++i) {
    const PlannedRun& run = *candidate.plans[i];
    of_member[{run.network, run.corruption}].push_back(pooled_percent(*candidate.records[i]) -
                                                       of_source.at(pair_of(run)));
  }
  std::vector<double> gains;
  gains.reserve(of_member.size());
  for (const auto& [member, own] : of_member) gains.push_back(summarise(own).mean);
  return gains;
}

GainEntry entry_of(const ResultCell* cell, const GainColumn& column, const CandidateRuns& source) {
  if (!cell || std::ranges::count(cell->protocols(), column.protocol) == 0) return {};
  const CandidateRuns& candidate = *cell->chosen(column.protocol);
  for (const CandidateRuns* one : {&candidate, &source})
    if (!one->failure().empty()) return {std::nullopt, one->failure()};
  return {Gain{member_gains(candidate, source), column.title, candidate.choice}, ""};
}

GainEntry best_of(const std::vector<GainColumn>& columns, const std::vector<GainEntry>& entries) {
  GainEntry best;
  for (std::size_t c = 0; c < entries.size(); ++c) {
    const auto& gain = entries[c].gain;
    if (columns[c].protocol != Protocol::kBestWithLabels || !gain) continue;
    if (!best.gain || gain->mean() > best.gain->mean()) best.gain = gain;
  }
  return best;
}

GainRow row_of(const Results& results, const std::vector<GainColumn>& columns, GainRow row) {
  CellKey key{row.stream->name, row.setting->name, row.batch_size, "", "", ""};
  const CandidateRuns& source = *source_of(results, key);
  if (source.failure().empty()) row.source = source.figure(pooled_percent).mean;
  for (const GainColumn& column : columns) {
    key.title = column.title;
    row.entries.push_back(column.is_best_of_all() ? best_of(columns, row.entries)
                                                  : entry_of(results.cells.find(key), column, source));
  }
  return row;
}

void count(const GainRow& row, const Gain& gain, GainSummary& sum) {
  const double mean = gain.mean(), least = gain.least();
  if (sum.cells == 0 || mean < sum.least_cell) {
    sum.least_cell = mean;
    sum.least_row = &row;
  }
  sum.least_member = sum.cells == 0 ? least : std::min(sum.least_member, least);
  ++sum.cells;
  sum.cells_worse += is_worse(mean);
  sum.members += static_cast<Index>(gain.members.size());
  sum.members_worse += std::ranges::count_if(gain.members, is_worse);
  sum.members_harmed += std::ranges::count_if(gain.members, [](double member) { return member < -kHarm; });
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double Gain::mean() const { return mean_of(members); }

double Gain::least() const { return *std::ranges::min_element(members); }

GainSummary GainTable::summarise(std::size_t column) const {
  GainSummary sum;
  std::vector<double> all;
  std::vector<std::pair<const SettingSpec*, std::vector<double>>> settings;
  for (const GainRow& row : rows) {
    auto own = std::ranges::find(settings, row.setting, &decltype(settings)::value_type::first);
    if (own == settings.end()) own = settings.insert(own, {row.setting, {}});
    const auto& gain = row.entries[column].gain;
    if (!gain) continue;
    count(row, *gain, sum);
    all.push_back(gain->mean());
    own->second.push_back(gain->mean());
  }
  if (!all.empty()) sum.mean = mean_of(all);
  for (const auto& [setting, gains] : settings)
    sum.by_setting.emplace_back(setting->name, gains.empty() ? std::nullopt : std::optional(mean_of(gains)));
  return sum;
}

GainTable gain_table(const Results& results) {
  GainTable table{columns_of(results), {}};
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    for (const Index size : setting.batch_sizes)
      table.rows.push_back(row_of(results, table.columns, {&stream, &setting, size, std::nullopt, {}}));
  });
  return table;
}

std::string name_of(const GainRow& row) { return fmt::format("{}, batches of {}", row.setting->name, row.batch_size); }

std::string gain_text(double gain) {
  const double shown = std::round(gain * 100) / 100;
  return shown == 0 ? "0.00" : fmt::format("{:+.2f}", shown);
}

}  // namespace stad::cli::bench
