// What labels are worth: the gain of stad-safe over the source on recorded streams with 20 to 200 requested labels a
// stream, one batch late, by order and data set; and what each constant of the certificate, the requests and the head
// correction is worth at 50 and 100 labels. A cell is one stream in one order with one seed.
//
//   stad_label_ablation DATA [table|constants|candidates]     DATA holds corpus/*.npz and pacs/*.npz

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <stad/eval/pipeline.hpp>

#include "adapt/stad_safe_adapter.hpp"
#include "recordings.hpp"

namespace {

using stad::Index;
using stad::ablation::fail;
using stad::ablation::GainTable;
using stad::ablation::kHarm;
using stad::ablation::Recording;
using stad::safe::ContestParams;

struct Variant {
  std::string name;
  ContestParams params = {};
  std::string candidates = "auto";
  bool with_card = true;
  Index delay = 1;
  Index batch_size = 64;
};

constexpr std::array kOrders{stad::Order::kAsIs, stad::Order::kShuffled, stad::Order::kSorted};
constexpr std::array kOrderNames{"natural", "shuffled", "sorted"};

struct LabelledRun {
  double gain = 0;  ///< over the source, in points
  std::optional<Index> labels_to_admission;
};

Index right_answers(const std::vector<std::int64_t>& answers, const std::vector<std::int64_t>& labels) {
  Index right = 0;
  for (std::size_t n = 0; n < answers.size(); ++n) right += answers[n] == labels[n] ? 1 : 0;
  return right;
}

Index right_source_answers(const Recording& recording) {
  Index right = 0;
  for (Index n = 0; n < recording.logits.rows(); ++n) {
    Index label = 0;
    recording.logits.row(n).maxCoeff(&label);
    right += label == recording.stream.labels[static_cast<std::size_t>(n)] ? 1 : 0;
  }
  return right;
}

LabelledRun run(const Recording& recording, stad::Order order, Index budget, std::uint64_t seed,
                const Variant& variant) {
  const auto bare = recording.source.with_card(stad::SourceCard{});
  const stad::SourceModel& source = variant.with_card ? recording.source : *bare;
  const auto rows = static_cast<Index>(recording.stream.labels.size());
  stad::StadSafeOptions options;
  options.label_budget = budget;
  options.label_period = static_cast<double>(rows);
  options.candidates = variant.candidates;
  options.seed = static_cast<Index>(seed);
  auto candidates = stad::make_candidates(source, options, variant.params.correction);
  if (!candidates) fail(candidates.error().message);
  stad::StadSafeAdapter adapter(source, options, *std::move(candidates), {}, variant.params);
  LabelledRun result;
  Index requested = 0;
  const auto note = [&](const stad::PlannedBatch&, const stad::Predictions& answer) {
    const auto admitted = std::ranges::any_of(answer.health.candidates, &stad::CandidateStatus::answers);
    if (admitted && !result.labels_to_admission) result.labels_to_admission = requested;
    requested += static_cast<Index>(answer.label_requests.size());
  };
  const auto report = stad::run(adapter, recording.stream,
                                {.batch_size = variant.batch_size,
                                 .order = order,
                                 .seed = seed,
                                 .late_labels = stad::LateLabels{.delay = variant.delay, .requested = true}},
                                {}, note);
  if (!report) fail(report.error().message);
  const Index gained =
      right_answers(report->predictions.labels, recording.stream.labels) - right_source_answers(recording);
  result.gain = 100.0 * static_cast<double>(gained) / static_cast<double>(rows);
  return result;
}

/// All cells of a variant, ordered by recording, order and seed.
struct LabelTable : GainTable {
  std::vector<std::size_t> orders;
  std::vector<std::optional<Index>> labels_to_admission;
};

LabelTable run_all(const std::vector<Recording>& recordings, Index budget, std::size_t seeds, const Variant& variant) {
  LabelTable table;
  for (const Recording& recording : recordings)
    for (std::size_t order = 0; order < kOrders.size(); ++order)
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        table.data_sets.push_back(recording.data_set);
        table.places.push_back(fmt::format("{} {} {}", recording.name, kOrderNames[order], seed));
        table.orders.push_back(order);
      }
  table.gains.resize(table.places.size());
  table.labels_to_admission.resize(table.places.size());
  stad::ablation::for_all(table.places.size(), [&](std::size_t i) {
    const Recording& recording = recordings[i / (kOrders.size() * seeds)];
    const LabelledRun cell = run(recording, kOrders[table.orders[i]], budget, i % seeds, variant);
    table.gains[i] = cell.gain;
    table.labels_to_admission[i] = cell.labels_to_admission;
  });
  return table;
}

