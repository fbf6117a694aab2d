// Accuracies on real data through the command: Yearbook portraits of 1970 to 2013, three
// networks, pooled accuracy in percent.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/command_test.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

struct Row {
  const char* name;
  const char* method;
  std::vector<std::string> options;
  double covariate_shift;  ///< one batch a year
  double label_shift;      ///< batches of 64 sorted by class, five orders; 0: not tabulated

  friend void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
};

std::vector<Row> table() {
  return {
      {"Source", "source", {}, 81.99, 81.99},
      {"VmfLearnedPaper", "stad-vmf", {"init=previous", "learn_kappa=class", "probabilities=paper"}, 85.82, 82.92},
      {"VmfLearnedScaled", "stad-vmf", {"init=previous", "learn_kappa=class", "probabilities=scaled"}, 86.78, 84.00},
      {"VmfLearnedPosterior",
       "stad-vmf",
       {"init=previous", "learn_kappa=class", "probabilities=posterior"},
       86.76,
       84.22},
      {"VmfPrevious", "stad-vmf", {"init=previous", "probabilities=paper"}, 84.90, 82.38},
      {"VmfSource", "stad-vmf", {"probabilities=paper"}, 83.69, 81.71},
      {"GaussDot", "stad-gauss", {"init=previous", "score=dot"}, 83.86, 83.61},
      {"GaussUnit", "stad-gauss", {"init=previous", "score=unit"}, 84.86, 0},
      {"GaussLikelihood", "stad-gauss", {"init=previous", "score=likelihood"}, 85.02, 0},
      {"T3aAll", "t3a", {"supports=all"}, 83.40, 83.28},
      {"Lame", "lame", {"neighbours=5"}, 82.09, 82.97},
  };
}

constexpr int kNetworks = 3;
constexpr int kOrders = 5;

std::string features_of(int network) {
  return shared_path("data/yearbook/yearbook_features_seed" + std::to_string(network) + ".npz");
}

class Yearbook : public CommandTest, public ::testing::WithParamInterface<Row> {
 protected:
  double accuracy(int network, std::vector<std::string> options, const std::vector<std::string>& order) const {
    std::vector<std::string> arguments{"adapt",   "--method", GetParam().method, "--stream", features_of(network),
                                       "--since", "1970",     "--until",         "2013",     "--sort-by-time"};
    for (const auto& option : options) arguments.insert(arguments.end(), {"-O", option});
    arguments.insert(arguments.end(), order.begin(), order.end());
    const auto report = json(arguments);
    EXPECT_EQ(report["samples"], 14171);
    return 100 * report["accuracy"]["pooled"].get<double>();
  }
};

TEST_P(Yearbook, ReproducesTheFigureUnderCovariateShift) {
  STAD_NEEDS_SHARED("data/yearbook");
  double sum = 0;
  for (int network = 0; network < kNetworks; ++network)
    sum += accuracy(network, GetParam().options, {"--batch-size", "1000000"});
  RecordProperty("accuracy", std::to_string(sum / kNetworks));
  EXPECT_NEAR(sum / kNetworks, GetParam().covariate_shift, 0.3);
}

class YearbookLabelShift : public Yearbook {};

TEST_P(YearbookLabelShift, ReproducesTheFigure) {
  STAD_NEEDS_SHARED("data/yearbook");
  auto options = GetParam().options;
  if (std::string(GetParam().method) == "stad-vmf") options.push_back("kappa_trans=1000");
  double sum = 0;
  for (int network = 0; network < kNetworks; ++network)
    for (int order = 0; order < kOrders; ++order)
      sum += accuracy(network, options, {"--batch-size", "64", "--order", "sorted", "--seed", std::to_string(order)});
  RecordProperty("accuracy", std::to_string(sum / (kNetworks * kOrders)));
  EXPECT_NEAR(sum / (kNetworks * kOrders), GetParam().label_shift, 0.4);
}

std::vector<Row> rows_with_label_shift() {
  std::vector<Row> rows;
  for (const Row& row : table())
    if (row.label_shift > 0) rows.push_back(row);
  return rows;
}

std::string name_of(const ::testing::TestParamInfo<Row>& row) { return row.param.name; }

INSTANTIATE_TEST_SUITE_P(Table, Yearbook, ::testing::ValuesIn(table()), name_of);
INSTANTIATE_TEST_SUITE_P(Table, YearbookLabelShift, ::testing::ValuesIn(rows_with_label_shift()), name_of);

}  // namespace
}  // namespace stad::testing
