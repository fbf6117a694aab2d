#pragma once

#include "torch/student_method.hpp"

namespace stad::backbone {

/// Source hypothesis transfer, the online form: the classifier stays, the extractor learns.
class ShotAdapter final : public StudentMethod<ShotOptions, Sgd> {
 public:
  ShotAdapter(Start start, const ShotOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
};

}  // namespace stad::backbone
