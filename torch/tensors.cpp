#include "torch/tensors.hpp"

#include <algorithm>

namespace stad::backbone {

at::Tensor to_images(MatrixView rows, const ImageShape& shape) {
  at::Tensor images = at::empty({rows.rows, shape.channels, shape.height, shape.width}, at::kFloat);
  float* to = images.data_ptr<float>();
  for (Index r = 0; r < rows.rows; ++r, to += rows.cols) std::copy_n(rows.row(r).data(), rows.cols, to);
  return images;
}

Matrix to_rows(const at::Tensor& values) {
  const at::Tensor flat = values.detach().to(at::kFloat).contiguous();
  Matrix rows(flat.size(0), flat.size(1));
  std::copy_n(flat.data_ptr<float>(), flat.numel(), rows.data());
  return rows;
}

}  // namespace stad::backbone
