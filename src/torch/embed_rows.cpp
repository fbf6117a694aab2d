#include "torch/embed_rows.hpp"

#include <algorithm>

#include <stad/threads.hpp>

namespace stad::backbone {
namespace {

constexpr Index kImagesAThread = 16;

}  // namespace

Matrix embed_rows(const Network& network, MatrixView images, const ImageShape& shape) {
  const at::NoGradGuard no_grad;
  const NormaliserPointer normaliser = source_statistics();
  const Index chunk = kImagesAThread * threads();
  Matrix all;
  for (Index first = 0; first < images.rows; first += chunk) {
    const MatrixView part = images.rows_from(first, std::min(chunk, images.rows - first));
    const Matrix features = to_rows(network.run(to_images(part, shape), network.weights(), normaliser).features);
    if (all.empty()) all.resize(images.rows, features.cols());
    std::copy_n(features.data(), features.size(), all.row(first).data());
  }
  return all;
}

}  // namespace stad::backbone
