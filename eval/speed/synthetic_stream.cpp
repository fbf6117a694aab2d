#include "speed/synthetic_stream.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/random.hpp"
#include "math/eigen.hpp"

namespace stad::speed {
namespace {

constexpr double kNoise = 1.5;  // total standard deviation around a prototype of length one

Matrix unit_directions(Random& random, Index rows, Index dimension) {
  Matrix directions(rows, dimension);
  for (Index k = 0; k < rows; ++k)
    for (float& x : directions.row(k)) x = static_cast<float>(random.normal());
  as_eigen(directions).rowwise().normalize();
  return directions;
}

Matrix features_around(const Matrix& prototypes, Index samples, Random& random) {
  const double deviation = kNoise / std::sqrt(static_cast<double>(prototypes.cols()));
  Matrix features(samples, prototypes.cols());
  for (Index n = 0; n < samples; ++n) {
    const auto label = static_cast<Index>(random.below(static_cast<std::uint64_t>(prototypes.rows())));
    const auto prototype = prototypes.row(label);
    std::transform(prototype.begin(), prototype.end(), features.row(n).begin(),
                   [&](float centre) { return static_cast<float>(centre + deviation * random.normal()); });
  }
  return features;
}

/// The mean, which some methods subtract from features.
std::vector<float> mean_row(const Matrix& rows) {
  std::vector<float> mean(static_cast<std::size_t>(rows.cols()));
  as_array(std::span(mean)) = as_eigen(rows).colwise().mean().transpose().array();
  return mean;
}

}  // namespace

Index ring_length(const BatchShape& shape, Index most) {
  constexpr Index kMostBytes = Index{256} << 20;
  const Index batch_bytes = shape.samples * shape.dimension * static_cast<Index>(sizeof(float));
  return std::clamp<Index>(kMostBytes / batch_bytes, 1, most);
}

SyntheticStream synthetic_stream(const BatchShape& shape, std::uint64_t seed, Index most_batches) {
  Random random(seed);
  const Matrix prototypes = unit_directions(random, shape.classes, shape.dimension);
  auto source = SourceModel::create(prototypes, {}, mean_row(prototypes));
  STAD_CHECK(source);
  SyntheticStream stream{*std::move(source), {}};
  for (Index i = ring_length(shape, most_batches); i > 0; --i)
    stream.batches.push_back(features_around(prototypes, shape.samples, random));
  return stream;
}

}  // namespace stad::speed
