#include <algorithm>

#include <fmt/format.h>

#include "bench/report/cells.hpp"
#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {
namespace {

double batch_microseconds(const RunRecord& record) {
  return 1e6 * record.seconds_adapt / static_cast<double>(record.batches);
}

/// The fastest repeat, because other load on the machine only adds time.
double fastest(const CandidateRuns& candidate) {
  double least = batch_microseconds(*candidate.records.front());
  for (const RunRecord* record : candidate.records) least = std::min(least, batch_microseconds(*record));
  return least;
}

Json runtime_row(const Results& results, const CellKey& key, const Json& title, double source) {
  Json row = Json::array({title});
  const CandidateRuns* candidate = results.shown(key);
  row.push_back(candidate ? fmt::format("{:.1f}", fastest(*candidate)) : "–");
  row.push_back(candidate && source > 0 ? fmt::format("{:.1f}", fastest(*candidate) / source) : "–");
  const PaperFigure* figure = results.experiment.published({key.stream, key.setting, key.title, ""});
  row.push_back({{"text", figure ? fmt::format("{:.1f}", figure->mean) : "–"}, {"tone", "faint"}});
  return row;
}

/// Time of the source on a batch of this size; 0 if it was not measured.
double source_time(const Results& results, const StreamSpec& stream, const SettingSpec& setting, Index size) {
  double time = 0;
  for (const std::string& title : results.titles())
    if (const auto* found = results.shown({stream.name, setting.name, size, title, "", ""});
        found && results.is_source(title))
      time = fastest(*found);
  return time;
}

/// One row for each method that was measured or published.
Json runtime_rows(const Results& results, const StreamSpec& stream, const SettingSpec& setting, Index size) {
  const double source = source_time(results, stream, setting, size);
  Json rows = Json::array();
  for (const std::string& title : results.titles()) {
    const CellKey key{stream.name, setting.name, size, title, "", ""};
    if (results.shown(key) || results.experiment.published({key.stream, key.setting, title, ""}))
      rows.push_back(runtime_row(results, key, results.title_cell(title, stream, setting), source));
  }
  return rows;
}

}  // namespace

void add_runtime_table(const Results& results, Section& section) {
  const char* relative = results.experiment.through_network ? "times the source network" : "times the source head";
  for (const StreamSpec& stream : results.experiment.streams)
    for (const SettingSpec& setting : results.experiment.settings)
      for (const Index size : setting.batch_sizes)
        if (const Json rows = runtime_rows(results, stream, setting, size); !rows.empty())
          section.tables.push_back(
              {{"caption", fmt::format("{}: time to adapt to and classify one batch, the fastest of the repeats",
                                       heading_of(stream, setting, size))},
               {"columns", {"method", "µs per batch", relative, "paper, times the source network"}},
               {"rows", rows}});
}

}  // namespace stad::cli::bench
