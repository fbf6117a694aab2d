#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "math/bessel_ratio.hpp"
#include "math/concentration.hpp"
#include "math/log_normaliser.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

constexpr char kTable[] = "golden/vmf_functions.csv";

/// Calls check(dimension, kappa, ratio, log_normaliser) for every line of the table.
template <typename Check>
int for_each_line(Check check) {
  std::ifstream file(shared_path(kTable));
  std::string line;
  std::getline(file, line);
  int lines = 0;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    double dimension = 0, kappa = 0, ratio = 0, normaliser = 0;
    fields >> dimension >> kappa >> ratio >> normaliser;
    check(static_cast<Index>(dimension), kappa, ratio, normaliser);
    ++lines;
  }
  return lines;
}

TEST(BesselRatio, ManyAtOnceAreTheSameAsOneByOne) {
  for (const Index dimension : {2, 3, 32, 128, 129, 130, 512, 4096}) {
    std::vector<double> kappas;
    for (double kappa = 0; kappa < 1e6; kappa = 1.7 * kappa + 0.3) kappas.push_back(kappa);
    std::vector<double> ratios = kappas;
    bessel_ratios(dimension, ratios);
    for (std::size_t i = 0; i < kappas.size(); ++i)
      EXPECT_NEAR(ratios[i], bessel_ratio(dimension, kappas[i]), 4e-16) << dimension << " " << kappas[i];
  }
}

TEST(BesselRatio, AgreesWithTabulatedValuesUpToDimension4096) {
  STAD_NEEDS_SHARED(kTable);
  EXPECT_EQ(for_each_line([](Index dimension, double kappa, double ratio, double) {
              EXPECT_NEAR(bessel_ratio(dimension, kappa) / ratio, 1, 1e-14) << dimension << " " << kappa;
            }),
            100);
}

TEST(LogNormaliser, AgreesWithTabulatedValuesUpToDimension4096) {
  STAD_NEEDS_SHARED(kTable);
  EXPECT_EQ(for_each_line([](Index dimension, double kappa, double, double normaliser) {
              EXPECT_NEAR(log_normaliser(dimension, kappa) / normaliser, 1, 1e-12) << dimension << " " << kappa;
            }),
            100);
}

TEST(BesselRatio, IsTheHyperbolicFormOnTheOrdinarySphere) {
  for (const double kappa : {0.01, 0.5, 1.0, 3.0, 20.0, 400.0})
    EXPECT_NEAR(bessel_ratio(3, kappa), 1 / std::tanh(kappa) - 1 / kappa, 1e-13);
}

TEST(BesselRatio, IsZeroWithoutConcentrationAndStaysBelowOne) {
  EXPECT_EQ(bessel_ratio(64, 0), 0);
  for (const Index dimension : {2, 64, 4096})
    for (double kappa = 1e-8; kappa < 1e12; kappa *= 10) {
      EXPECT_GT(bessel_ratio(dimension, kappa), 0);
      EXPECT_LE(bessel_ratio(dimension, kappa), 1);
    }
}

TEST(LogNormaliser, IsTheHyperbolicFormOnTheOrdinarySphere) {
  for (const double kappa : {0.01, 0.5, 1.0, 3.0, 20.0, 400.0}) {
    const double expected = std::log(kappa / (2 * M_PI)) - kappa - std::log1p(-std::exp(-2 * kappa));
    EXPECT_NEAR(log_normaliser(3, kappa), expected, 1e-12 * std::abs(expected));
  }
}

TEST(LogNormaliser, FallsWithTheBesselRatio) {
  // d/dkappa log C_D(kappa) = -A_D(kappa)
  for (const Index dimension : {2, 17, 512})
    for (const double kappa : {0.5, 30.0, 900.0}) {
      const double h = 1e-4 * kappa;
      const double slope = (log_normaliser(dimension, kappa + h) - log_normaliser(dimension, kappa - h)) / (2 * h);
      EXPECT_NEAR(slope, -bessel_ratio(dimension, kappa), 1e-6);
    }
}

TEST(EstimateConcentration, NearlyInvertsTheBesselRatio) {
  for (const Index dimension : {8, 64, 1024})
    for (const double kappa : {5.0, 100.0, 3000.0})
      EXPECT_NEAR(estimate_concentration(bessel_ratio(dimension, kappa), dimension) / kappa, 1, 0.1);
}

TEST(EstimateConcentration, StaysWithinItsBounds) {
  EXPECT_EQ(estimate_concentration(0, 8), kLeastConcentration);
  EXPECT_EQ(estimate_concentration(1, 4096), kLargestConcentration);
  EXPECT_EQ(estimate_concentration(-0.5, 8), estimate_concentration(0.5, 8));
}

}  // namespace
}  // namespace stad::testing
