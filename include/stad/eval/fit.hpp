#pragma once

#include <string>
#include <vector>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

namespace stad {

/// How a head is made from labelled embeddings.
enum class FitKind {
  kLogistic,    ///< multinomial logistic regression with L2
  kClassMeans,  ///< nearest class mean, as a linear head
};

/// How fit_source() fits.
struct FitSettings {
  FitKind kind = FitKind::kLogistic;
  /// Penalty l2 / 2 |W|^2 beside the mean loss, for weights of features brought to mean 0 and size about 1 by one
  /// common factor, so that it means the same in every unit; the bias is free.
  double l2 = 1e-4;
  std::vector<std::string> classes = {};  ///< names, or empty
};

/// The head, and how well it fits what it was made from.
struct FitReport {
  SourceModel source;
  double training_accuracy = 0;
  int iterations = 0;
  bool converged = true;  ///< false: the search was cut off; with l2 = 0 separable classes have no optimum
};

/// A source head for those who have labelled embeddings only. Needs at least two classes, labels 0 .. K-1, each seen.
STAD_API Result<FitReport> fit_source(const FeatureStream& labelled, const FitSettings& settings = {});

}  // namespace stad
