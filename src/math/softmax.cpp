#include "math/softmax.hpp"

#include <cmath>

namespace stad {
namespace {

constexpr double kNegligible = 1e-30;

/// Exponentials to probabilities.
template <typename Exponentials>
void normalise(Exponentials& row) {
  using Scalar = typename Exponentials::Scalar;
  const auto scale = static_cast<Scalar>(1 / row.template cast<double>().sum());
  row = (row * scale < static_cast<Scalar>(kNegligible)).select(Scalar{0}, row * scale);
}

template <typename Scalar>
void softmax_as(std::span<const double> logits, std::span<Scalar> probabilities) {
  const auto in = as_array(logits);
  auto out = as_array(probabilities);
  out = (in - in.maxCoeff()).template cast<Scalar>().exp();
  normalise(out);
}

}  // namespace

void softmax(std::span<const double> logits, std::span<float> probabilities) { softmax_as(logits, probabilities); }
void softmax(std::span<const double> logits, std::span<double> probabilities) { softmax_as(logits, probabilities); }

void log_softmax_rows(Eigen::Ref<DoubleRows> logits) {
  for (Index r = 0; r < logits.rows(); ++r) {
    auto row = logits.row(r).array();
    row -= row.maxCoeff();
    row -= std::log(row.exp().sum());
  }
}

void softmax_rows(const Eigen::Map<DoubleRows>& logits, Eigen::Map<DoubleRows> probabilities,
                  Eigen::Map<Eigen::VectorXd> log_sums) {
  for (Index r = 0; r < logits.rows(); ++r) {
    log_sums[r] = logits.row(r).maxCoeff();
    probabilities.row(r).array() = logits.row(r).array() - log_sums[r];
  }
  Eigen::Map<Eigen::ArrayXd> all(probabilities.data(), probabilities.size());
  all = all.exp();
  for (Index r = 0; r < logits.rows(); ++r) {
    const double sum = probabilities.row(r).sum();
    probabilities.row(r) *= 1 / sum;
    log_sums[r] += std::log(sum);
  }
}

void softmax_of_shifted(Matrix& rows) {
  auto all = as_array(std::span<float>(rows.data(), static_cast<std::size_t>(rows.size())));
  all = all.exp();
  for (Index r = 0; r < rows.rows(); ++r) {
    auto row = as_array(rows.row(r));
    normalise(row);
  }
}

}  // namespace stad
