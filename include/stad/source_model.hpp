#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <stad/adapter_state.hpp>
#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// Statistics of the head on labelled rows that it was not fitted on. Every field may be absent; methods then use the
/// value stated here.
struct STAD_API SourceCard {
  std::optional<double> temperature;  ///< T of least log-loss of softmax(logits / T); absent: 1
  std::vector<float> frequencies;     ///< K class frequencies; absent: equal ones
  Matrix means;                       ///< K x D class means; absent: estimated from the first rows of a stream
  std::vector<float> variance;        ///< D variances of the features; absent: features are not standardised
  std::optional<double> accuracy;     ///< of the head; absent: no warning level
  std::optional<double> confidence;   ///< mean of the largest probability at T; absent: no warning level

  bool is_empty() const;
  bool operator==(const SourceCard&) const = default;
};

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

  /// The same head with this card, which must match its shape, and without a certificate, which holds for one card. An
  /// empty card removes one.
  Result<SourceModel> with_card(SourceCard card) const;
  /// The same head with a card computed from labelled rows that it was not fitted on.
  Result<SourceModel> with_card(MatrixView features, std::span<const std::int64_t> labels) const;
  const SourceCard& card() const { return parts_->card; }
  /// K x K: W m_k for every class mean m_k of the card, one row a class; empty without means.
  const Matrix& mean_products() const { return parts_->mean_products; }

  /// The same head with a certificate that certify() made for it: stad-safe starts with its candidates.
  Result<SourceModel> with_certificate(AdapterState certificate) const;
  /// Null without one.
  const AdapterState* certificate() const { return parts_->certificate.get(); }

  /// Identifies the head: a state can only be restored with the head it was saved with. The card is not part of it.
  std::uint64_t fingerprint() const { return parts_->fingerprint; }

 private:
  struct Parts {
    Matrix weight;
    std::vector<float> bias;
    std::vector<float> mean;
    std::vector<std::string> names;
    bool named = false;
    std::uint64_t fingerprint = 0;
    SourceCard card;
    Matrix mean_products;
    std::shared_ptr<const AdapterState> certificate;
  };
  explicit SourceModel(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

}  // namespace stad
