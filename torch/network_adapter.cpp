#include "torch/network_adapter.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include "adapt/answer.hpp"
#include "base/try.hpp"
#include "torch/network.hpp"
#include "torch/tensors.hpp"

namespace stad::backbone {
namespace {

Status serve_tensor(const at::Tensor& logits, Predictions& answer) {
  const at::Tensor values = logits.detach().to(at::kDouble).contiguous();
  if (!at::isfinite(values).all().item<bool>()) return failed("a logit is not finite");
  serve(Eigen::Map<const DoubleRows>(values.data_ptr<double>(), values.size(0), values.size(1)), answer);
  return {};
}

/// Seed of one step's random numbers (splitmix64). There is no generator state to save.
std::uint64_t step_seed(Index seed, Index step) {
  auto word = static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(step);
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

}  // namespace

NetworkAdapter::NetworkAdapter(SourceNetwork source_network)
    : Adapter(source_network.source), source_network_(std::move(source_network)), steps_(at::zeros({}, at::kLong)) {}

at::Generator NetworkAdapter::generator(Index seed) const {
  return at::make_generator<at::CPUGeneratorImpl>(step_seed(seed, steps()));
}

at::Tensor NetworkAdapter::logits_of(const at::Tensor& images, const Tensors& weights,
                                     const NormaliserPointer& normaliser) const {
  const at::NoGradGuard no_grad;
  return network().run(images, weights, normaliser).logits;
}

/// The state is restored if the step fails, also by an exception.
Status NetworkAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  const StateTensors before = cloned(all_state_tensors());
  const Status stepped = try_step(batch, answer);
  if (stepped) return {};
  assign_values(before, all_state_tensors());
  return Error{stepped.error().kind, fmt::format("{}: step {}: {}; the state before it is kept", method(), steps() + 1,
                                                 stepped.error().message)};
}

Status NetworkAdapter::try_step(const Batch& batch, Predictions& answer) {
  try {
    STAD_ASSIGN(const at::Tensor logits, learn(to_images(batch.features, shape()), batch.time));
    steps_ += 1;
    return serve_tensor(logits, answer);
  } catch (const std::exception& error) {
    return failed(error_message(error));
  }
}

Status NetworkAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  try {
    return serve_tensor(infer(to_images(batch.features, shape())), answer);
  } catch (const std::exception& error) {
    return failed(fmt::format("{}: {}", method(), error_message(error)));
  }
}

Result<Matrix> NetworkAdapter::source_features(MatrixView images) const {
  try {
    return embed_images(network(), images, shape());
  } catch (const std::exception& error) {
    return failed(fmt::format("{}: {}", method(), error_message(error)));
  }
}

StateTensors NetworkAdapter::all_state_tensors() const {
  StateTensors all = state_tensors();
  all.push_back({"steps", steps_});
  return all;
}

/// Includes the network's fingerprint, so that a state is never restored onto other weights.
std::vector<Tensor> NetworkAdapter::save() const {
  auto tensors = save_tensors(all_state_tensors());
  tensors.push_back({"network", {1}, std::vector<std::int64_t>{static_cast<std::int64_t>(network().fingerprint())}});
  return tensors;
}

Status NetworkAdapter::load(const AdapterState& state) {
  const std::vector<std::int64_t> own{static_cast<std::int64_t>(network().fingerprint())};
  const Tensor* fingerprint = state.find("network");
  if (!fingerprint || fingerprint->values != Tensor::Values(own))
    return invalid("state: was saved with other network weights; start a new adaptation with these");
  AdapterState rest = state;
  std::erase_if(rest.tensors, [](const Tensor& tensor) { return tensor.name == "network"; });

  const StateTensors before = cloned(all_state_tensors());
  STAD_TRY(load_tensors(rest, all_state_tensors()));
  auto checked = check_state_tensors();
  if (!checked) assign_values(before, all_state_tensors());
  return checked;
}

}  // namespace stad::backbone
