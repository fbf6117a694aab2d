#include "torch/small_cnn.hpp"

#include <cmath>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

namespace stad::backbone {
namespace {

namespace jit = torch::jit;

constexpr Index kChannels = 32;
constexpr Index kBlocks = 4;

/// Weight and bias drawn uniformly within 1 / sqrt(inputs), the default initialisation of torch.
void add_affine(jit::Module& module, const at::IntArrayRef& shape, Index inputs, const at::Generator& generator) {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  module.register_parameter("weight", at::empty(shape).uniform_(-bound, bound, generator), false);
  module.register_parameter("bias", at::empty({shape[0]}).uniform_(-bound, bound, generator), false);
}

class SmallCnnBuilder {
 public:
  SmallCnnBuilder() : unit_(std::make_shared<jit::CompilationUnit>()) {}

  jit::Module module(const std::string& name) const {
    jit::Module made("__torch__." + name, unit_, /*shouldMangle=*/true);
    return made;
  }

  jit::Module block(Index inputs, const at::Generator& generator) const {
    jit::Module conv = module("Convolution"), norm = module("Norm"), whole = module("Block");
    add_affine(conv, {kChannels, inputs, 3, 3}, inputs * 9, generator);
    norm.register_parameter("weight", at::ones({kChannels}), false);
    norm.register_parameter("bias", at::zeros({kChannels}), false);
    norm.register_buffer("running_mean", at::zeros({kChannels}));
    norm.register_buffer("running_var", at::ones({kChannels}));
    whole.register_module("conv", conv);
    whole.register_module("norm", norm);
    whole.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.conv2d(x, self.conv.weight, self.conv.bias, [1, 1], [1, 1])
    x = torch.batch_norm(x, self.norm.weight, self.norm.bias, self.norm.running_mean, self.norm.running_var,
                         False, 0.1, 1e-5, False)
    return torch.max_pool2d(torch.relu(x), [2, 2])
)");
    return whole;
  }

 private:
  std::shared_ptr<jit::CompilationUnit> unit_;
};

std::string bytes_of(const jit::Module& module) {
  std::ostringstream stream;
  module.save(stream);
  return stream.str();
}

}  // namespace

std::string make_small_cnn(const ImageShape& shape, Index classes, const at::Generator& generator) {
  const SmallCnnBuilder builder;
  jit::Module net = builder.module("SmallCnn"), fc = builder.module("Linear");
  for (Index b = 0; b < kBlocks; ++b)
    net.register_module(fmt::format("block{}", b + 1), builder.block(b == 0 ? shape.channels : kChannels, generator));
  add_affine(fc, {classes, kChannels}, kChannels, generator);
  net.register_module("fc", fc);
  net.define(R"(
def features(self, x: Tensor) -> Tensor:
    x = self.block4.forward(self.block3.forward(self.block2.forward(self.block1.forward(x))))
    return torch.mean(x, [2, 3])

def forward(self, x: Tensor) -> Tensor:
    return torch.linear(self.features(x), self.fc.weight, self.fc.bias)
)");
  return bytes_of(net);
}

std::string with_weights(const std::string& file, const std::vector<std::string>& names, const Tensors& weights) {
  std::istringstream stream(file);
  jit::Module module = jit::load(stream);
  std::map<std::string, at::Tensor> own;
  for (const auto& tensor : module.named_parameters()) own[tensor.name] = tensor.value;
  for (const auto& tensor : module.named_buffers()) own[tensor.name] = tensor.value;
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < names.size(); ++i) own.at(names[i]).copy_(weights[i]);
  return bytes_of(module);
}

}  // namespace stad::backbone
