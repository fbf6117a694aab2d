#include "adapt/stad_vmf_adapter.hpp"

#include <type_traits>

#include "adapt/answer.hpp"
#include "data/evidence.hpp"
#include "math/class_softmax.hpp"
#include "math/scratch_rows.hpp"
#include "vmf/cosines.hpp"
#include "vmf/m_step.hpp"
#include "vmf/sweep.hpp"
#include "vmf/window.hpp"

namespace stad {

template <typename Scalar>
StadVmfAdapter<Scalar>::StadVmfAdapter(SourceModel source, const StadVmfOptions& options)
    : Adapter(std::move(source)),
      options_(options),
      params_(options.kappa_0, options.kappa_trans, options.kappa_ems, this->source().classes()),
      window_(empty_window()) {}

/// Algorithm 1 of the paper for one batch.
template <typename Scalar>
Status StadVmfAdapter<Scalar>::adapt_checked(const Batch& batch, Predictions& answer) {
  represent(batch.features, incoming_);
  if (options_.predict == Predict::kBefore) predict_rows(incoming_, batch.features.rows, answer);
  slide();
  vmf::set_row_ids<Scalar>(batch.ids, incoming_.directed, window_);
  fit_window();
  if (options_.predict == Predict::kAfter)
    serve(as_view(window_.newest().cosines), incoming_.directed, batch.features.rows, answer);
  return {};
}

template <typename Scalar>
Status StadVmfAdapter<Scalar>::predict_checked(const Batch& batch, Predictions& answer) const {
  UnitRows<Scalar> unit;
  represent(batch.features, unit);
  predict_rows(unit, batch.features.rows, answer);
  return {};
}

/// A sweep leaves the window prepared for the next batch, so labels take effect from the sweep of that batch on, which
/// covers the whole window.
template <typename Scalar>
Observed StadVmfAdapter<Scalar>::observe_checked(std::span<const std::int64_t> ids,
                                                 std::span<const std::int64_t> labels) {
  Observed observed;
  for (std::size_t i = 0; i < ids.size(); ++i)
    ++(vmf::set_label(ids[i], static_cast<Index>(labels[i]), window_) ? observed.used : observed.forgotten);
  return observed;
}

/// Adapts to a batch whose classes are all known.
template <typename Scalar>
Result<Observed> StadVmfAdapter<Scalar>::observe_checked(const Batch& batch, std::span<const std::int64_t> labels,
                                                         LabelSampling) {
  represent(batch.features, incoming_);
  slide();
  vmf::set_row_ids<Scalar>({}, {}, window_);
  for (const Index n : incoming_.directed) window_.newest().known.push_back(static_cast<Index>(labels[n]));
  fit_window();
  const auto used = static_cast<Index>(incoming_.directed.size());
  return Observed{used, batch.features.rows - used};
}

template <typename Scalar>
void StadVmfAdapter<Scalar>::represent(MatrixView features, UnitRows<Scalar>& out) const {
  unit_rows(features, options_.center == Center::kSource ? this->source().mean() : std::span<const float>(), out);
}

template <typename Scalar>
void StadVmfAdapter<Scalar>::slide() {
  vmf::push_step(window_).features.swap(incoming_.rows);
  vmf::initialise_newest(window_);
}

template <typename Scalar>
void StadVmfAdapter<Scalar>::fit_window() {
  if (!options_.dynamics)
    params_.reset(options_.kappa_trans, options_.kappa_ems);  // the static ablation carries nothing over
  for (Index i = 0; i < options_.sweeps; ++i) {
    vmf::sweep(window_, params_, {.first = i == 0, .last = i + 1 == options_.sweeps});
    if (window_.learns_kappas) vmf::learn_concentrations(window_, options_.learn_kappa, params_);
  }
}

template <typename Scalar>
void StadVmfAdapter<Scalar>::predict_rows(const UnitRows<Scalar>& unit, Index rows, Predictions& answer) const {
  Scratch scratch;
  const Index classes = this->source().classes();
  const auto addresses = scratch.take<const Scalar*>(unit.rows.rows());
  vmf::addresses(unit.rows, addresses);
  const auto cosines = take_rows<Scalar>(scratch, classes, unit.rows.rows());
  vmf::newest_cosines<Scalar>(window_, addresses, cosines);
  serve(ClassRows<Scalar>(cosines.data(), cosines.rows(), cosines.cols()), unit.directed, rows, answer);
}

template <typename Scalar>
void StadVmfAdapter<Scalar>::serve(const ClassRows<Scalar>& cosines, const std::vector<Index>& directed, Index rows,
                                   Predictions& answer) const {
  Scratch scratch;
  const auto probabilities = take_rows<Scalar>(scratch, cosines.rows(), cosines.cols());
  class_softmax(cosines, served_terms(scratch), probabilities);

  serve_by_class<Scalar>({probabilities.data(), probabilities.rows(), probabilities.cols()}, directed, rows, answer);
}

template <typename Scalar>
LogitTerms<Scalar> StadVmfAdapter<Scalar>::served_terms(Scratch& scratch) const {
  const Index classes = this->source().classes();
  const auto scales = scratch.take<Scalar>(classes);
  const auto offsets = scratch.take<Scalar>(classes);
  const auto values = scratch.take<double>(classes);
  auto exact = as_array(values);
  exact.setZero();
  as_array(scales).setOnes();
  if (options_.probabilities != VmfProbabilities::kPaper) {
    as_array(scales) = as_array(std::span(params_.emission)).template cast<Scalar>();
    exact = as_array(std::span(params_.normaliser));
  }
  if (options_.probabilities == VmfProbabilities::kPosterior && !window_.steps.empty())
    exact += log_proportions(as_array(std::span(window_.newest().proportions)));
  place_offsets<Scalar>(values, offsets);
  return {scales, offsets};
}

template <typename Scalar>
Matrix StadVmfAdapter<Scalar>::prototypes() const {
  return to_matrix(vmf::newest_prototypes(window_));
}

template <typename Scalar>
vmf::VmfWindow<Scalar> StadVmfAdapter<Scalar>::empty_window() const {
  vmf::VmfWindow<Scalar> window;
  window.capacity = options_.dynamics ? options_.window + 1 : 1;
  window.linked = options_.dynamics;
  window.from_source = !options_.dynamics || options_.init == Init::kSource;
  window.learns_kappas = options_.learn_kappa != LearnKappa::kNone;
  window.sweeps_again = options_.sweeps > 1;
  // Compression is exact to float32 rounding only.
  window.compresses = options_.dynamics && !window.learns_kappas && std::is_same_v<Scalar, float>;
  // Beside the message of mu_0, which every step receives, responsibilities of this size do not change a float32 sum.
  // Steps that start at the previous one may have no larger evidence.
  if (window.compresses && window.from_source) window.negligible = 1e-12;
  window.source = unit_rows<Scalar>(this->source().weight()).rows;
  const auto classes = static_cast<std::size_t>(this->source().classes());
  window.storage.assign(classes, window.compresses ? vmf::ClassStorage::kAtSource : vmf::ClassStorage::kActive);
  window.idle.assign(classes, 0);
  return window;
}

template class StadVmfAdapter<float>;
template class StadVmfAdapter<double>;

}  // namespace stad
