#include <gtest/gtest.h>

#include <stad/eval/pipeline.hpp>
#include <stad/files.hpp>
#include <stad/methods.hpp>

#include "reference/method.hpp"
#include "support/agreement.hpp"
#include "support/golden_case.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

/// The cases hold the probabilities of the paper; the library returns scaled ones by default.
OptionValues with_paper_probabilities(const GoldenCase& golden) {
  OptionValues options = golden.options;
  if (golden.method == "stad-vmf") options.emplace_back("probabilities", "paper");
  return options;
}

std::string path_of(const GoldenCase& golden) { return shared_path("golden/" + golden.name + ".npz"); }

TEST(Golden, EveryCaseAgreesWithTheReference) {
  STAD_NEEDS_SHARED("golden/cases.json");
  const auto cases = golden_cases(shared_path("golden"));
  ASSERT_GE(cases.size(), 60U);
  double worst = 0;
  for (const GoldenCase& golden : cases) {
    SCOPED_TRACE(golden.name);
    auto adapter = make_adapter(golden.method, *read_source(path_of(golden)), with_paper_probabilities(golden));
    ASSERT_TRUE(adapter) << adapter.error().message;
    const auto report = run(**adapter, *read_stream(path_of(golden)), {});
    ASSERT_TRUE(report) << report.error().message;
    const auto expected = golden_array(path_of(golden), "probabilities");
    EXPECT_TRUE(agrees(report->predictions, expected));
    worst = std::max(worst, largest_difference(report->predictions.probabilities, expected));

    const auto prototypes = golden_array(path_of(golden), "prototypes");
    if (prototypes.size() > 0) {
      EXPECT_LE(largest_difference((*adapter)->prototypes(), prototypes), 1e-4);
    }
  }
  RecordProperty("largest_probability_difference", std::to_string(worst));
  std::cout << cases.size() << " golden cases, largest difference of a probability " << worst << "\n";
}

/// The reference implementations agree with the golden cases to the precision of float64.
void expect_plain_agrees(const GoldenCase& golden) {
  const auto path = path_of(golden);
  const reference::Head head{golden_array(path, "weight"), golden_array(path, "bias"), golden_array(path, "mean"), {}};
  auto reference = reference::make_method(golden.method, head, with_paper_probabilities(golden));
  ASSERT_TRUE(reference) << reference.error().message;
  const auto features = golden_array(path, "features");
  const auto expected = golden_array(path, "probabilities");
  const auto sizes = golden_array(path, "batch_sizes");
  Index first = 0;
  for (Index b = 0; b < sizes.rows(); ++b) {
    const auto count = static_cast<Index>(sizes(b, 0));
    const Eigen::MatrixXd found = (*reference)->adapt(features.middleRows(first, count));
    ASSERT_LE((found - expected.middleRows(first, count)).cwiseAbs().maxCoeff(), 1e-9) << "batch " << b;
    first += count;
  }
  if (const auto prototypes = golden_array(path, "prototypes"); prototypes.size() > 0) {
    EXPECT_LE(((*reference)->prototypes() - prototypes).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(Golden, PlainImplementationsAgreeToNineDigits) {
  STAD_NEEDS_SHARED("golden/cases.json");
  for (const GoldenCase& golden : golden_cases(shared_path("golden"))) {
    SCOPED_TRACE(golden.name);
    expect_plain_agrees(golden);
  }
}

}  // namespace
}  // namespace stad::testing
