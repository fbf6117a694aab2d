#include "torch/losses.hpp"

namespace stad::backbone {

at::Tensor entropy(const at::Tensor& logits) { return -(logits.softmax(1) * logits.log_softmax(1)).sum(1); }

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& target) {
  return -(target.detach().softmax(1) * logits.log_softmax(1)).sum(1);
}

at::Tensor information_loss(const at::Tensor& logits, double beta, double confidence) {
  const at::Tensor mean = logits.softmax(1).mean(0);
  at::Tensor loss = entropy(logits).mean() + (mean * mean.clamp_min(1e-30).log()).sum();
  const auto [surest, labels] = logits.detach().softmax(1).max(1);
  const at::Tensor confident = (surest > confidence).nonzero().squeeze(1);
  if (confident.numel() > 0)
    loss =
        loss + beta * at::nll_loss(logits.log_softmax(1).index_select(0, confident), labels.index_select(0, confident));
  return loss;
}

at::Tensor soft_likelihood_ratio(const at::Tensor& logits) {
  constexpr double kCertain = 0.99, kSmall = 1e-5;
  const at::Tensor p = logits.softmax(1).clamp(0, kCertain);
  return -(p * (p / (1 - p) + kSmall).log()).sum(1);
}

at::Tensor symmetric_cross_entropy(const at::Tensor& logits, const at::Tensor& other) {
  return -0.5 * (other.softmax(1) * logits.log_softmax(1)).sum(1) -
         0.5 * (logits.softmax(1) * other.log_softmax(1)).sum(1);
}

}  // namespace stad::backbone
