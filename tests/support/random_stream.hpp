#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Core>

#include <stad/source_model.hpp>

#include "base/random.hpp"
#include "math/eigen.hpp"

namespace stad::testing {

/// A head and batches of features around drifting class centres.
struct RandomStream {
  Matrix weight;                ///< K x D
  std::vector<float> bias;      ///< K
  std::vector<float> mean;      ///< D
  std::vector<Matrix> batches;  ///< each N x D
  std::vector<std::vector<Index>> labels;

  SourceModel source() const { return *SourceModel::create(weight, bias, mean); }
};

struct RandomStreamShape {
  Index classes = 4;
  Index dimension = 16;
  std::vector<Index> batch_sizes = {16, 16, 16, 16, 16, 16};
  double noise = 1.5;   ///< total standard deviation around a centre of length one
  double offset = 0.5;  ///< length of an offset common to all features
  double drift = 0.1;   ///< movement of each centre in a batch
};

inline RandomStream random_stream(std::uint64_t seed, const RandomStreamShape& shape = {}) {
  Random random(seed);
  const Index k = shape.classes;
  const Index d = shape.dimension;
  const double per_axis = 1 / std::sqrt(static_cast<double>(d));
  const auto normal_rows = [&](Index rows, double scale) {
    Eigen::MatrixXd m(rows, d);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < d; ++j) m(i, j) = scale * per_axis * random.normal();
    return m;
  };
  RandomStream stream;
  Eigen::MatrixXd centres = normal_rows(k, 1);
  const Eigen::MatrixXd shared = normal_rows(1, shape.offset);
  stream.weight = Matrix(k, d);
  as_eigen(stream.weight) = (centres + normal_rows(k, 0.3)).cast<float>();
  for (Index i = 0; i < k; ++i) stream.bias.push_back(static_cast<float>(0.1 * random.normal()));
  for (Index j = 0; j < d; ++j) stream.mean.push_back(static_cast<float>(shared(0, j)));
  for (const Index rows : shape.batch_sizes) {
    centres += normal_rows(k, shape.drift);
    Eigen::MatrixXd batch = normal_rows(rows, shape.noise);
    std::vector<Index> labels;
    for (Index n = 0; n < rows; ++n) {
      labels.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(k))));
      batch.row(n) += centres.row(labels.back()) + shared.row(0);
    }
    Matrix features(rows, d);
    as_eigen(features) = batch.cast<float>();
    stream.batches.push_back(std::move(features));
    stream.labels.push_back(std::move(labels));
  }
  return stream;
}

inline Eigen::MatrixXd as_double(const Matrix& m) { return as_eigen(m).cast<double>(); }

inline Eigen::VectorXd as_double(const std::vector<float>& v) {
  return as_array(std::span<const float>(v)).matrix().cast<double>();
}

}  // namespace stad::testing
