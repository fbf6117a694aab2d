#include "vmf/assign.hpp"

#include <span>

#include "base/scratch.hpp"
#include "data/evidence.hpp"
#include "math/class_softmax.hpp"

namespace stad::vmf {
namespace {

template <typename Scalar>
LogitTerms<Scalar> logit_terms(const VmfStep<Scalar>& step, const VmfParams& params, Scratch& scratch) {
  const auto classes = static_cast<Index>(step.proportions.size());
  const auto scales = scratch.take<Scalar>(classes);
  const auto offsets = scratch.take<Scalar>(classes);
  const auto exact = scratch.take<double>(classes);
  as_array(exact) = log_proportions(as_array(std::span(step.proportions))) + as_array(std::span(params.normaliser));
  place_offsets<Scalar>(exact, offsets);
  as_array(scales) = (as_array(std::span(params.emission)) * as_array(std::span(step.lengths))).template cast<Scalar>();
  return {scales, offsets};
}

template <typename Scalar>
void clamp_known(const std::vector<Index>& known, RowsMap<Scalar> lambda) {
  for (std::size_t n = 0; n < known.size(); ++n) {
    if (known[n] == kUnlabelled) continue;
    lambda.col(static_cast<Index>(n)).setZero();
    lambda(known[n], static_cast<Index>(n)) = 1;
  }
}

}  // namespace

template <typename Scalar>
void assign(VmfStep<Scalar>& step, const VmfParams& params, double negligible, RowsMap<Scalar> lambda) {
  Scratch scratch;
  class_softmax({step.cosines.data(), step.cosines.rows(), step.cosines.cols()}, logit_terms(step, params, scratch),
                lambda);
  clamp_known(step.known, lambda);
  for (Index k = 0; k < lambda.rows(); ++k) {
    auto row = as_array(row_of(lambda, k));
    row = (row < static_cast<Scalar>(negligible)).select(Scalar{0}, row);
    step.mass[k] = row.template cast<double>().sum();
  }
}

template void assign(VmfStep<float>&, const VmfParams&, double, RowsMap<float>);
template void assign(VmfStep<double>&, const VmfParams&, double, RowsMap<double>);

}  // namespace stad::vmf