double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::floor(share * static_cast<double>(values.size() - 1)))];
}

void print_header() {
  fmt::print("{:<36}{:>7}{:>7}{:>9}{:>10}{:>8}{:>8}{:>8}{:>8}  {}\n", "", "labels", "mean", "natural", "shuffled",
             "sorted", "harm %", "p1", "worst", "preferred");
}

void print(const std::string& name, Index budget, const LabelTable& table, const std::string& folds) {
  const auto by_order = [&](std::size_t order) {
    return table.criterion([&](std::size_t i) { return table.orders[i] == order; }).second;
  };
  const auto [harmed, mean] = table.criterion([](std::size_t) { return true; });
  const auto worst = std::ranges::min_element(table.gains);
  fmt::print("{:<36}{:>7}{:>7.2f}{:>9.2f}{:>10.2f}{:>8.2f}{:>8.1f}{:>8.2f}{:>8.2f}  {:<9}{}\n", name, budget, mean,
             by_order(0), by_order(1), by_order(2),
             100.0 * static_cast<double>(harmed) / static_cast<double>(table.gains.size()),
             percentile(table.gains, 0.01), *worst, folds,
             table.places[static_cast<std::size_t>(worst - table.gains.begin())]);
  std::fflush(stdout);
}

void print_data_sets(const LabelTable& table) {
  std::map<std::string, bool> sets;
  for (const auto& name : table.data_sets) sets[name] = true;
  for (const auto& [name, present] : sets) {
    fmt::print("    {:<20}", name);
    for (std::size_t order = 0; order < kOrders.size(); ++order)
      fmt::print("{:>9.2f}",
                 table.criterion([&](std::size_t i) { return table.data_sets[i] == name && table.orders[i] == order; })
                     .second);
    fmt::print("\n");
  }
}

/// Of streams with more than two points to gain.
/// @param gainable what the stream gains with the largest budget
void print_admissions(const LabelTable& table, const std::vector<double>& gainable) {
  constexpr double kWorthwhile = 2;  // points
  std::vector<double> labels;
  Index cells = 0;
  for (std::size_t i = 0; i < table.gains.size(); ++i) {
    if (gainable[i] <= kWorthwhile) continue;
    ++cells;
    labels.push_back(table.labels_to_admission[i] ? static_cast<double>(*table.labels_to_admission[i]) : INFINITY);
  }
  fmt::print("    labels until the first admission, {} cells with more than {} points to gain: quartiles {}, {}, {}\n",
             cells, kWorthwhile, percentile(labels, 0.25), percentile(labels, 0.5), percentile(labels, 0.75));
}

/// The cells of one data set, or of all others.
LabelTable part_of(const LabelTable& table, const std::string& data_set, bool is_it) {
  LabelTable part;
  for (std::size_t i = 0; i < table.gains.size(); ++i) {
    if ((table.data_sets[i] == data_set) != is_it) continue;
    part.data_sets.push_back(table.data_sets[i]);
    part.places.push_back(table.places[i]);
    part.gains.push_back(table.gains[i]);
    part.orders.push_back(table.orders[i]);
    part.labels_to_admission.push_back(table.labels_to_admission[i]);
  }
  return part;
}

void print_table(const std::vector<Recording>& recordings) {
  constexpr std::size_t kSeeds = 3;
  const LabelTable most = run_all(recordings, 200, kSeeds, {"as shipped"});
  print_header();
  for (const Index budget : {20, 50, 100, 200}) {
    const LabelTable table = budget == 200 ? most : run_all(recordings, budget, kSeeds, {"as shipped"});
    print("corpus", budget, part_of(table, "pacs", false), "");
    print("pacs", budget, part_of(table, "pacs", true), "");
    print_admissions(table, most.gains);
    print_data_sets(table);
  }
  for (const Index budget : {50, 100}) {
    for (const Index size : {1, 16, 256}) {
      Variant variant{fmt::format("batches of {}", size)};
      variant.batch_size = size;
      print(variant.name, budget, run_all(recordings, budget, 1, variant), "");
    }
    Variant bare{"without a card"};
    bare.with_card = false;
    print(bare.name, budget, run_all(recordings, budget, 1, bare), "");
    Variant late{"labels 10 batches late"};
    late.delay = 10;
    print(late.name, budget, run_all(recordings, budget, 1, late), "");
  }
}

