#include "math/softmax.hpp"

#include <cmath>

namespace stad {
namespace {

constexpr double kNegligible = 1e-30;

template <typename Scalar>
void softmax_as(std::span<const double> logits, std::span<Scalar> probabilities) {
  const auto in = as_array(logits);
  auto out = as_array(probabilities);
  out = (in - in.maxCoeff()).template cast<Scalar>().exp();
  const auto scale = static_cast<Scalar>(1 / out.template cast<double>().sum());
  out = (out * scale < static_cast<Scalar>(kNegligible)).select(Scalar{0}, out * scale);
}

}  // namespace

void softmax(std::span<const double> logits, std::span<float> probabilities) { softmax_as(logits, probabilities); }
void softmax(std::span<const double> logits, std::span<double> probabilities) { softmax_as(logits, probabilities); }

void log_softmax_rows(DoubleRows& logits) {
  for (Index r = 0; r < logits.rows(); ++r) {
    auto row = logits.row(r).array();
    row -= row.maxCoeff();
    row -= std::log(row.exp().sum());
  }
}

}  // namespace stad
