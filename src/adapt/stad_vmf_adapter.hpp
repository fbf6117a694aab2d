#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "math/eigen.hpp"
#include "math/unit_rows.hpp"
#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad {

/// Whether these options need double: from concentrations of this size on, float32 rounding of a cosine moves logits
/// by more than a thousandth, and learned concentrations reach a million.
inline bool needs_double(const StadVmfOptions& options) {
  constexpr double kLargestForFloat = 1e4;
  return options.learn_kappa != LearnKappa::kNone || options.kappa_ems > kLargestForFloat;
}

/// STAD on the unit sphere: class prototypes tracked by variational EM over a sliding window of batches.
template <typename Scalar>
class StadVmfAdapter final : public Adapter {
 public:
  /// The source's rows must have a direction, and its mean must be known where the options centre by it.
  StadVmfAdapter(SourceModel source, const StadVmfOptions& options);

  std::string_view method() const override { return "stad-vmf"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return to_matrix(current().directions); }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  /// H: centred where the options say so, of unit length.
  UnitRows<Scalar> represent(MatrixView features) const;
  /// Makes room for the new batch; the oldest step may slide out and becomes the frozen past.
  void slide(Rows<Scalar> features);
  /// sweeps x (E-step, M-step) over the window.
  void fit_window();
  /// What is served for these unit rows, with the prototypes, kappas and proportions as they are now. n x K.
  DoubleRows logits(const Rows<Scalar>& features) const;

  const vmf::Prototypes<Scalar>& current() const;
  vmf::Params initial_params() const;
  std::vector<double> uniform_proportions() const;

  StadVmfOptions options_;
  vmf::Params params_;
  vmf::Window<Scalar> window_;
};

}  // namespace stad
