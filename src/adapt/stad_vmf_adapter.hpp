#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "math/eigen.hpp"
#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad {

/// STAD on the unit sphere: class prototypes tracked by variational EM over a sliding window of batches.
class StadVmfAdapter final : public Adapter {
 public:
  /// The source's rows must have a direction, and its mean must be known where the options centre by it.
  StadVmfAdapter(SourceModel source, const StadVmfOptions& options);

  std::string_view method() const override { return "stad-vmf"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return current().directions; }

 private:
  Predictions adapt_checked(MatrixView features) override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  /// Makes room for the new batch; the oldest step may slide out and becomes the frozen past.
  void slide(Matrix features);
  /// sweeps x (E-step, M-step) over the window.
  void fit_window();
  /// What is served for these unit rows, with the prototypes, kappas and proportions as they are now. n x K.
  DoubleRows logits(const Matrix& features) const;

  const vmf::Prototypes& current() const;
  std::vector<double> uniform_proportions() const;

  StadVmfOptions options_;
  vmf::Params params_;
  vmf::Window window_;
};

}  // namespace stad
