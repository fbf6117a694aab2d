// The head correction against logistic regression in the primal: dense, in double, by Newton's method.

#include "safe/head_correction.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

/// argmin over B of sum_i log-loss(offset_i + B^T f_i, y_i) + ridge / 2 |B|^2.
class PrimalCorrection {
 public:
  /// @param inputs  N x (D + 1), f
  /// @param offsets N x K
  PrimalCorrection(Eigen::MatrixXd inputs, Eigen::MatrixXd offsets, std::vector<Index> labels, double ridge)
      : inputs_(std::move(inputs)),
        offsets_(std::move(offsets)),
        labels_(std::move(labels)),
        ridge_(ridge),
        weights_(Eigen::MatrixXd::Zero(inputs_.cols(), offsets_.cols())) {
    for (int step = 0; step < 100 && gradient(weights_).norm() > 1e-12; ++step) newton_step();
    EXPECT_LT(gradient(weights_).norm(), 1e-9) << "the reference has converged";
  }

  const Eigen::MatrixXd& weights() const { return weights_; }  ///< (D + 1) x K

 private:
  Eigen::MatrixXd probabilities(const Eigen::MatrixXd& weights) const {
    Eigen::MatrixXd logits = offsets_ + inputs_ * weights;
    logits.colwise() -= logits.rowwise().maxCoeff().eval();
    const Eigen::MatrixXd powers = logits.array().exp();
    return powers.array().colwise() / powers.rowwise().sum().array();
  }

  double objective(const Eigen::MatrixXd& weights) const {
    const Eigen::MatrixXd logits = offsets_ + inputs_ * weights;
    double sum = 0.5 * ridge_ * weights.squaredNorm();
    for (Index n = 0; n < logits.rows(); ++n) {
      const double largest = logits.row(n).maxCoeff();
      sum += largest + std::log((logits.row(n).array() - largest).exp().sum()) -
             logits(n, labels_[static_cast<std::size_t>(n)]);
    }
    return sum;
  }

  Eigen::MatrixXd gradient(const Eigen::MatrixXd& weights) const {
    Eigen::MatrixXd errors = probabilities(weights);
    for (Index n = 0; n < errors.rows(); ++n) errors(n, labels_[static_cast<std::size_t>(n)]) -= 1;
    return inputs_.transpose() * errors + ridge_ * weights;
  }

  /// Halves the step until the objective does not rise.
  void newton_step() {
    const Index d = weights_.rows(), k = weights_.cols();
    const Eigen::MatrixXd p = probabilities(weights_);
    Eigen::MatrixXd hessian = ridge_ * Eigen::MatrixXd::Identity(d * k, d * k);
    for (Index a = 0; a < k; ++a)
      for (Index b = 0; b < k; ++b) {
        const Eigen::VectorXd curvature = p.col(a).array() * ((a == b ? 1 : 0) - p.col(b).array());
        hessian.block(a * d, b * d, d, d) += inputs_.transpose() * curvature.asDiagonal() * inputs_;
      }
    const Eigen::MatrixXd slope = gradient(weights_);
    const Eigen::VectorXd direction = hessian.llt().solve(Eigen::Map<const Eigen::VectorXd>(slope.data(), d * k));
    const Eigen::Map<const Eigen::MatrixXd> change(direction.data(), d, k);
    double share = 1;
    while (share > 1e-6 && objective(weights_ - share * change) > objective(weights_) + 1e-12) share /= 2;
    weights_ -= share * change;
  }

  Eigen::MatrixXd inputs_, offsets_;
  std::vector<Index> labels_;
  double ridge_;
  Eigen::MatrixXd weights_;
};

struct CorrectionShape {
  Index classes, dimension, rows;
  bool mean;
  double temperature;
};

SourceModel source_of(const RandomStream& stream, const CorrectionShape& shape) {
  SourceCard card;
  card.temperature = shape.temperature;
  return *(*SourceModel::create(stream.weight, stream.bias, shape.mean ? stream.mean : std::vector<float>{}))
              .with_card(card);
}

