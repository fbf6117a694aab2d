#include "adapt/answer.hpp"

#include <algorithm>
#include <numeric>

#include "math/softmax.hpp"

namespace stad {

void serve(const DoubleRows& logits, Predictions& answer) {
  std::vector<Index> all(static_cast<std::size_t>(logits.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  serve(logits, all, logits.rows(), answer);
}

void serve(const DoubleRows& logits, const std::vector<Index>& directed, Index rows, Predictions& answer) {
  const Index classes = logits.cols();
  answer.undirected = rows - static_cast<Index>(directed.size());
  answer.restarted = 0;
  answer.labels.assign(static_cast<std::size_t>(rows), 0);
  answer.probabilities.resize(rows, classes);
  as_eigen(answer.probabilities).setConstant(1 / static_cast<float>(classes));
  for (std::size_t i = 0; i < directed.size(); ++i) {
    const auto row = answer.probabilities.row(directed[i]);
    softmax(std::span(logits.row(static_cast<Index>(i)).data(), static_cast<std::size_t>(classes)), row);
    answer.labels[directed[i]] = std::max_element(row.begin(), row.end()) - row.begin();
  }
}

}  // namespace stad