std::vector<Variant> constant_variants() {
  std::vector<Variant> list{{"as shipped"}};
  const auto add = [&](const char* name, const auto& change) {
    Variant variant{name};
    change(variant.params);
    list.push_back(variant);
  };
  add("ridge 0.3", [](ContestParams& p) { p.correction.ridge = 0.3; });
  add("ridge 3", [](ContestParams& p) { p.correction.ridge = 3; });
  add("50 labelled rows", [](ContestParams& p) { p.correction.rows = 50; });
  add("400 labelled rows", [](ContestParams& p) { p.correction.rows = 400; });
  add("3 gradient steps", [](ContestParams& p) { p.correction.steps = 3; });
  add("40 gradient steps", [](ContestParams& p) { p.correction.steps = 40; });
  add("uniform spending", [](ContestParams& p) { p.requests.early = 1; });
  add("earlier spending", [](ContestParams& p) { p.requests.early = 4; });
  add("contested rows alone", [](ContestParams& p) { p.requests.uniform = 0; });
  add("half of the rows uniform", [](ContestParams& p) { p.requests.uniform = 0.5; });
  add("share over 250 rows", [](ContestParams& p) { p.requests.share_rows = 250; });
  add("one bet of 0.5", [](ContestParams& p) { p.certificate.bets.fill(0.5); });
  add("one bet of 0.25", [](ContestParams& p) { p.certificate.bets.fill(0.25); });
  add("revoke at 5", [](ContestParams& p) { p.certificate.revoke = 5; });
  add("revoke at 10", [](ContestParams& p) { p.certificate.revoke = 10; });
  add("never revoke", [](ContestParams& p) { p.certificate.revoke = 1e300; });
  add("set aside at 4", [](ContestParams& p) { p.certificate.set_aside = 4; });
  add("never set aside", [](ContestParams& p) { p.certificate.set_aside = 1e300; });
  add("retry after 50 labels", [](ContestParams& p) { p.certificate.retry_labels = 50; });
  add("takeover at any lead", [](ContestParams& p) { p.certificate.takeover = 1; });
  add("no takeover", [](ContestParams& p) { p.certificate.takeover = 1e300; });
  return list;
}

std::vector<Variant> candidate_variants() {
  std::vector<Variant> list{{"chains,fine-tune"}};
  for (const char* names : {"chains", "fine-tune", "chains,fine-tune,standardise", "chains,fine-tune,half",
                            "chains,fine-tune,recentre", "chains,fine-tune,prior", "chains,fine-tune,lame",
                            "chains,fine-tune,t3a", "chains,fine-tune,stad-vmf", "chains,standardise,prior,recentre"}) {
    Variant variant{names};
    variant.candidates = names;
    list.push_back(variant);
  }
  return list;
}

/// The cells of every data set under the variant that the other data sets prefer: fewest cells below kHarm, then the
/// largest mean.
LabelTable chosen_without_each(const std::vector<LabelTable>& tables) {
  LabelTable chosen = tables.front();
  for (std::size_t i = 0; i < chosen.gains.size(); ++i) {
    const auto keep = [&](std::size_t k) { return chosen.data_sets[k] != chosen.data_sets[i]; };
    const auto better = [&](const LabelTable& a, const LabelTable& b) {
      const auto [a_harm, a_mean] = a.criterion(keep);
      const auto [b_harm, b_mean] = b.criterion(keep);
      return a_harm < b_harm || (a_harm == b_harm && a_mean > b_mean);
    };
    chosen.gains[i] = std::ranges::min_element(tables, better)->gains[i];
  }
  return chosen;
}

void print_variants(const std::vector<Recording>& recordings, const std::vector<Variant>& list) {
  print_header();
  for (const Index budget : {50, 100}) {
    std::vector<LabelTable> tables;
    for (const Variant& variant : list) {
      tables.push_back(run_all(recordings, budget, 2, variant));
      print(variant.name, budget, tables.back(), stad::ablation::preferred(tables.front(), tables.back()));
    }
    print("chosen without the data set", budget, chosen_without_each(tables), "");
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) fail("usage: stad_label_ablation DATA [table|constants|candidates]");
  const std::string part = count > 2 ? arguments[2] : "table";
  const auto recordings = stad::ablation::read_recordings(arguments[1]);
  fmt::print("gains over the source in points; harm: share of cells below {}; p1: first percentile\n\n", kHarm);
  if (part == "constants")
    print_variants(recordings, constant_variants());
  else if (part == "candidates")
    print_variants(recordings, candidate_variants());
  else
    print_table(recordings);
}
