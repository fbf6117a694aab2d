#include "speed/verify.hpp"

#include <gtest/gtest.h>

namespace stad::speed {
namespace {

/// One row of three classes.
Predictions answer_of(std::int64_t label, float first, float second, float third) {
  Predictions predictions;
  predictions.labels = {label};
  predictions.probabilities.resize(1, 3);
  predictions.probabilities(0, 0) = first;
  predictions.probabilities(0, 1) = second;
  predictions.probabilities(0, 2) = third;
  return predictions;
}

Eigen::MatrixXd expected_row(double first, double second, double third) {
  Eigen::MatrixXd row(1, 3);
  row << first, second, third;
  return row;
}

std::string agreement_error(const Predictions& found, const Eigen::MatrixXd& expected_values) {
  double largest = 0;
  const auto status = check_answer("stad-vmf: batch 4", found, expected_values, largest);
  return status ? "" : status.error().message;
}

TEST(Agreement, AcceptsWhatRoundingExplainsAndKeepsTheLargestDifference) {
  double largest = 0;
  EXPECT_TRUE(check_answer("", answer_of(0, 0.5F, 0.3F, 0.2F), expected_row(0.50005, 0.29995, 0.2), largest));
  EXPECT_NEAR(largest, 5e-5, 1e-7);
}

TEST(Agreement, NamesMethodBatchRowClassAndBothValues) {
  const auto message = agreement_error(answer_of(0, 0.5F, 0.3F, 0.2F), expected_row(0.5, 0.25, 0.25));
  for (const char* piece : {"stad-vmf", "batch 4", "row 0", "class 1", "0.300000", "0.250000"})
    EXPECT_NE(message.find(piece), std::string::npos) << piece << " in " << message;
}

TEST(Agreement, ComplainsOfALabelUnlessThePlainFormHasATie) {
  EXPECT_NE(agreement_error(answer_of(1, 0.5F, 0.3F, 0.2F), expected_row(0.5, 0.3, 0.2)), "");
  EXPECT_EQ(agreement_error(answer_of(1, 0.4F, 0.4F, 0.2F), expected_row(0.40002, 0.39998, 0.2)), "");
  EXPECT_NE(agreement_error(answer_of(2, 0.4F, 0.4F, 0.2F), expected_row(0.40002, 0.39998, 0.2)), "");
}

TEST(Agreement, ComplainsOfWhatIsNotANumber) {
  EXPECT_NE(agreement_error(answer_of(0, std::nanf(""), 0.3F, 0.2F), expected_row(0.5, 0.3, 0.2)), "");
}

TEST(Agreement, ComparesPrototypesToo) {
  double largest = 0;
  Matrix prototypes(1, 2);
  prototypes(0, 0) = 1;
  Eigen::MatrixXd expected_values(1, 2);
  expected_values << 1, 0;
  EXPECT_TRUE(check_prototypes("t3a: batch 0", prototypes, expected_values, largest));
  expected_values(0, 1) = 0.001;
  EXPECT_FALSE(check_prototypes("t3a: batch 0", prototypes, expected_values, largest));
}

}  // namespace
}  // namespace stad::speed
