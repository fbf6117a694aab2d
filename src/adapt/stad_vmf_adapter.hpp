#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "base/scratch.hpp"
#include "math/class_softmax.hpp"
#include "math/eigen.hpp"
#include "math/unit_rows.hpp"
#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad {

/// Whether these options need double: from concentrations of 1e4 on, float32 rounding of a cosine changes logits by
/// more than a thousandth; learned concentrations reach 1e6.
inline bool needs_double(const StadVmfOptions& options) {
  constexpr double kLargestForFloat = 1e4;
  return options.learn_kappa != LearnKappa::kNone || options.kappa_ems > kLargestForFloat;
}

/// One row a class.
template <typename Scalar>
using ClassRows = Eigen::Map<const Rows<Scalar>>;

/// STAD on the unit sphere: class prototypes tracked by variational EM over a sliding window of batches.
template <typename Scalar>
class StadVmfAdapter final : public Adapter {
 public:
  /// The source's rows must have a direction, and its mean must be known where the options centre by it.
  StadVmfAdapter(SourceModel source, const StadVmfOptions& options);

  std::string_view method() const override { return "stad-vmf"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override;
  bool takes_labels() const override { return true; }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  Observed observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) override;
  Result<Observed> observe_checked(const Batch& batch, std::span<const std::int64_t> labels, LabelSampling) override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  /// H: features centred if the options say so, scaled to unit length.
  void represent(MatrixView features, UnitRows<Scalar>& out) const;
  /// Appends the incoming batch to the window; the oldest step of a full window becomes the frozen past.
  void slide();
  /// sweeps x (E-step, M-step) over the window.
  void fit_window();
  /// Answers unit rows with the prototypes, kappas and proportions as they are now.
  void predict_rows(const UnitRows<Scalar>& unit, Index rows, Predictions& answer) const;
  /// The answer to a batch of `rows` of which the directed ones have these cosines with the newest prototypes.
  void serve(const ClassRows<Scalar>& cosines, const std::vector<Index>& directed, Index rows,
             Predictions& answer) const;
  /// Scales and offsets that turn cosines into the served logits.
  LogitTerms<Scalar> served_terms(Scratch& scratch) const;

  static ClassRows<Scalar> as_view(const Rows<Scalar>& rows) { return {rows.data(), rows.rows(), rows.cols()}; }
  vmf::VmfWindow<Scalar> empty_window() const;

  StadVmfOptions options_;
  vmf::VmfParams params_;
  vmf::VmfWindow<Scalar> window_;
  UnitRows<Scalar> incoming_;  ///< buffer of the next batch's rows, reused
};

}  // namespace stad
