#include "adapt/answer.hpp"

#include <algorithm>

#include "math/softmax.hpp"

namespace stad {
namespace {

/// Keeps the memory.
void clear(Health& health) {
  auto evidence = std::move(health.evidence);
  auto movement = std::move(health.movement);
  auto candidates = std::move(health.candidates);
  health = {};
  evidence.clear();
  movement.clear();
  candidates.clear();
  health.evidence = std::move(evidence);
  health.movement = std::move(movement);
  health.candidates = std::move(candidates);
}

void begin_answer(Index rows, Index classes, Predictions& answer) {
  answer.undirected = 0;
  answer.restarted = 0;
  answer.label_requests.clear();
  answer.source_labels.clear();
  clear(answer.health);
  answer.labels.resize(static_cast<std::size_t>(rows));
  answer.probabilities.resize(rows, classes);
}

/// The logits minus their largest, times a scale.
void place_logits(const Eigen::Ref<const DoubleRows>& logits, Index from, Index to, Matrix& placed, double scale = 1) {
  const auto row = logits.row(from).array();
  as_array(placed.row(to)) = (scale * (row - row.maxCoeff())).cast<float>().transpose();
}

std::int64_t label_of(std::span<const float> probabilities) {
  return std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin();
}

/// From logits, the largest of each row zero, in the place of the probabilities.
void finish_answer(Predictions& answer) {
  softmax_of_shifted(as_eigen(answer.probabilities));
  relabel(answer);
}

}  // namespace

void relabel(Predictions& answer) {
  for (Index n = 0; n < answer.probabilities.rows(); ++n) answer.labels[n] = label_of(answer.probabilities.row(n));
}

void serve_probabilities(const FloatRowsMap& probabilities, Predictions& answer) {
  begin_answer(probabilities.rows(), probabilities.cols(), answer);
  as_eigen(answer.probabilities) = probabilities;
  relabel(answer);
}

void serve(const Eigen::Ref<const DoubleRows>& logits, Predictions& answer, double temperature) {
  begin_answer(logits.rows(), logits.cols(), answer);
  for (Index n = 0; n < logits.rows(); ++n) place_logits(logits, n, n, answer.probabilities, 1 / temperature);
  finish_answer(answer);
}

void serve(const Eigen::Ref<const DoubleRows>& logits, std::span<const Index> directed, Index rows,
           Predictions& answer) {
  begin_answer(rows, logits.cols(), answer);
  answer.undirected = rows - static_cast<Index>(directed.size());
  if (answer.undirected > 0) as_eigen(answer.probabilities).setZero();
  for (std::size_t i = 0; i < directed.size(); ++i)
    place_logits(logits, static_cast<Index>(i), directed[i], answer.probabilities);
  finish_answer(answer);
}

void serve_source(const Eigen::Ref<const DoubleRows>& logits, Predictions& answer) {
  Matrix& probabilities = answer.source_probabilities;
  probabilities.resize(logits.rows(), logits.cols());
  for (Index n = 0; n < logits.rows(); ++n) place_logits(logits, n, n, probabilities);
  softmax_of_shifted(as_eigen(probabilities));
  answer.source_labels.resize(static_cast<std::size_t>(logits.rows()));
  for (Index n = 0; n < logits.rows(); ++n) answer.source_labels[n] = label_of(probabilities.row(n));
}

void compare_with_source(const DoubleRowsMap& logits, Predictions& answer) {
  answer.health.compared = logits.rows();
  for (Index n = 0; n < logits.rows(); ++n) {
    Index label = 0;
    logits.row(n).maxCoeff(&label);
    answer.health.flipped += answer.labels[n] == label ? 0 : 1;
  }
}

template <typename Scalar>
void serve_by_class(const Eigen::Map<const Rows<Scalar>>& probabilities, std::span<const Index> directed, Index rows,
                    Predictions& answer) {
  begin_answer(rows, probabilities.rows(), answer);
  answer.undirected = rows - static_cast<Index>(directed.size());
  if (answer.undirected > 0) {
    std::fill(answer.labels.begin(), answer.labels.end(), 0);
    as_eigen(answer.probabilities).setConstant(1 / static_cast<float>(probabilities.rows()));
  }
  for (std::size_t i = 0; i < directed.size(); ++i) {
    const Index n = directed[i];
    as_array(answer.probabilities.row(n)) = probabilities.col(static_cast<Index>(i)).template cast<float>().array();
    answer.labels[n] = label_of(answer.probabilities.row(n));
  }
}

template void serve_by_class(const Eigen::Map<const Rows<float>>&, std::span<const Index>, Index, Predictions&);
template void serve_by_class(const Eigen::Map<const Rows<double>>&, std::span<const Index>, Index, Predictions&);

}  // namespace stad
