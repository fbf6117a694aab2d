#pragma once

#include "torch/student_method.hpp"

namespace stad::backbone {

/// Test entropy minimisation.
class TentAdapter final : public StudentMethod<TentOptions, Adam> {
 public:
  TentAdapter(Start start, const TentOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
};

}  // namespace stad::backbone
