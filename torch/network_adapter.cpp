#include "torch/network_adapter.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include "adapt/answer.hpp"
#include "base/try.hpp"
#include "torch/embed_rows.hpp"
#include "torch/reason.hpp"

namespace stad::backbone {
namespace {

Status serve_tensor(const at::Tensor& logits, Predictions& answer) {
  const at::Tensor values = logits.detach().to(at::kDouble).contiguous();
  if (!at::isfinite(values).all().item<bool>()) return failed("a logit is not finite");
  serve(Eigen::Map<const DoubleRows>(values.data_ptr<double>(), values.size(0), values.size(1)), answer);
  return {};
}

/// One stream of random numbers for each seed and step: nothing to save, and a restored adapter draws the same.
std::uint64_t mixed(Index seed, Index step) {
  auto word = static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(step);
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

}  // namespace

NetworkAdapter::NetworkAdapter(Start start)
    : Adapter(start.source), start_(std::move(start)), steps_(at::zeros({}, at::kLong)) {}

at::Generator NetworkAdapter::generator(Index seed) const {
  return at::make_generator<at::CPUGeneratorImpl>(mixed(seed, steps()));
}

at::Tensor NetworkAdapter::logits_of(const at::Tensor& images, const Tensors& weights,
                                     const NormaliserPointer& normaliser) const {
  const at::NoGradGuard no_grad;
  return network().run(images, weights, normaliser).logits;
}

/// A step that fails half way, for whatever reason, leaves the state as it was.
Status NetworkAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  const Memory before = copied(whole_memory());
  const Status stepped = try_step(batch, answer);
  if (stepped) return {};
  put_back(before, whole_memory());
  return Error{stepped.error().kind, fmt::format("{}: step {}: {}; the state before it is kept", method(), steps() + 1,
                                                 stepped.error().message)};
}

Status NetworkAdapter::try_step(const Batch& batch, Predictions& answer) {
  try {
    STAD_ASSIGN(const at::Tensor logits, learn(to_images(batch.features, shape()), batch.time));
    steps_ += 1;
    return serve_tensor(logits, answer);
  } catch (const std::exception& trouble) {
    return failed(reason(trouble));
  }
}

Status NetworkAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  try {
    return serve_tensor(infer(to_images(batch.features, shape())), answer);
  } catch (const std::exception& trouble) {
    return failed(fmt::format("{}: {}", method(), reason(trouble)));
  }
}

Result<Matrix> NetworkAdapter::source_features(MatrixView images) const {
  try {
    return embed_rows(network(), images, shape());
  } catch (const std::exception& trouble) {
    return failed(fmt::format("{}: {}", method(), reason(trouble)));
  }
}

Memory NetworkAdapter::whole_memory() const {
  Memory all = memory();
  all.push_back({"steps", steps_});
  return all;
}

/// With the network's fingerprint, so that a state is never put onto other weights.
std::vector<Tensor> NetworkAdapter::save() const {
  auto tensors = to_state(whole_memory());
  tensors.push_back({"network", {1}, std::vector<std::int64_t>{static_cast<std::int64_t>(network().fingerprint())}});
  return tensors;
}

Status NetworkAdapter::load(const AdapterState& state) {
  const std::vector<std::int64_t> own{static_cast<std::int64_t>(network().fingerprint())};
  const Tensor* made_with = state.find("network");
  if (!made_with || made_with->values != Tensor::Values(own))
    return invalid("state: was made with other network weights; adapt from the start with these");
  AdapterState rest = state;
  std::erase_if(rest.tensors, [](const Tensor& tensor) { return tensor.name == "network"; });

  const Memory before = copied(whole_memory());
  STAD_TRY(from_state(rest, whole_memory()));
  const auto checked = check_memory();
  if (!checked) put_back(before, whole_memory());
  return checked;
}

}  // namespace stad::backbone
