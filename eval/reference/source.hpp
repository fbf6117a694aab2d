#pragma once

#include "reference/method.hpp"

namespace stad::reference {

/// softmax(W_0 h + b)
class Source final : public Method {
 public:
  Source(const Head& head, const SourceOptions&) : head_(head) {}

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return head_.weight; }

 private:
  Head head_;
};

/// What the source classifier answers: t3a and lame begin with it.
Eigen::MatrixXd source_probabilities(const Head& head, const Eigen::MatrixXd& features);

}  // namespace stad::reference
