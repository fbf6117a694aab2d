#include <stad/predictions.hpp>

#include <algorithm>
#include <cmath>

namespace stad {
namespace {

constexpr double kNinetyPercent = 1.645;  // half width of a normal 90 % interval in standard deviations
constexpr double kErrorFactor = 3;        // assumed bound of the ratio of true and estimated error rate

}  // namespace

double AccuracyEstimate::value() const { return rows > 0 ? correct / static_cast<double>(rows) : 0; }

double AccuracyEstimate::low() const {
  if (rows == 0) return 0;
  const double sampling = kNinetyPercent * std::sqrt(variance) / static_cast<double>(rows);
  const double with_larger_error = 1 - kErrorFactor * (1 - value());
  const double without_doubted = value() - doubted / static_cast<double>(rows);
  return std::max(std::min(with_larger_error, without_doubted) - sampling, 0.0);
}

double AccuracyEstimate::high() const {
  if (rows == 0) return 1;
  const double sampling = kNinetyPercent * std::sqrt(variance) / static_cast<double>(rows);
  return std::min(1 - (1 - value()) / kErrorFactor + sampling, 1.0);
}

AccuracyEstimate& AccuracyEstimate::operator+=(const AccuracyEstimate& other) {
  rows += other.rows;
  correct += other.correct;
  doubted += other.doubted;
  variance += other.variance;
  return *this;
}

double Health::flip_rate() const {
  return compared > 0 ? static_cast<double>(flipped) / static_cast<double>(compared) : 0;
}

}  // namespace stad
