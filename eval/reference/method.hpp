#pragma once

#include <memory>
#include <string_view>

#include <Eigen/Core>

#include <stad/error.hpp>
#include <stad/options.hpp>
#include <stad/source_model.hpp>

/// Double-precision reference implementations that follow the printed equations. Tests and `stad speed` compare the
/// fast implementations with them. They share no code with the fast ones except the special functions, which are tested
/// against tables. Matrices are inverted wherever the paper writes an inverse; speed does not matter here.
namespace stad::reference {

/// Statistics of labelled rows that the head was not fitted on; every field may be absent.
struct Card {
  double temperature = 1;
  Eigen::VectorXd frequencies;  ///< K, or empty: equal ones
  Eigen::MatrixXd means;        ///< K x D, or empty: estimated from the first rows of the stream
  Eigen::VectorXd variance;     ///< D, or empty; needed by `kind = standardise`
};

/// The last layer of the source classifier in double.
struct Head {
  Eigen::MatrixXd weight;  ///< K x D
  Eigen::VectorXd bias;    ///< K, or empty
  Eigen::VectorXd mean;    ///< D, or empty; needed by `center = source`
  Card card;
};

Head head_of(const SourceModel& source);

class Method {
 public:
  virtual ~Method() = default;

  /// Adapts on raw features, one row a sample, of which none may be zero. Returns probabilities, N x K.
  virtual Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) = 0;

  /// K x D: the adapted weights of the last layer.
  virtual const Eigen::MatrixXd& prototypes() const = 0;
};

/// The reference implementation of a method on embeddings, by its name in <stad/methods.hpp>.
Result<std::unique_ptr<Method>> make_method(std::string_view name, const Head& head, const OptionValues& options);

/// W h + b for every row.
Eigen::MatrixXd logits_of(const Head& head, const Eigen::MatrixXd& features);

/// Class frequencies of the card, with 0.01 spread over all classes.
Eigen::VectorXd class_prior(const Head& head);

/// Scales rows to unit length.
Eigen::MatrixXd unit(Eigen::MatrixXd rows);

/// Softmax of every row.
Eigen::MatrixXd softmax_of(Eigen::MatrixXd logits);

}  // namespace stad::reference
