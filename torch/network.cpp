#include "torch/network.hpp"

#include <algorithm>

#include <ATen/Parallel.h>

#include <stad/threads.hpp>

#include "data/fingerprint.hpp"

namespace stad::backbone {
namespace {

std::uint64_t fingerprint_of(const Tensors& weights) {
  Fingerprint print;
  for (const at::Tensor& weight : weights) {
    const at::Tensor flat = weight.to(at::kFloat).contiguous();
    print.add(MatrixView(flat.data_ptr<float>(), 1, flat.numel()));
  }
  return print.value();
}

/// Torch keeps the number for each thread of ours.
void use_threads(int count) {
  if (at::get_num_threads() != count) at::set_num_threads(count);
}

bool begins_with(const std::string& name, const std::string& beginning) {
  return name == beginning || name.starts_with(beginning + ".");
}

/// Where the last block begins, by name.
std::string last_block(const std::vector<NormLayer>& norms) {
  if (norms.empty()) return {};
  const std::string& last = norms.back().name;
  for (std::size_t dot = last.find('.'); dot != std::string::npos; dot = last.find('.', dot + 1)) {
    const std::string beginning = last.substr(0, dot);
    const auto shares = [&](const NormLayer& norm) { return begins_with(norm.name, beginning); };
    if (!std::all_of(norms.begin(), norms.end(), shares)) return beginning;
  }
  return last;
}

void add_parameters(const NormLayer& norm, std::vector<std::size_t>& places) {
  for (const std::size_t place : {norm.scale, norm.shift})
    if (place != kNoWeight) places.push_back(place);
}

}  // namespace

Network::Network(NetworkGraph graph)
    : graph_(std::move(graph)), code_(graph_.function, "forward"), fingerprint_(fingerprint_of(graph_.weights)) {}

Outputs Network::run(const at::Tensor& images, const Tensors& weights, const NormaliserPointer& normaliser) const {
  use_threads(threads());
  return interpret(images, weights, normaliser);
}

Outputs Network::run_alone(const at::Tensor& images, const Tensors& weights,
                           const NormaliserPointer& normaliser) const {
  use_threads(1);
  return interpret(images, weights, normaliser);
}

Outputs Network::interpret(const at::Tensor& images, const Tensors& weights,
                           const NormaliserPointer& normaliser) const {
  torch::jit::Stack stack{images, normaliser};
  stack.insert(stack.end(), weights.begin(), weights.end());
  torch::jit::InterpreterState(code_).run(stack);
  return {stack[0].toTensor(), stack[1].toTensor()};
}

std::vector<std::size_t> Network::parameters() const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < graph_.weights.size(); ++i)
    if (graph_.is_parameter[i]) places.push_back(i);
  return places;
}

std::vector<std::size_t> Network::extractor_parameters() const {
  auto places = parameters();
  std::erase_if(places, [&](std::size_t place) { return place == head_weight() || place == head_bias(); });
  return places;
}

std::vector<std::size_t> Network::norm_parameters() const {
  std::vector<std::size_t> places;
  for (const NormLayer& norm : graph_.norms) add_parameters(norm, places);
  return places;
}

std::vector<std::size_t> Network::norm_parameters_before_last_block() const {
  const std::string last = last_block(graph_.norms);
  std::vector<std::size_t> places;
  for (const NormLayer& norm : graph_.norms)
    if (!begins_with(norm.name, last)) add_parameters(norm, places);
  return places.empty() ? norm_parameters() : places;
}

Statistics Network::source_statistics() const {
  Statistics statistics;
  for (const NormLayer& norm : graph_.norms) {
    const bool kept = norm.mean != kNoWeight;
    statistics.means.push_back(kept ? graph_.weights[norm.mean] : at::Tensor());
    statistics.variances.push_back(kept ? graph_.weights[norm.variance] : at::Tensor());
  }
  return statistics;
}

Index Network::count(NormKind kind) const {
  return std::count_if(graph_.norms.begin(), graph_.norms.end(), [&](const NormLayer& n) { return n.kind == kind; });
}

void remember(Memory& memory, const std::string& prefix, const std::vector<NormLayer>& norms,
              const Statistics& statistics) {
  for (std::size_t i = 0; i < statistics.means.size(); ++i) {
    if (!statistics.means[i].defined()) continue;
    memory.push_back({prefix + "." + norms[i].name + ".mean", statistics.means[i]});
    memory.push_back({prefix + "." + norms[i].name + ".variance", statistics.variances[i]});
  }
}

}  // namespace stad::backbone
