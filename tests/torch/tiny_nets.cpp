#include "torch/tiny_nets.hpp"

#include <sstream>

#include <ATen/CPUGeneratorImpl.h>
#include <torch/csrc/jit/api/module.h>

#include "base/random.hpp"

namespace stad::testing {
namespace {

namespace jit = torch::jit;

at::Tensor drawn(const at::IntArrayRef& shape, std::uint64_t seed) {
  return 0.5 * at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::kFloat);
}

std::string bytes_of(const jit::Module& module) {
  std::ostringstream stream;
  module.save(stream);
  return stream.str();
}

/// A module with a weight and a bias.
jit::Module affine(const at::Tensor& weight, const at::Tensor& bias) {
  jit::Module module("Affine");
  module.register_parameter("weight", weight, false);
  module.register_parameter("bias", bias, false);
  return module;
}

jit::Module batch_norm(Index channels, std::uint64_t seed) {
  jit::Module module = affine(1 + 0.2 * drawn({channels}, seed), 0.2 * drawn({channels}, seed + 1));
  module.register_buffer("running_mean", 0.1 * drawn({channels}, seed + 2));
  module.register_buffer("running_var", 0.5 + drawn({channels}, seed + 3).abs());
  return module;
}

jit::Module cnn() {
  jit::Module net("Cnn");
  net.register_module("conv1", affine(drawn({4, 1, 3, 3}, 1), drawn({4}, 2)));
  net.register_module("bn1", batch_norm(4, 10));
  net.register_module("conv2", affine(drawn({5, 4, 3, 3}, 3), drawn({5}, 4)));
  net.register_module("bn2", batch_norm(5, 20));
  net.register_module("fc", affine(drawn({kTinyClasses, 5}, 5), drawn({kTinyClasses}, 6)));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.conv2d(x, self.conv1.weight, self.conv1.bias, [1, 1], [1, 1])
    x = torch.relu(torch.batch_norm(x, self.bn1.weight, self.bn1.bias, self.bn1.running_mean,
                                    self.bn1.running_var, False, 0.1, 1e-5, False))
    x = torch.conv2d(x, self.conv2.weight, self.conv2.bias, [1, 1], [1, 1])
    x = torch.relu(torch.batch_norm(x, self.bn2.weight, self.bn2.bias, self.bn2.running_mean,
                                    self.bn2.running_var, False, 0.1, 1e-5, False))
    return torch.linear(torch.mean(x, [2, 3]), self.fc.weight, self.fc.bias)
)");
  return net;
}

/// @param pixels what is embedded, in terms of the images x
std::string layer_norm_net_of(const std::string& pixels) {
  jit::Module net("LayerNorm");
  net.register_module("embed", affine(drawn({8, 36}, 1), drawn({8}, 2)));
  net.register_module("norm", affine(1 + 0.2 * drawn({8}, 3), 0.2 * drawn({8}, 4)));
  net.register_module("fc", affine(drawn({kTinyClasses, 8}, 5), drawn({kTinyClasses}, 6)));
  net.define("def forward(self, x: Tensor) -> Tensor:\n    x = " + pixels + R"(
    x = torch.linear(torch.flatten(x, 1), self.embed.weight, self.embed.bias)
    x = torch.relu(torch.layer_norm(x, [8], self.norm.weight, self.norm.bias))
    return torch.linear(x, self.fc.weight, self.fc.bias)
)");
  return bytes_of(net);
}

}  // namespace

std::string pixel_norm_net() {
  jit::Module net("PixelNorm"), norm = affine(at::full({1}, 2.0F), at::full({1}, 0.5F));
  norm.register_buffer("running_mean", at::full({1}, 1.0F));
  norm.register_buffer("running_var", at::full({1}, 4.0F));
  net.register_module("norm", norm);
  net.register_module("fc", affine(at::eye(2), at::zeros({2})));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.batch_norm(x, self.norm.weight, self.norm.bias, self.norm.running_mean, self.norm.running_var,
                         False, 0.1, 0.0, False)
    return torch.linear(torch.mean(x, [1, 3]), self.fc.weight, self.fc.bias)
)");
  return bytes_of(net);
}

std::string tiny_cnn() { return bytes_of(cnn()); }

std::string layer_norm_net() { return layer_norm_net_of("x"); }
std::string cubing_net() { return layer_norm_net_of("x * x * x"); }

std::string group_norm_net() {
  jit::Module net("GroupNorm");
  net.register_module("conv", affine(drawn({4, 1, 3, 3}, 1), drawn({4}, 2)));
  net.register_module("norm", affine(1 + 0.2 * drawn({4}, 3), 0.2 * drawn({4}, 4)));
  net.register_module("fc", affine(drawn({kTinyClasses, 4}, 5), drawn({kTinyClasses}, 6)));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.conv2d(x, self.conv.weight, self.conv.bias, [1, 1], [1, 1])
    x = torch.relu(torch.group_norm(x, 2, self.norm.weight, self.norm.bias))
    return torch.linear(torch.mean(x, [2, 3]), self.fc.weight, self.fc.bias)
)");
  return bytes_of(net);
}

std::string frozen_net() {
  jit::Module net = cnn();
  net.eval();
  return bytes_of(jit::freeze(net));
}

std::string headless_net() {
  jit::Module net("Headless");
  net.register_module("conv", affine(drawn({4, 1, 3, 3}, 1), drawn({4}, 2)));
  net.define(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    return torch.mean(torch.conv2d(x, self.conv.weight, self.conv.bias), [2, 3])\n");
  return bytes_of(net);
}

std::string two_argument_net() {
  jit::Module net("Two");
  net.define("def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x + y\n");
  return bytes_of(net);
}

backbone::NetworkPointer open_net(const std::string& file, const std::string& head) {
  auto graph = backbone::read_graph(std::as_bytes(std::span(file)), head);
  if (!graph) throw std::runtime_error(graph.error().message);
  return std::make_shared<const backbone::Network>(*std::move(graph));
}

backbone::SourceNetwork source_network_of(const std::string& file, const ImageShape& shape) {
  auto network = open_net(file);
  const at::Tensor bias = network->weights()[network->head_bias()];
  auto source = SourceModel::create(backbone::to_rows(network->weights()[network->head_weight()]),
                                    {bias.data_ptr<float>(), bias.data_ptr<float>() + bias.numel()});
  return {std::move(network), *std::move(source), shape};
}

Matrix random_pixels(std::uint64_t seed, Index rows, const ImageShape& shape) {
  Random random(seed);
  Matrix pixels(rows, shape.size());
  for (Index r = 0; r < rows; ++r) {
    const double level = random.uniform();
    for (float& value : pixels.row(r)) value = static_cast<float>(0.6 * level + 0.4 * random.uniform());
  }
  return pixels;
}

}  // namespace stad::testing
