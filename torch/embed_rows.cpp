#include "torch/embed_rows.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include <ATen/Parallel.h>

#include <stad/threads.hpp>

#include "base/flush_subnormals.hpp"

namespace stad::backbone {
namespace {

constexpr Index kChunk = 16;  ///< images; fixed, so that the bits do not depend on the number of threads

/// One thread's share: chunk after chunk, torch on this thread alone.
class Embedding {
 public:
  Embedding(const Network& network, MatrixView images, const ImageShape& shape)
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
      trouble_ = std::current_exception();
      next_ = images_.rows;
    }
  }

  Matrix finish() {
    if (trouble_) std::rethrow_exception(trouble_);
    return std::move(features_);
  }

 private:
  void embed(Index first) {
    const MatrixView part = images_.rows_from(first, std::min(kChunk, images_.rows - first));
    const auto outputs = network_.run_alone(to_images(part, shape_), network_.weights(), normaliser_);
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
  std::exception_ptr trouble_;
};

}  // namespace

Matrix embed_rows(const Network& network, MatrixView images, const ImageShape& shape) {
  Embedding embedding(network, images, shape);
  {
    std::vector<std::jthread> others;
    const Index chunks = (images.rows + kChunk - 1) / kChunk;
    for (Index t = 1; t < std::min<Index>(threads(), chunks); ++t) others.emplace_back([&] { embedding.work(); });
    embedding.work();
  }
  return embedding.finish();
}

}  // namespace stad::backbone
