#include "math/softmax.hpp"

#include <cmath>

#include "math/exponential.hpp"
#include "math/inner_product.hpp"

namespace stad {
namespace {

constexpr double kNegligible = 1e-30;

/// Scales exponentials to sum 1.
template <typename Scalar>
void normalise(std::span<Scalar> exponentials) {
  auto row = as_array(exponentials);
  row *= static_cast<Scalar>(1 / sum_of(std::span<const Scalar>(exponentials)));
  row = (row < static_cast<Scalar>(kNegligible)).select(Scalar{0}, row);
}

template <typename Scalar>
void softmax_as(std::span<const double> logits, std::span<Scalar> probabilities) {
  const auto in = as_array(logits);
  as_array(probabilities) = (in - in.maxCoeff()).template cast<Scalar>();
  exponentiate(probabilities);
  normalise(probabilities);
}

}  // namespace

void softmax(std::span<const double> logits, std::span<float> probabilities) { softmax_as(logits, probabilities); }
void softmax(std::span<const double> logits, std::span<double> probabilities) { softmax_as(logits, probabilities); }

void softmax_rows(const Eigen::Map<DoubleRows>& logits, Eigen::Map<DoubleRows> probabilities,
                  Eigen::Map<Eigen::VectorXd> log_sums) {
  for (Index r = 0; r < logits.rows(); ++r) {
    log_sums[r] = logits.row(r).maxCoeff();
    probabilities.row(r).array() = logits.row(r).array() - log_sums[r];
  }
  exponentiate(std::span(probabilities.data(), static_cast<std::size_t>(probabilities.size())));
  for (Index r = 0; r < logits.rows(); ++r) {
    const double sum = sum_of(std::span<const double>(row_of(probabilities, r)));
    probabilities.row(r) *= 1 / sum;
    log_sums[r] += std::log(sum);
  }
}

void softmax_rows(RowsMap<float> logits) {
  for (Index r = 0; r < logits.rows(); ++r) logits.row(r).array() -= logits.row(r).maxCoeff();
  softmax_of_shifted(logits);
}

void softmax_of_shifted(RowsMap<float> rows) {
  exponentiate(std::span(rows.data(), static_cast<std::size_t>(rows.size())));
  for (Index r = 0; r < rows.rows(); ++r) normalise(row_of(rows, r));
}

}  // namespace stad
