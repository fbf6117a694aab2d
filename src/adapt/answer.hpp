#pragma once

#include <span>

#include <stad/predictions.hpp>

#include "math/scratch_rows.hpp"

namespace stad {

/// Writes the answer: softmax of each row of logits / temperature, the label its first largest probability.
void serve(const Eigen::Ref<const DoubleRows>& logits, Predictions& answer, double temperature = 1);

/// Writes the answer from probabilities, N x K.
void serve_probabilities(const FloatRowsMap& probabilities, Predictions& answer);

/// Sets the labels after the probabilities were changed.
void relabel(Predictions& answer);

/// The same for a batch of `rows` of which only the directed ones have logits: the others get equal probabilities.
void serve(const Eigen::Ref<const DoubleRows>& logits, std::span<const Index> directed, Index rows,
           Predictions& answer);

/// The same from probabilities with one row a class, K x n, one column a directed row. For float and double.
template <typename Scalar>
void serve_by_class(const Eigen::Map<const Rows<Scalar>>& probabilities, std::span<const Index> directed, Index rows,
                    Predictions& answer);

/// Writes the predictions of the source, whose logits these are.
void serve_source(const Eigen::Ref<const DoubleRows>& logits, Predictions& answer);

/// Counts the answers that differ from the source's, whose logits these are.
void compare_with_source(const DoubleRowsMap& logits, Predictions& answer);

}  // namespace stad
