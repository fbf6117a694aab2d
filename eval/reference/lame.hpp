#pragma once

#include "reference/method.hpp"

namespace stad::reference {

/// LAME: the source classifier's probabilities, moved until neighbours inside the batch agree. Remembers nothing.
class Lame final : public Method {
 public:
  Lame(const Head& head, const LameOptions& options) : options_(options), head_(head) {}

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return head_.weight; }

 private:
  LameOptions options_;
  Head head_;
};

}  // namespace stad::reference
