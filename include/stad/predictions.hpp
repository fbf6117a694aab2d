#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// Level of health monitoring. Predictions and states do not depend on it.
enum class HealthLevel {
  kNone,
  kBasic,  ///< from the answer, and the source classifier on one row in 32
  kFull,   ///< the source and a reference adapter on every row, and a pass over the prototypes a batch
};

/// Estimated number of correct predictions without labels. Estimates of several batches can be added.
struct STAD_API AccuracyEstimate {
  Index rows = 0;
  double correct = 0;   ///< expected number of correct rows
  double doubted = 0;   ///< expected number of correct rows on which the source disagrees
  double variance = 0;  ///< of the number of correct rows, given the estimates of the rows

  double value() const;
  /// Bounds that should cover the accuracy in nine cases of ten: sampling variation, and an error rate between a third
  /// and three times the estimate, because drift degrades the estimate as well. The lower bound also assumes that every
  /// answer that differs from the source is wrong. A heuristic without guarantee.
  double low() const;
  double high() const;

  AccuracyEstimate& operator+=(const AccuracyEstimate& other);
};

/// Quantities that determine how much a method relies on its adapted prototypes.
struct Guard {
  double trust = 0;        ///< weight of the adapted classifier against the source, 0 to 1
  double persistence = 0;  ///< 0: rows are independent; 1: labels persist from row to row
  double reliability = 1;  ///< calibration of the stated probabilities: the share confirmed by other evidence
};

/// Health of a batch and of the classifier, estimated without labels.
struct STAD_API Health {
  double confidence = 0;      ///< mean probability of the predicted labels
  Index compared = 0;         ///< rows compared with the source
  Index flipped = 0;          ///< compared rows on which the source disagrees
  AccuracyEstimate accuracy;  ///< of the rows with an estimate: from the source at kBasic, from the guard of the
                              ///< adapter or of the reference adapter at kFull
  std::optional<Guard> guard;
  std::vector<double> evidence;  ///< K: discounted counts of predicted classes, over about the last thousand rows

  // Set at kFull; the log-likelihood also for methods with a guard.
  std::optional<double> log_likelihood;  ///< per row, before adapting to the batch
  std::optional<double> dispersion;      ///< mean angle in degrees between two prototypes
  std::vector<double> movement;          ///< K: degrees between a prototype and its source direction

  /// Whether monitoring was on.
  bool is_told() const { return !evidence.empty(); }
  /// Share of compared rows on which the source disagrees; 0 if none was compared.
  double flip_rate() const;
};

/// Predictions of one batch.
struct Predictions {
  std::vector<std::int64_t> labels;  ///< N; argmax of the probabilities, the first on a tie
  Matrix probabilities;              ///< N x K; rows sum to one, always finite
  /// N probabilities of rows to belong to none of the classes; empty unless the method has `unknown = on`.
  std::vector<float> unknown;
  Index undirected = 0;  ///< zero rows, which have no direction and are not learned from
  Index restarted = 0;   ///< classes whose model diverged and was reset to the source
  Health health;         ///< set by adapt(), not by predict()
};

}  // namespace stad
