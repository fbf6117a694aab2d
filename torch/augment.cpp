#include "torch/augment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stad::backbone {
namespace {

double uniform(double low, double high, at::Generator& generator) {
  return low + (high - low) * at::rand({}, generator, at::kDouble).item<double>();
}

at::Tensor blend(const at::Tensor& images, const at::Tensor& other, double share) {
  return (share * images + (1 - share) * other).clamp(0, 1);
}

/// Luma of RGB images; images with another number of channels are returned unchanged.
at::Tensor to_grey(const at::Tensor& images) {
  if (images.size(1) != 3) return images;
  const at::Tensor luma = at::tensor({0.299, 0.587, 0.114}, images.options()).reshape({1, 3, 1, 1});
  return (images * luma).sum(1, /*keepdim=*/true);
}

/// Rotates RGB colours about the grey axis.
at::Tensor rotate_hue(const at::Tensor& images, double turns) {
  if (images.size(1) != 3) return images;
  const double angle = 2 * std::numbers::pi * turns;
  const double along = std::cos(angle), aside = std::sin(angle) / std::sqrt(3.0), grey_share = (1 - along) / 3;
  const at::Tensor turn = at::tensor({along + grey_share, grey_share - aside, grey_share + aside,  //
                                      grey_share + aside, along + grey_share, grey_share - aside,  //
                                      grey_share - aside, grey_share + aside, along + grey_share},
                                     images.options())
                              .reshape({3, 3});
  return at::einsum("dc,nchw->ndhw", {turn, images}).clamp(0, 1);
}

at::Tensor jitter_colours(at::Tensor images, at::Generator& generator) {
  const double brightness = uniform(0.6, 1.4, generator), contrast = uniform(0.7, 1.3, generator),
               saturation = uniform(0.5, 1.5, generator), hue = uniform(-0.06, 0.06, generator),
               gamma = uniform(0.7, 1.3, generator);
  const at::Tensor order = at::randperm(5, generator, at::kLong);
  for (std::int64_t i = 0; i < 5; ++i) {
    switch (order[i].item<std::int64_t>()) {
      case 0:
        images = (brightness * images).clamp(0, 1);
        break;
      case 1:
        images = blend(images, to_grey(images).mean({1, 2, 3}, true), contrast);
        break;
      case 2:
        images = blend(images, to_grey(images), saturation);
        break;
      case 3:
        images = rotate_hue(images, hue);
        break;
      default:
        images = images.clamp_min(1e-8).pow(gamma);
        break;
    }
  }
  return images;
}

/// Random rotation, scaling and translation, with border pixels replicated.
at::Tensor random_affine(const at::Tensor& images, at::Generator& generator) {
  constexpr double kMaxDegrees = 15, kMaxShift = 1.0 / 16;
  const double angle = uniform(-kMaxDegrees, kMaxDegrees, generator) * std::numbers::pi / 180;
  const double scale = 1 / uniform(0.9, 1.1, generator);
  // Grid coordinates range from -1 to 1, so a fraction of the width counts double.
  const double right = 2 * uniform(-kMaxShift, kMaxShift, generator),
               down = 2 * uniform(-kMaxShift, kMaxShift, generator);
  const at::Tensor turn = at::tensor({scale * std::cos(angle), -scale * std::sin(angle), right,  //
                                      scale * std::sin(angle), scale * std::cos(angle), down},
                                     images.options())
                              .reshape({1, 2, 3});
  const at::Tensor grid = at::affine_grid_generator(turn.expand({images.size(0), 2, 3}), images.sizes(), false);
  constexpr int kBilinear = 0, kBorder = 1;
  return at::grid_sampler(images, grid, kBilinear, kBorder, false);
}

at::Tensor blur(const at::Tensor& images, double deviation) {
  constexpr std::int64_t kRadius = 2;
  const at::Tensor offsets = at::arange(-kRadius, kRadius + 1, images.options());
  at::Tensor kernel = (-offsets.square() / (2 * deviation * deviation)).exp();
  kernel = (kernel / kernel.sum()).reshape({1, 1, 1, 2 * kRadius + 1});
  const std::int64_t channels = images.size(1);
  const at::Tensor across = kernel.expand({channels, 1, 1, 2 * kRadius + 1});
  const auto convolve = [&](const at::Tensor& input, const at::Tensor& weight) {
    return at::conv2d(input, weight, c10::optional<at::Tensor>(), at::IntArrayRef{1, 1}, at::IntArrayRef{0, 0},
                      at::IntArrayRef{1, 1}, channels);
  };
  const at::Tensor padded = at::replication_pad2d(images, {kRadius, kRadius, kRadius, kRadius});
  return convolve(convolve(padded, across), across.transpose(2, 3));
}

}  // namespace

at::Tensor augment(const at::Tensor& images, at::Generator generator) {
  constexpr double kNoise = 0.005;
  const at::NoGradGuard no_grad;
  at::Tensor view = jitter_colours(images.clamp(0, 1), generator);
  view = random_affine(view, generator);
  view = blur(view, uniform(0.001, 0.5, generator));
  if (uniform(0, 1, generator) < 0.5) view = view.flip(3);
  view = view + kNoise * at::randn(view.sizes(), generator, view.options());
  return view.clamp(0, 1);
}

}  // namespace stad::backbone
