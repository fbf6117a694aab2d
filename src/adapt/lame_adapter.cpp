#include "adapt/lame_adapter.hpp"

#include <cmath>

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"
#include "math/eigen.hpp"
#include "math/nearest_rows.hpp"
#include "math/softmax.hpp"
#include "math/unit_rows.hpp"

namespace stad {
namespace {

/// The directed graph of nearest neighbours among the rows that have a direction; the others stand alone.
class Neighbourhood {
 public:
  Neighbourhood(MatrixView features, Index count) : unit_(unit_rows<double>(features)) {
    nearest_ = nearest_rows(unit_.rows, count);
    count_ = unit_.directed.empty() ? 0 : static_cast<Index>(nearest_.size() / unit_.directed.size());
  }

  Index undirected(Index rows) const { return rows - static_cast<Index>(unit_.directed.size()); }

  /// A Y: the sum of the neighbours' rows.
  DoubleRows sum_of_neighbours(const DoubleRows& y) const {
    DoubleRows sums = DoubleRows::Zero(y.rows(), y.cols());
    for (std::size_t i = 0; i < unit_.directed.size(); ++i)
      for (Index j = 0; j < count_; ++j)
        sums.row(unit_.directed[i]) += y.row(unit_.directed[nearest_[static_cast<Index>(i) * count_ + j]]);
    return sums;
  }

 private:
  UnitRows<double> unit_;
  std::vector<Index> nearest_;
  Index count_ = 0;
};

/// Y = softmax of every row; returns its logits' log softmax.
DoubleRows log_softmax(DoubleRows logits) {
  log_softmax_rows(logits);
  return logits;
}

/// E = sum(unary Y - (A Y_before) Y + Y log Y)
double energy(const DoubleRows& negative_unary, const DoubleRows& pull, const DoubleRows& log_y) {
  return (log_y.array().exp() * (log_y - negative_unary - pull).array()).sum();
}

}  // namespace

Predictions LameAdapter::adapt_checked(MatrixView features) {
  constexpr double kFloor = 1e-10;
  constexpr int kMostIterations = 100;
  constexpr double kTolerance = 1e-8;

  const DoubleRows source_log_p = log_softmax(source_logits(source(), features));
  const DoubleRows negative_unary = (source_log_p.array().exp() + kFloor).log();
  const Neighbourhood neighbourhood(features, options_.neighbours);

  DoubleRows logits = negative_unary;
  double energy_before = 0;
  for (int i = 1; i <= kMostIterations; ++i) {
    const DoubleRows pull = neighbourhood.sum_of_neighbours(log_softmax(logits).array().exp());
    logits = negative_unary + pull;
    const double now = energy(negative_unary, pull, log_softmax(logits));
    if (i > 2 && std::abs(now - energy_before) <= kTolerance * std::abs(energy_before)) break;
    energy_before = now;
  }
  Predictions predictions = answer(logits);
  predictions.undirected = neighbourhood.undirected(features.rows);
  return predictions;
}

}  // namespace stad
