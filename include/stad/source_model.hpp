#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// The last layer of the trained network, the starting point of every method. Immutable; copies share one storage, so
/// that many adapters of one model hold one head.
class STAD_API SourceModel {
 public:
  /// @param weight  K x D, one row a class; K and D at least 2
  /// @param bias    K values, or empty
  /// @param mean    D values, the mean of the training features, or empty; needed by `center = source`
  /// @param classes K names, or empty
  static Result<SourceModel> create(Matrix weight, std::vector<float> bias = {}, std::vector<float> mean = {},
                                    std::vector<std::string> classes = {});

  Index classes() const { return weight().rows(); }        ///< K
  Index dimension() const { return weight().cols(); }      ///< D
  const Matrix& weight() const { return parts_->weight; }  ///< W_0, K x D
  bool has_bias() const { return !parts_->bias.empty(); }
  std::span<const float> bias() const { return parts_->bias; }
  bool has_mean() const { return !parts_->mean.empty(); }
  std::span<const float> mean() const { return parts_->mean; }
  /// The given names, or "0", "1", ... if there were none.
  const std::vector<std::string>& class_names() const { return parts_->names; }
  bool has_class_names() const { return parts_->named; }

  /// Identifies the head: a state can only be restored with the head it was saved with.
  std::uint64_t fingerprint() const { return parts_->fingerprint; }

 private:
  struct Parts {
    Matrix weight;
    std::vector<float> bias;
    std::vector<float> mean;
    std::vector<std::string> names;
    bool named = false;
    std::uint64_t fingerprint = 0;
  };
  explicit SourceModel(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

}  // namespace stad
