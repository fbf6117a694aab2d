#pragma once

#include <span>

#include <stad/predictions.hpp>

#include "math/scratch_rows.hpp"

namespace stad {

/// Writes the answer: softmax of each row of logits, the label its first largest probability.
void serve(const Eigen::Ref<const DoubleRows>& logits, Predictions& answer);

/// The same for a batch of `rows` of which only the directed ones have logits: the others get equal probabilities.
void serve(const Eigen::Ref<const DoubleRows>& logits, std::span<const Index> directed, Index rows,
           Predictions& answer);

/// The same from probabilities with one row a class, K x n, one column a directed row. For float and double.
template <typename Scalar>
void serve_by_class(const Eigen::Map<const Rows<Scalar>>& probabilities, std::span<const Index> directed, Index rows,
                    Predictions& answer);

/// The same from probabilities with one row a directed row; the others get the source's.
void serve_rows(const FloatRowsMap& probabilities, std::span<const Index> directed, const DoubleRowsMap& source,
                Predictions& answer);

/// Counts the answers that differ from the source's, whose probabilities these are.
void compare_with_source(const DoubleRowsMap& probabilities, Predictions& answer);

/// Adds the probabilities that directed rows belong to none of the classes; 0 for the others.
void serve_unknown(std::span<const float> unknown, std::span<const Index> directed, Predictions& answer);

}  // namespace stad
