#include "bench/report/accuracy_blocks.hpp"

#include <fmt/format.h>

namespace stad::cli::bench {
namespace {

/// With the mean over time steps below: the paper does not say which of the two its figures are.
Entry accuracy_entry(const Candidate* candidate) {
  Entry entry = entry_of(candidate);
  if (!entry.figure) return entry;
  const std::string steps = fmt::format("steps {:.2f}", candidate->figure(step_mean_percent).mean);
  entry.note = entry.note.empty() ? steps : steps + "\n" + entry.note;
  const PlannedRun& run = *candidate->plans.front();
  if (const std::string thrift = thrift_text(*run.method, *run.stream, *run.setting); !thrift.empty())
    entry.note += "\n" + thrift;
  return entry;
}

FigureColumn our_column(const Results& results, CellKey key, const std::string& title, Protocol protocol) {
  FigureColumn column{title, {}};
  for (const std::string& method : results.titles()) {
    key.title = method;
    const Cell* cell = results.cells.find(key);
    column.entries.push_back(accuracy_entry(cell ? cell->chosen(protocol) : nullptr));
  }
  return column;
}

/// The paper's figures, or no entries at all.
FigureColumn paper_column(const Results& results, const CellKey& key) {
  FigureColumn column{"paper", {}};
  bool any = false;
  for (const std::string& method : results.titles()) {
    column.entries.push_back(entry_of(results.experiment.published({key.stream, key.setting, method, ""})));
    column.entries.back().is_source = results.is_source(method);
    any = any || column.entries.back().figure;
  }
  if (!any) column.entries.clear();
  return column;
}

AccuracyBlock block_of(const Results& results, const CellKey& key, const std::string& heading, bool missing) {
  AccuracyBlock block{heading, {}};
  const bool choices = results.has_choices();
  if (!missing && choices)
    for (const Protocol protocol : {Protocol::kBestWithLabels, Protocol::kLabelFree})
      block.columns.push_back(our_column(results, key, name_of(protocol), protocol));
  if (!missing && !choices) block.columns.push_back(our_column(results, key, "this run", Protocol::kLabelFree));
  if (auto paper = paper_column(results, key); !paper.entries.empty()) block.columns.push_back(std::move(paper));
  return block;
}

}  // namespace

std::vector<AccuracyBlock> accuracy_blocks(const Results& results) {
  std::vector<AccuracyBlock> blocks;
  for (const StreamSpec& stream : results.experiment.streams)
    for (const SettingSpec& setting : results.experiment.settings) {
      if (!meets(setting, stream)) continue;
      for (const Index size : setting.batch_sizes) {
        blocks.push_back(block_of(results, {stream.name, setting.name, size, "", "", ""},
                                  heading_of(stream, setting, size), results.is_missing(stream)));
        if (blocks.back().columns.empty()) blocks.pop_back();
      }
    }
  return blocks;
}

}  // namespace stad::cli::bench
