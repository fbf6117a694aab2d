#include "speed/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/try.hpp"

namespace stad::speed {
namespace {

// What float32 may differ from float64. Within a tie of this size either label is right.
constexpr double kTolerance = 1e-4;

Status check_row(const std::string& place, std::span<const float> found, std::int64_t label,
                 const Eigen::RowVectorXd& expected, double& largest) {
  for (Index k = 0; k < expected.size(); ++k) {
    const double difference = std::abs(found[static_cast<std::size_t>(k)] - expected[k]);
    if (!(difference <= kTolerance))
      return failed(
          fmt::format("{}, class {}: probability {:.6f}, the plain implementation has {:.6f}; nothing was timed", place,
                      k, found[static_cast<std::size_t>(k)], expected[k]));
    largest = std::max(largest, difference);
  }
  Index best = 0;
  if (expected.maxCoeff(&best) - expected[label] > kTolerance)
    return failed(
        fmt::format("{}, class {}: is the label with probability {:.6f}, the plain implementation has class {} "
                    "with {:.6f}; nothing was timed",
                    place, label, expected[label], best, expected[best]));
  return {};
}

}  // namespace

Status check_answer(const std::string& place, const Predictions& found, const Eigen::MatrixXd& expected,
                    double& largest) {
  for (Index n = 0; n < expected.rows(); ++n)
    STAD_TRY(check_row(fmt::format("{}, row {}", place, n), found.probabilities.row(n),
                       found.labels[static_cast<std::size_t>(n)], expected.row(n), largest));
  return {};
}

Status check_prototypes(const std::string& place, const Matrix& found, const Eigen::MatrixXd& expected,
                        double& largest) {
  for (Index k = 0; k < expected.rows(); ++k)
    for (Index d = 0; d < expected.cols(); ++d) {
      const double difference = std::abs(found(k, d) - expected(k, d));
      if (!(difference <= kTolerance))
        return failed(
            fmt::format("{}, class {}: prototype has {:.6f} in dimension {}, the plain implementation {:.6f}; "
                        "nothing was timed",
                        place, k, found(k, d), d, expected(k, d)));
      largest = std::max(largest, difference);
    }
  return {};
}

}  // namespace stad::speed
