#pragma once

#include <vector>

#include <ATen/ATen.h>

#include <stad/matrix.hpp>
#include <stad/streams.hpp>

namespace stad::backbone {

using Tensors = std::vector<at::Tensor>;

/// N x C x H x W of our own: a network may write into what it is given.
at::Tensor to_images(MatrixView rows, const ImageShape& shape);

/// N x D float32 rows.
Matrix to_rows(const at::Tensor& values);

}  // namespace stad::backbone