/// (h - mean, 0) for every row.
Eigen::MatrixXd centred(const Matrix& rows, const SourceModel& source) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows.rows(), rows.cols() + 1);
  result.leftCols(rows.cols()) = as_double(rows);
  if (source.has_mean())
    result.leftCols(rows.cols()).rowwise() -= as_array(source.mean()).matrix().cast<double>().transpose();
  return result;
}

Eigen::MatrixXd logits_at_temperature(const Matrix& rows, const SourceModel& source, double temperature) {
  Eigen::MatrixXd logits = as_double(rows) * as_double(source.weight()).transpose();
  logits.rowwise() += as_array(source.bias()).matrix().cast<double>().transpose();
  return logits / temperature;
}

/// Corrections of new rows by the product, and by the reference of the last 200 labelled rows.
void expect_agreement(std::uint64_t seed, const CorrectionShape& shape, double ridge) {
  const auto stream = random_stream(
      seed, {.classes = shape.classes, .dimension = shape.dimension, .batch_sizes = {shape.rows, 40}, .drift = 0.5});
  const SourceModel source = source_of(stream, shape);
  const safe::CorrectionParams params{.ridge = ridge, .steps = 800};
  safe::HeadCorrection correction(source, params);
  for (Index n = 0; n < shape.rows; ++n)
    correction.add(stream.batches[0].row(n), stream.labels[0][static_cast<std::size_t>(n)]);
  correction.fit();
  DoubleRows found = DoubleRows::Zero(40, shape.classes);
  correction.apply(stream.batches[1], DoubleRowsMap(found.data(), found.rows(), found.cols()));

  const Index kept = std::min(shape.rows, params.rows);
  const auto inputs_of = [&](const Matrix& rows, double scale) {
    Eigen::MatrixXd inputs = centred(rows, source) / std::sqrt(scale);
    inputs.rightCols(1).setOnes();
    return inputs;
  };
  const double scale = centred(stream.batches[0], source).bottomRows(kept).rowwise().squaredNorm().mean();
  const PrimalCorrection reference(inputs_of(stream.batches[0], scale).bottomRows(kept),
                                   logits_at_temperature(stream.batches[0], source, shape.temperature).bottomRows(kept),
                                   {stream.labels[0].end() - kept, stream.labels[0].end()}, ridge);
  const Eigen::MatrixXd expected = inputs_of(stream.batches[1], scale) * reference.weights();
  // Labelled rows minus the mean are kept in float32, whose rounding of 6e-8 a difference of nearby numbers enlarges.
  const double tolerance = 1e-5 * std::max(1.0, expected.cwiseAbs().maxCoeff());
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_GT(expected.cwiseAbs().maxCoeff(), 1e-3) << "there is something to agree on";
}

TEST(HeadCorrectionReference, AgreesOverSeedsShapesMeansAndTemperatures) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const CorrectionShape shapes[] = {
        {2, 3, 1, true, 1}, {2, 8, 25, false, 1}, {4, 16, 60, true, 1}, {7, 12, 199, false, 1}, {12, 5, 120, true, 1}};
    CorrectionShape shape = shapes[seed % 5];
    shape.mean = seed % 2 == 0;
    shape.temperature = seed % 3 == 0 ? 1 : 0.4 * static_cast<double>(seed % 7 + 1);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " classes " << shape.classes << " mean " << shape.mean
                                      << " temperature " << shape.temperature);
    expect_agreement(seed, shape, 1);
  }
}

TEST(HeadCorrectionReference, AgreesAfterTheRingHasWrapped) {
  for (const Index rows : {200, 201, 350, 605}) {
    SCOPED_TRACE(rows);
    expect_agreement(static_cast<std::uint64_t>(rows), {4, 10, rows, true, 1.5}, 1);
  }
}

TEST(HeadCorrectionReference, AgreesForOtherRidges) {
  for (const double ridge : {0.3, 3.0, 30.0}) {
    SCOPED_TRACE(ridge);
    expect_agreement(1, {4, 10, 80, true, 1}, ridge);
  }
}

}  // namespace
}  // namespace stad::testing
