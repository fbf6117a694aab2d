// What each constant of the guarded default is worth: the gain over the source on recorded streams with the constant
// changed or its test removed. A variant is preferred to the shipped constants in a fold if it has fewer cells below
// -0.3 points on the data sets that are not left out, or as many and a larger mean. Every stream is run in three
// orders, whole and in pieces of 512 rows that each start from the source.
//
//   stad_guard_ablation DATA [BATCH_SIZE]     DATA holds corpus/*.npz and pacs/*.npz

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <stad/eval/pipeline.hpp>
#include <stad/files.hpp>
#include <stad/methods.hpp>

#include "data/source_logits.hpp"
#include "math/softmax.hpp"
#include "safe/base.hpp"

namespace {

using stad::Index;
using stad::safe::Params;

constexpr double kHarm = -0.3;  // points

struct Variant {
  std::string name;
  Params params;
  bool with_card = true;
};

std::vector<Variant> variants() {
  std::vector<Variant> list{{"as shipped", {}}, {"without a card", {}, false}};
  const auto add = [&](const char* name, auto Params::*field, auto value) {
    Variant variant{name, {}};
    variant.params.*field = value;
    list.push_back(variant);
  };
  add("no test of zeta", &Params::least_zeta, -1e9);
  add("zeta 3", &Params::least_zeta, 3.0);
  add("zeta 6", &Params::least_zeta, 6.0);
  add("no test of excess", &Params::least_excess, -1e9);
  add("excess 0.2", &Params::least_excess, 0.2);
  add("excess 0.4", &Params::least_excess, 0.4);
  add("no test of autocorrelation", &Params::most_autocorrelation, 1e9);
  add("autocorrelation 0.2", &Params::most_autocorrelation, 0.2);
  add("autocorrelation 0.4", &Params::most_autocorrelation, 0.4);
  add("no least number of rows", &Params::least_rows, Index{0});
  add("windows of 128", &Params::window, Index{128});
  add("windows of 512", &Params::window, Index{512});
  add("2 windows", &Params::windows, Index{2});
  add("8 windows", &Params::windows, Index{8});
  add("windows close at 256 rows alone", &Params::shortest_window, Index{256});
  add("no least possible excess", &Params::least_excess_pairs, 1e-9);
  add("prior floor 0", &Params::prior_floor, 1e-9);
  add("residuals not centred over time", &Params::centre_rows, Index{1'000'000});
  add("centre over 50 rows", &Params::centre_rows, Index{50});
  add("centre over 800 rows", &Params::centre_rows, Index{800});
  add("autocorrelation over 250 rows", &Params::autocorrelation_rows, Index{250});
  add("autocorrelation over 4000 rows", &Params::autocorrelation_rows, Index{4000});
  add("law over 250 rows", &Params::law_rows, 250.0);
  add("law over all rows", &Params::law_rows, 1e12);
  add("law prior 10 rows", &Params::law_prior_rows, 10.0);
  add("law floor 1e-6", &Params::law_floor, 1e-6);
  add("score over 100 rows", &Params::score_rows, 100.0);
  add("score over all rows", &Params::score_rows, 1e12);
  add("no entry cost", &Params::entry_cost, 0.0);
  add("entry cost 20", &Params::entry_cost, 20.0);
  for (const Index rows : {Index{256}, Index{1024}}) {
    Variant variant{fmt::format("no card, means from {} rows", rows), {}, false};
    variant.params.mean_rows = rows;
    list.push_back(variant);
  }
  for (const double rows : {1.0, 20.0}) {
    Variant variant{fmt::format("no card, mean worth {} rows", rows), {}, false};
    variant.params.mean_prior_rows = rows;
    list.push_back(variant);
  }
  return list;
}

/// A recorded stream with the source's logits.
struct Recording {
  std::string data_set;
  std::string name;
  stad::SourceModel source;
  stad::FeatureStream stream;
  stad::DoubleRows logits;
};

std::string data_set_of(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return file.parent_path().filename() == "pacs" ? "pacs" : name.substr(0, name.find('.'));
}

[[noreturn]] void fail(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  std::exit(1);
}

std::vector<Recording> read_recordings(const std::filesystem::path& data) {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"corpus", "pacs"})
    if (std::filesystem::exists(data / folder))
      for (const auto& entry : std::filesystem::directory_iterator(data / folder))
        if (entry.path().extension() == ".npz") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Recording> recordings;
  for (const auto& file : files) {
    auto source = stad::read_source(file.string());
    if (!source) fail(source.error().message);
    auto stream = stad::read_stream(file.string());
    if (!stream) fail(stream.error().message);
    stad::DoubleRows logits = stad::source_logits(*source, stream->features);
    recordings.push_back(
        {data_set_of(file), file.stem().string(), *std::move(source), *std::move(stream), std::move(logits)});
  }
  if (recordings.empty()) fail(fmt::format("{}: no streams in corpus or pacs", data.string()));
  return recordings;
}

