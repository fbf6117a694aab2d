#include "torch/network.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include <ATen/Parallel.h>

#include <stad/threads.hpp>

#include "base/flush_subnormals.hpp"
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

/// Torch keeps the number of threads for each calling thread; setting it is not free.
void use_threads(int count) {
  if (at::get_num_threads() != count) at::set_num_threads(count);
}

bool has_prefix(const std::string& name, const std::string& prefix) {
  return name == prefix || name.starts_with(prefix + ".");
}

/// Name prefix of the last block.
std::string last_block(const std::vector<NormLayer>& norms) {
  if (norms.empty()) return {};
  const std::string& last = norms.back().name;
  for (std::size_t dot = last.find('.'); dot != std::string::npos; dot = last.find('.', dot + 1)) {
    std::string prefix = last.substr(0, dot);
    const auto shares = [&](const NormLayer& norm) { return has_prefix(norm.name, prefix); };
    if (!std::all_of(norms.begin(), norms.end(), shares)) return prefix;
  }
  return last;
}

void add_parameters(const NormLayer& norm, std::vector<std::size_t>& indices) {
  for (const std::size_t index : {norm.scale, norm.shift})
    if (index != kNoWeight) indices.push_back(index);
}

constexpr Index kChunk = 16;  ///< images; constant, so that results do not depend on the number of threads

/// Computes features chunk by chunk; every participating thread calls work(), which runs torch single-threaded.
class ChunkedEmbedding {
 public:
  ChunkedEmbedding(const Network& network, MatrixView images, const ImageShape& shape)
      : network_(network),
        images_(images),
        shape_(shape),
        normaliser_(source_statistics()),
        features_(images.rows, network.weights()[network.head_weight()].size(1)) {}

  void work() {
    const at::NoGradGuard no_grad;
    const FlushSubnormals flush;
    try {
      for (Index first = next_.fetch_add(kChunk); first < images_.rows; first = next_.fetch_add(kChunk)) embed(first);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      error_ = std::current_exception();
      next_ = images_.rows;
    }
  }

  /// The features, once every work() has returned. Rethrows the exception of a thread.
  Matrix finish() {
    if (error_) std::rethrow_exception(error_);
    return std::move(features_);
  }

 private:
  void embed(Index first) {
    const MatrixView part = images_.rows_from(first, std::min(kChunk, images_.rows - first));
    const auto outputs = network_.run_single_threaded(to_images(part, shape_), network_.weights(), normaliser_);
    const Matrix rows = to_rows(outputs.features);
    std::copy_n(rows.data(), rows.size(), features_.row(first).data());
  }

  const Network& network_;
  MatrixView images_;
  ImageShape shape_;
  NormaliserPointer normaliser_;
  Matrix features_;
  std::atomic<Index> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

Network::Network(NetworkGraph graph)
    : graph_(std::move(graph)), code_(graph_.function, "forward"), fingerprint_(fingerprint_of(graph_.weights)) {}

NetworkOutputs Network::run(const at::Tensor& images, const Tensors& weights,
                            const NormaliserPointer& normaliser) const {
  use_threads(threads());
  return interpret(images, weights, normaliser);
}

NetworkOutputs Network::run_single_threaded(const at::Tensor& images, const Tensors& weights,
                                            const NormaliserPointer& normaliser) const {
  use_threads(1);
  return interpret(images, weights, normaliser);
}

NetworkOutputs Network::interpret(const at::Tensor& images, const Tensors& weights,
                                  const NormaliserPointer& normaliser) const {
  torch::jit::Stack stack{images, normaliser};
  stack.insert(stack.end(), weights.begin(), weights.end());
  torch::jit::InterpreterState(code_).run(stack);
  return {stack[0].toTensor(), stack[1].toTensor()};
}

std::vector<std::size_t> Network::parameters() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < graph_.weights.size(); ++i)
    if (graph_.is_parameter[i]) indices.push_back(i);
  return indices;
}

std::vector<std::size_t> Network::extractor_parameters() const {
  auto indices = parameters();
  std::erase_if(indices, [&](std::size_t index) { return index == head_weight() || index == head_bias(); });
  return indices;
}

std::vector<std::size_t> Network::norm_parameters() const {
  std::vector<std::size_t> indices;
  for (const NormLayer& norm : graph_.norms) add_parameters(norm, indices);
  return indices;
}

std::vector<std::size_t> Network::norm_parameters_before_last_block() const {
  const std::string last = last_block(graph_.norms);
  std::vector<std::size_t> indices;
  for (const NormLayer& norm : graph_.norms)
    if (!has_prefix(norm.name, last)) add_parameters(norm, indices);
  return indices.empty() ? norm_parameters() : indices;
}

NormStatistics Network::source_statistics() const {
  NormStatistics statistics;
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

void append_tensors(StateTensors& tensors, const std::string& prefix, const std::vector<NormLayer>& norms,
                    const NormStatistics& statistics) {
  for (std::size_t i = 0; i < statistics.means.size(); ++i) {
    if (!statistics.means[i].defined()) continue;
    tensors.push_back({prefix + "." + norms[i].name + ".mean", statistics.means[i]});
    tensors.push_back({prefix + "." + norms[i].name + ".variance", statistics.variances[i]});
  }
}

Matrix embed_images(const Network& network, MatrixView images, const ImageShape& shape) {
  ChunkedEmbedding embedding(network, images, shape);
  {
    std::vector<std::jthread> others;
    const Index chunks = (images.rows + kChunk - 1) / kChunk;
    for (Index t = 1; t < std::min<Index>(threads(), chunks); ++t) others.emplace_back([&] { embedding.work(); });
    embedding.work();
  }
  return embedding.finish();
}

}  // namespace stad::backbone
