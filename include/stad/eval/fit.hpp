#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

namespace stad {

/// Kind of the fitted head.
enum class FitKind {
  kLogistic,    ///< multinomial logistic regression with L2
  kClassMeans,  ///< nearest class mean, as a linear head
};

/// Settings of fit_source().
struct FitSettings {
  FitKind kind = FitKind::kLogistic;
  /// Penalty l2 / 2 |W|^2 on the mean loss, for weights of features centred and divided by one common scale, so that it
  /// does not depend on their unit. The bias has no penalty.
  double l2 = 1e-4;
  std::vector<std::string> classes = {};  ///< names, or empty
  /// Holds out a random fifth of the rows for the card of the source; off: fits to all rows, without a card.
  bool card = true;
  std::uint64_t seed = 0;  ///< of the rows held out
};

/// The fitted head and its training accuracy.
struct FitReport {
  SourceModel source;
  Index held_out = 0;            ///< rows that the card was computed from and the head was not fitted to
  double training_accuracy = 0;  ///< on the other rows
  int iterations = 0;
  bool converged = true;  ///< false: stopped at the iteration limit; with l2 = 0 separable classes have no optimum
};

/// Fits a head to labelled embeddings. Needs at least two classes, with labels 0 .. K-1 that all occur. Fits to all
/// rows, without a card, if there are fewer than 10 rows, or if holding out a fifth of them would leave a class without
/// rows.
STAD_API Result<FitReport> fit_source(const FeatureStream& labelled, const FitSettings& settings = {});

}  // namespace stad