struct Setting {
  const char* name;
  stad::Order order;
  Index piece;  ///< rows after which the adapter starts again
};

constexpr Index kWhole = 1'000'000'000;
constexpr Index kPiece = 512;
constexpr std::array kSettings{Setting{"natural", stad::Order::kAsIs, kWhole},
                               Setting{"shuffled", stad::Order::kShuffled, kWhole},
                               Setting{"sorted", stad::Order::kSorted, kWhole},
                               Setting{"natural, pieces", stad::Order::kAsIs, kPiece},
                               Setting{"shuffled, pieces", stad::Order::kShuffled, kPiece},
                               Setting{"sorted, pieces", stad::Order::kSorted, kPiece}};

/// Accuracy in points of the base over the source in one order.
struct Cell {
  double gain = 0;
  double answered_by_chains = 0;  ///< share of the rows
};

/// Rows of a batch in memory that the base takes.
struct BatchBuffers {
  stad::DoubleRows logits;
  stad::FloatRows probabilities;

  void fill(const Recording& recording, const std::vector<Index>& rows, double temperature) {
    logits.resize(static_cast<Index>(rows.size()), recording.logits.cols());
    probabilities.resize(logits.rows(), logits.cols());
    for (Index n = 0; n < logits.rows(); ++n) {
      logits.row(n) = recording.logits.row(rows[static_cast<std::size_t>(n)]);
      probabilities.row(n) = ((logits.row(n).array() - logits.row(n).maxCoeff()) / temperature).cast<float>();
    }
    stad::softmax_of_shifted({probabilities.data(), probabilities.rows(), probabilities.cols()});
  }
};

Cell run(const Recording& recording, const std::vector<stad::PlannedBatch>& batches, Index piece,
         const Variant& variant) {
  const auto bare = recording.source.with_card(stad::SourceCard{});
  const stad::SourceModel& source = variant.with_card ? recording.source : *bare;
  stad::safe::Base base(source, variant.params);
  BatchBuffers buffers;
  Index gained = 0, by_chains = 0, rows = 0;
  for (const auto& batch : batches) {
    if (base.rows() >= piece) base = stad::safe::Base(source, variant.params);
    buffers.fill(recording, batch.rows, source.card().temperature.value_or(1));
    const stad::FloatRows before = buffers.probabilities;
    base.adapt({buffers.logits.data(), buffers.logits.rows(), buffers.logits.cols()}, batch.time,
               {buffers.probabilities.data(), buffers.probabilities.rows(), buffers.probabilities.cols()});
    for (Index n = 0; n < before.rows(); ++n) {
      Index own = 0, other = 0;
      buffers.probabilities.row(n).maxCoeff(&own);
      buffers.logits.row(n).maxCoeff(&other);
      const auto label = recording.stream.labels[static_cast<std::size_t>(batch.rows[static_cast<std::size_t>(n)])];
      if (base.guard().chains) gained += (own == label ? 1 : 0) - (other == label ? 1 : 0);
    }
    rows += before.rows();
    if (base.guard().chains) by_chains += before.rows();
  }
  return {100.0 * static_cast<double>(gained) / static_cast<double>(rows),
          static_cast<double>(by_chains) / static_cast<double>(rows)};
}

