#pragma once

#include "torch/network_adapter.hpp"
#include "torch/optimiser.hpp"
#include "torch/rotta_memory.hpp"
#include "torch/student.hpp"

namespace stad::backbone {

/// Robust test-time adaptation: robust batch norm, a balanced memory, a slow teacher that answers.
class RottaAdapter final : public NetworkMethod<RottaOptions> {
 public:
  RottaAdapter(Start start, const RottaOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return teacher_.weights(); }
  Memory memory() const override;
  Status check_memory() const override { return memory_.check(); }

  /// One step of student and teacher on what the memory holds.
  Status step_on_memory(at::Generator random);
  /// Normalises with these statistics and moves them towards the batch's.
  at::Tensor run_robust(const at::Tensor& images, const Tensors& weights, Statistics& statistics) const;

  Student student_;
  Student teacher_;  ///< moved by hand, never by gradients
  Statistics student_statistics_;
  Statistics teacher_statistics_;
  Adam adam_;
  RottaMemory memory_;
  at::Tensor arrivals_;  ///< an integer
};

}  // namespace stad::backbone
