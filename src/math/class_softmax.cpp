#include "math/class_softmax.hpp"

#include <limits>

#include "base/scratch.hpp"
#include "math/exponential.hpp"
#include "math/inner_product.hpp"
#include "math/vector_lanes.hpp"

namespace stad {
namespace {

template <typename Scalar>
using Cosines = Eigen::Map<const Rows<Scalar>>;

/// Vectorised over the samples, class by class.
template <typename Scalar>
void along_samples(const Cosines<Scalar>& cosines, const LogitTerms<Scalar>& terms, RowsMap<Scalar> probabilities) {
  const Index classes = cosines.rows();
  const Index samples = cosines.cols();
  Scratch scratch;
  auto largest = as_array(scratch.take<Scalar>(samples));
  auto sums = as_array(scratch.take<double>(samples));
  auto shares = as_array(scratch.take<Scalar>(samples));
  largest.setConstant(std::numeric_limits<Scalar>::lowest());
  for (Index k = 0; k < classes; ++k) {
    auto row = as_array(row_of(probabilities, k));
    row = cosines.row(k).transpose().array() * terms.scales[k] + terms.offsets[k];
    largest = largest.max(row);
  }
  sums.setZero();
  for (Index k = 0; k < classes; ++k) {
    auto row = as_array(row_of(probabilities, k));
    row -= largest;
    exponentiate(row_of(probabilities, k));
    sums += row.template cast<double>();
  }
  shares = sums.inverse().template cast<Scalar>();
  for (Index k = 0; k < classes; ++k) as_array(row_of(probabilities, k)) *= shares;
}

/// Vectorised over the classes, sample by sample.
template <typename Scalar>
void along_classes(const Cosines<Scalar>& cosines, const LogitTerms<Scalar>& terms, RowsMap<Scalar> probabilities) {
  Scratch scratch;
  const auto values = scratch.take<Scalar>(cosines.rows());
  auto column = as_array(values);
  for (Index n = 0; n < cosines.cols(); ++n) {
    column = cosines.col(n).array() * as_array(terms.scales) + as_array(terms.offsets);
    column -= column.maxCoeff();
    exponentiate(values);
    column *= static_cast<Scalar>(1 / sum_of(std::span<const Scalar>(values)));
    probabilities.col(n) = column;
  }
}

}  // namespace

template <typename Scalar>
void class_softmax(const Cosines<Scalar>& cosines, const LogitTerms<Scalar>& terms, RowsMap<Scalar> probabilities) {
  if (cosines.cols() < kLanes<Scalar>)
    along_classes(cosines, terms, probabilities);
  else
    along_samples(cosines, terms, probabilities);
}

template void class_softmax(const Cosines<float>&, const LogitTerms<float>&, RowsMap<float>);
template void class_softmax(const Cosines<double>&, const LogitTerms<double>&, RowsMap<double>);

}  // namespace stad