/// The cells of one variant: one for each recording and order.
struct Table {
  std::vector<std::string> data_sets, places;
  std::vector<Cell> cells;

  template <typename Keep>
  std::pair<Index, double> criterion(const Keep& keep) const {
    Index harmed = 0, count = 0;
    double sum = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (keep(i)) {
        harmed += cells[i].gain < kHarm ? 1 : 0;
        sum += cells[i].gain;
        ++count;
      }
    return {harmed, sum / static_cast<double>(std::max<Index>(count, 1))};
  }
};

std::vector<Table> run_all(const std::vector<Recording>& recordings, const std::vector<Variant>& list, Index size) {
  std::vector<Table> tables(list.size());
  for (Table& table : tables)
    for (const Recording& recording : recordings)
      for (const Setting& setting : kSettings) {
        table.data_sets.push_back(recording.data_set);
        table.places.push_back(recording.name + " " + setting.name);
        table.cells.emplace_back();
      }
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < recordings.size() * kSettings.size();) {
      const Recording& recording = recordings[i / kSettings.size()];
      const Setting& setting = kSettings[i % kSettings.size()];
      const auto batches = stad::plan_batches(recording.stream, {.batch_size = size, .order = setting.order});
      if (!batches) fail(batches.error().message);
      for (std::size_t v = 0; v < list.size(); ++v)
        tables[v].cells[i] = run(recording, *batches, setting.piece, list[v]);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) threads.emplace_back(work);
  threads.clear();
  return tables;
}

/// In how many folds the variant would have been preferred to the shipped constants.
std::string preferred(const Table& shipped, const Table& variant) {
  std::vector<std::string> sets = shipped.data_sets;
  std::ranges::sort(sets);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  Index folds = 0;
  for (const std::string& left_out : sets) {
    const auto keep = [&](std::size_t i) { return shipped.data_sets[i] != left_out; };
    const auto [own_harm, own_mean] = variant.criterion(keep);
    const auto [harm, mean] = shipped.criterion(keep);
    folds += own_harm < harm || (own_harm == harm && own_mean > mean) ? 1 : 0;
  }
  return fmt::format("{} of {}", folds, sets.size());
}

void print(const Variant& variant, const Table& table, const Table& shipped) {
  const auto by_order = [&](std::size_t order) {
    return table.criterion([&](std::size_t i) { return i % kSettings.size() == order; }).second;
  };
  const auto worst = std::ranges::min_element(table.cells, {}, &Cell::gain);
  const auto [harmed, mean] = table.criterion([](std::size_t) { return true; });
  fmt::print("{:<34}{:>7.3f}{:>9.3f}{:>10.3f}{:>8.3f}{:>8.3f}{:>6}{:>8.2f}  {:<34}{}\n", variant.name, mean,
             by_order(0), by_order(1), by_order(2), by_order(5), harmed, worst->gain,
             table.places[static_cast<std::size_t>(worst - table.cells.begin())], preferred(shipped, table));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) fail("usage: stad_guard_ablation DATA [BATCH_SIZE]");
  const auto recordings = read_recordings(arguments[1]);
  const auto list = variants();
  const auto tables = run_all(recordings, list, count > 2 ? std::atoi(arguments[2]) : 64);
  fmt::print("{} cells; gains over the source in points; harm: cells below {}\n\n", tables.front().cells.size(), kHarm);
  fmt::print("{:<34}{:>7}{:>9}{:>10}{:>8}{:>8}{:>6}{:>8}  {:<34}{}\n", "", "mean", "natural", "shuffled", "sorted",
             "pieces", "harm", "worst", "", "folds");
  for (std::size_t v = 0; v < list.size(); ++v) print(list[v], tables[v], tables.front());
  if (std::getenv("CELLS"))
    for (std::size_t i = 0; i < tables.front().cells.size(); ++i)
      fmt::print("{:<40}{:>8.3f}{:>8.2f}   without a card {:>8.3f}{:>8.2f}\n", tables[0].places[i],
                 tables[0].cells[i].gain, tables[0].cells[i].answered_by_chains, tables[1].cells[i].gain,
                 tables[1].cells[i].answered_by_chains);
}
