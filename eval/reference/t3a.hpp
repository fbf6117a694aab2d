#pragma once

#include <vector>

#include "reference/method.hpp"

namespace stad::reference {

/// T3A: the supports of a class are the features, the rows of W_0 among them, that the source classifier gave to it
/// with the least entropy; the unit sum of the unit supports is its weight.
class T3a final : public Method {
 public:
  T3a(const Head& head, const T3aOptions& options);

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return weight_; }

 private:
  struct Support {
    Eigen::VectorXd direction;
    double entropy = 0;
  };

  void add_supports(const Eigen::MatrixXd& features);
  void prune();
  void update_weight();

  T3aOptions options_;
  Head head_;
  std::vector<std::vector<Support>> supports_;  ///< K lists
  Eigen::MatrixXd weight_;                      ///< K x D, unit rows; zero for a class without supports
};

}  // namespace stad::reference
