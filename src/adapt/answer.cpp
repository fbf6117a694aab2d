#include "adapt/answer.hpp"

#include <algorithm>
#include <numeric>

#include "math/softmax.hpp"

namespace stad {

Predictions answer(const DoubleRows& logits) {
  std::vector<Index> all(static_cast<std::size_t>(logits.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  return answer(logits, all, logits.rows());
}

Predictions answer(const DoubleRows& logits, const std::vector<Index>& directed, Index rows) {
  const Index classes = logits.cols();
  Predictions predictions;
  predictions.undirected = rows - static_cast<Index>(directed.size());
  predictions.labels.assign(static_cast<std::size_t>(rows), 0);
  predictions.probabilities.resize(rows, classes);
  as_eigen(predictions.probabilities).setConstant(1 / static_cast<float>(classes));
  for (std::size_t i = 0; i < directed.size(); ++i) {
    const auto row = predictions.probabilities.row(directed[i]);
    softmax(std::span(logits.row(static_cast<Index>(i)).data(), static_cast<std::size_t>(classes)), row);
    predictions.labels[directed[i]] = std::max_element(row.begin(), row.end()) - row.begin();
  }
  return predictions;
}

}  // namespace stad
