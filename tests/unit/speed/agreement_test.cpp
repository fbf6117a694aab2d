#include "speed/agreement.hpp"

#include <gtest/gtest.h>

namespace stad::speed {
namespace {

/// One row of three classes.
Predictions answer(std::int64_t label, float first, float second, float third) {
  Predictions predictions;
  predictions.labels = {label};
  predictions.probabilities.resize(1, 3);
  predictions.probabilities(0, 0) = first;
  predictions.probabilities(0, 1) = second;
  predictions.probabilities(0, 2) = third;
  return predictions;
}

Eigen::MatrixXd expected(double first, double second, double third) {
  Eigen::MatrixXd row(1, 3);
  row << first, second, third;
  return row;
}

std::string complaint_about(const Predictions& found, const Eigen::MatrixXd& plain) {
  double largest = 0;
  const auto status = check_answer("stad-vmf: batch 4", found, plain, largest);
  return status ? "" : status.error().message;
}

TEST(Agreement, AcceptsWhatRoundingExplainsAndKeepsTheLargestDifference) {
  double largest = 0;
  EXPECT_TRUE(check_answer("", answer(0, 0.5F, 0.3F, 0.2F), expected(0.50005, 0.29995, 0.2), largest));
  EXPECT_NEAR(largest, 5e-5, 1e-7);
}

TEST(Agreement, NamesMethodBatchRowClassAndBothValues) {
  const auto message = complaint_about(answer(0, 0.5F, 0.3F, 0.2F), expected(0.5, 0.25, 0.25));
  for (const char* piece : {"stad-vmf", "batch 4", "row 0", "class 1", "0.300000", "0.250000"})
    EXPECT_NE(message.find(piece), std::string::npos) << piece << " in " << message;
}

TEST(Agreement, ComplainsOfALabelUnlessThePlainFormHasATie) {
  EXPECT_NE(complaint_about(answer(1, 0.5F, 0.3F, 0.2F), expected(0.5, 0.3, 0.2)), "");
  EXPECT_EQ(complaint_about(answer(1, 0.4F, 0.4F, 0.2F), expected(0.40002, 0.39998, 0.2)), "");
  EXPECT_NE(complaint_about(answer(2, 0.4F, 0.4F, 0.2F), expected(0.40002, 0.39998, 0.2)), "");
}

TEST(Agreement, ComplainsOfWhatIsNotANumber) {
  EXPECT_NE(complaint_about(answer(0, std::nanf(""), 0.3F, 0.2F), expected(0.5, 0.3, 0.2)), "");
}

TEST(Agreement, ComparesPrototypesToo) {
  double largest = 0;
  Matrix prototypes(1, 2);
  prototypes(0, 0) = 1;
  Eigen::MatrixXd plain(1, 2);
  plain << 1, 0;
  EXPECT_TRUE(check_prototypes("t3a: batch 0", prototypes, plain, largest));
  plain(0, 1) = 0.001;
  EXPECT_FALSE(check_prototypes("t3a: batch 0", prototypes, plain, largest));
}

}  // namespace
}  // namespace stad::speed
