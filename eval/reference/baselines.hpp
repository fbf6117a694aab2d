#pragma once

#include <utility>
#include <vector>

#include "reference/method.hpp"

namespace stad::reference {

/// softmax(W_0 h + b)
class Source final : public Method {
 public:
  Source(Head head, const SourceOptions&) : head_(std::move(head)) {}

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return head_.weight; }

 private:
  Head head_;
};

/// Probabilities of the source classifier, N x K. t3a and lame start from them.
Eigen::MatrixXd source_probabilities(const Head& head, const Eigen::MatrixXd& features);

/// T3A: the supports of a class are the features (and rows of W_0) that the source classifier assigns to it with the
/// lowest entropy. The weight of the class is the normalised sum of its normalised supports.
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

/// LAME: moves the probabilities of the source classifier until neighbours inside the batch agree. Stateless.
class Lame final : public Method {
 public:
  Lame(Head head, const LameOptions& options) : options_(options), head_(std::move(head)) {}

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return head_.weight; }

 private:
  LameOptions options_;
  Head head_;
};

}  // namespace stad::reference
