#pragma once

#include <vector>

#include "torch/network_adapter.hpp"
#include "torch/optimiser.hpp"
#include "torch/student.hpp"

namespace stad::backbone {

/// A method that trains one student under batch statistics, by one optimiser.
template <typename Options, typename Optimiser>
class StudentMethod : public NetworkMethod<Options> {
 protected:
  /// @param trained which weights of the network
  /// @param rates what the optimiser takes beside them
  template <typename... Rates>
  StudentMethod(Start start, const Options& options, std::vector<std::size_t> (Network::*trained)() const,
                Rates... rates)
      : NetworkMethod<Options>(std::move(start), options),
        student_(this->network().weights(), (this->network().*trained)()),
        optimiser_(student_.trained(), rates...) {}

  /// With gradients.
  at::Tensor student_logits(const at::Tensor& images) const {
    return this->network().run(images, student_.weights(), batch_statistics()).logits;
  }

  at::Tensor infer(const at::Tensor& images) const override {
    return this->logits_of(images, student_.weights(), batch_statistics());
  }

  Memory memory() const override {
    const auto names = student_.at_places(this->network().names());
    Memory memory;
    remember(memory, "student", names, student_.trained());
    optimiser_.remember(memory, names);
    return memory;
  }

  Student student_;
  Optimiser optimiser_;

 private:
  const Tensors& weights() const final { return student_.weights(); }
};

}  // namespace stad::backbone
