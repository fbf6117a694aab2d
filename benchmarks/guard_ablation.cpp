// What each constant of the guarded default is worth: the gain over the source on recorded streams with the constant
// changed or its test removed. A variant is preferred to the shipped constants in a fold if it has fewer cells below
// -0.3 points on the data sets that are not left out, or as many and a larger mean. Every stream is run in three
// orders, whole and in pieces of 512 rows that each start from the source.
//
//   stad_guard_ablation DATA [BATCH_SIZE]     DATA holds corpus/*.npz and pacs/*.npz

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <stad/eval/pipeline.hpp>

#include "math/softmax.hpp"
#include "recordings.hpp"
#include "safe/base.hpp"

namespace {

using stad::Index;
using stad::ablation::fail;
using stad::ablation::GainTable;
using stad::ablation::kHarm;
using stad::ablation::preferred;
using stad::ablation::Recording;
using stad::safe::Params;

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

/// Accuracy in points of the base over the source in one order, and the share of the rows that the chains answered.
std::pair<double, double> run(const Recording& recording, const std::vector<stad::PlannedBatch>& batches, Index piece,
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
struct VariantTable : GainTable {
  std::vector<double> answered_by_chains;  ///< share of the rows
};

std::vector<VariantTable> run_all(const std::vector<Recording>& recordings, const std::vector<Variant>& list,
                                  Index size) {
  std::vector<VariantTable> tables(list.size());
  const std::size_t cells = recordings.size() * kSettings.size();
  for (VariantTable& table : tables) {
    for (const Recording& recording : recordings)
      for (const Setting& setting : kSettings) {
        table.data_sets.push_back(recording.data_set);
        table.places.push_back(recording.name + " " + setting.name);
      }
    table.gains.resize(cells);
    table.answered_by_chains.resize(cells);
  }
  stad::ablation::for_all(cells, [&](std::size_t i) {
    const Recording& recording = recordings[i / kSettings.size()];
    const Setting& setting = kSettings[i % kSettings.size()];
    const auto batches = stad::plan_batches(recording.stream, {.batch_size = size, .order = setting.order});
    if (!batches) fail(batches.error().message);
    for (std::size_t v = 0; v < list.size(); ++v)
      std::tie(tables[v].gains[i], tables[v].answered_by_chains[i]) = run(recording, *batches, setting.piece, list[v]);
  });
  return tables;
}

void print(const Variant& variant, const VariantTable& table, const VariantTable& shipped) {
  const auto by_order = [&](std::size_t order) {
    return table.criterion([&](std::size_t i) { return i % kSettings.size() == order; }).second;
  };
  const auto worst = std::ranges::min_element(table.gains);
  const auto [harmed, mean] = table.criterion([](std::size_t) { return true; });
  fmt::print("{:<34}{:>7.3f}{:>9.3f}{:>10.3f}{:>8.3f}{:>8.3f}{:>6}{:>8.2f}  {:<34}{}\n", variant.name, mean,
             by_order(0), by_order(1), by_order(2), by_order(5), harmed, *worst,
             table.places[static_cast<std::size_t>(worst - table.gains.begin())], preferred(shipped, table));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) fail("usage: stad_guard_ablation DATA [BATCH_SIZE]");
  const auto recordings = stad::ablation::read_recordings(arguments[1]);
  const auto list = variants();
  const auto tables = run_all(recordings, list, count > 2 ? std::atoi(arguments[2]) : 64);
  fmt::print("{} cells; gains over the source in points; harm: cells below {}\n\n", tables.front().gains.size(), kHarm);
  fmt::print("{:<34}{:>7}{:>9}{:>10}{:>8}{:>8}{:>6}{:>8}  {:<34}{}\n", "", "mean", "natural", "shuffled", "sorted",
             "pieces", "harm", "worst", "", "folds");
  for (std::size_t v = 0; v < list.size(); ++v) print(list[v], tables[v], tables.front());
  if (std::getenv("CELLS"))
    for (std::size_t i = 0; i < tables.front().gains.size(); ++i)
      fmt::print("{:<40}{:>8.3f}{:>8.2f}   without a card {:>8.3f}{:>8.2f}\n", tables[0].places[i], tables[0].gains[i],
                 tables[0].answered_by_chains[i], tables[1].gains[i], tables[1].answered_by_chains[i]);
}
