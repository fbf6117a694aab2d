#pragma once

#include <memory>
#include <string_view>

#include <Eigen/Core>

#include <stad/error.hpp>
#include <stad/options.hpp>
#include <stad/source_model.hpp>

/// The equations as printed, in double, slow: what the fast forms are held against, by the tests and before anything is
/// timed. Nothing here is shared with the fast forms but the special functions, which have tables of their own; and
/// nothing here is ever served, so matrices are inverted where the paper writes an inverse.
namespace stad::reference {

/// The last layer in double.
struct Head {
  Eigen::MatrixXd weight;  ///< K x D
  Eigen::VectorXd bias;    ///< K, or empty
  Eigen::VectorXd mean;    ///< D, or empty; needed by `center = source`
};

Head head_of(const SourceModel& source);

class Method {
 public:
  virtual ~Method() = default;

  /// Raw features in rows; all must have a direction. Returns probabilities, N x K.
  virtual Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) = 0;

  /// K x D: what stands in the place of the last layer's weights now.
  virtual const Eigen::MatrixXd& prototypes() const = 0;
};

/// By the names of <stad/methods.hpp>, of which those on embeddings are here.
Result<std::unique_ptr<Method>> make_method(std::string_view name, const Head& head, const OptionValues& options);

}  // namespace stad::reference
