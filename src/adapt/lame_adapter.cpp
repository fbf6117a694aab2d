#include "adapt/lame_adapter.hpp"

#include <algorithm>
#include <cmath>

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"
#include "math/eigen.hpp"
#include "math/nearest_rows.hpp"
#include "math/softmax.hpp"
#include "math/unit_rows.hpp"

namespace stad {
namespace {

/// The directed graph of nearest neighbours.
class Neighbourhood {
 public:
  Neighbourhood(const DoubleRows& unit, Index count)
      : nearest_(nearest_rows(unit, count)), count_(std::max<Index>(0, std::min(count, unit.rows() - 1))) {}

  /// A Y: the sum of the neighbours' rows.
  DoubleRows sum_of_neighbours(const DoubleRows& y) const {
    DoubleRows sums = DoubleRows::Zero(y.rows(), y.cols());
    for (Index i = 0; i < y.rows(); ++i)
      for (Index j = 0; j < count_; ++j) sums.row(i) += y.row(nearest_[i * count_ + j]);
    return sums;
  }

 private:
  std::vector<Index> nearest_;
  Index count_ = 0;
};

DoubleRows log_softmax(DoubleRows logits) {
  log_softmax_rows(logits);
  return logits;
}

/// E = sum(unary Y - (A Y_before) Y + Y log Y)
double energy(const DoubleRows& negative_unary, const DoubleRows& pull, const DoubleRows& log_y) {
  return (log_y.array().exp() * (log_y - negative_unary - pull).array()).sum();
}

}  // namespace

Status LameAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  constexpr double kFloor = 1e-10;
  constexpr int kMostIterations = 100;
  constexpr double kTolerance = 1e-8;

  const auto [unit, directed] = unit_rows<double>(batch.features);
  const DoubleRows source_log_p = log_softmax(source_logits(source(), batch.features)(directed, Eigen::all));
  const DoubleRows negative_unary = (source_log_p.array().exp() + kFloor).log();
  const Neighbourhood neighbourhood(unit, options_.neighbours);

  DoubleRows logits = negative_unary;
  DoubleRows log_y = log_softmax(logits);
  double energy_before = 0;
  for (int i = 1; i <= kMostIterations; ++i) {
    const DoubleRows pull = neighbourhood.sum_of_neighbours(log_y.array().exp());
    logits = negative_unary + pull;
    log_y = log_softmax(logits);
    const double now = energy(negative_unary, pull, log_y);
    if (i > 2 && std::abs(now - energy_before) <= kTolerance * std::abs(energy_before)) break;
    energy_before = now;
  }
  serve(logits, directed, batch.features.rows, answer);
  return {};
}

}  // namespace stad
