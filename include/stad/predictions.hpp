#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// How closely an adapter watches itself. Answers and states do not depend on it.
enum class HealthLevel {
  kNone,
  kBasic,  ///< from what the answer holds, and one row in 32 asked of the source
  kFull,   ///< every row asked of the source and of a referee, and a pass over the prototypes after every batch
};

/// How many of some rows were answered rightly, estimated without labels. Estimates of several batches add up.
struct STAD_API AccuracyEstimate {
  Index rows = 0;
  double correct = 0;   ///< expected
  double doubted = 0;   ///< those of them that the source answers otherwise
  double variance = 0;  ///< of the number of correct rows, if every row's estimate were right

  double value() const;
  /// Where the accuracy should lie nine times in ten: the chance of so few rows, and an error rate that may be a third
  /// or thrice the estimated one, since drift wears out the estimate as well. At worst, whatever is answered otherwise
  /// than by the source is wrong.
  double low() const;
  double high() const;

  AccuracyEstimate& operator+=(const AccuracyEstimate& other);
};

/// What decides how far a method that guards itself believes its prototypes.
struct Guard {
  double trust = 0;        ///< 0: the source answers; 1: the adapted classifier does
  double persistence = 0;  ///< 0: rows are independent; 1: labels persist from row to row
  double reliability = 1;  ///< what stated probabilities are worth: the share of them that other evidence bears out
};

/// How a batch was answered and how the classifier stands, told without labels.
struct STAD_API Health {
  double confidence = 0;      ///< mean of the answers' probabilities: what an adapter believes of itself
  Index compared = 0;         ///< rows that the source was asked about too
  Index flipped = 0;          ///< those of them that it answers otherwise
  AccuracyEstimate accuracy;  ///< of the rows that could be judged: from the source at kBasic, from the adapter's own
                              ///< guard or the referee's at kFull
  std::optional<Guard> guard;
  std::vector<double> evidence;  ///< K: rows of each class among the last thousand or so, as answered

  // At kFull; the log-likelihood also wherever a method guards itself.
  std::optional<double> log_likelihood;  ///< per row, of the batch before anything is learned from it
  std::optional<double> dispersion;      ///< degrees between two prototypes, on average
  std::vector<double> movement;          ///< K: degrees between a prototype and its source direction

  /// Whether anything was watched.
  bool is_told() const { return !evidence.empty(); }
  /// Share of rows answered otherwise than the source; 0 where none was compared.
  double flip_rate() const;
};

/// The answer to one batch.
struct Predictions {
  std::vector<std::int64_t> labels;  ///< N; the first largest of its row of probabilities
  Matrix probabilities;              ///< N x K; rows sum to one, always finite
  /// N probabilities that the row is of none of the classes; empty where the method does not ask (`unknown = on`).
  std::vector<float> unknown;
  Index undirected = 0;  ///< rows without a direction: nothing is learned from them
  Index restarted = 0;   ///< classes whose model ran away from the data and began again from the source
  Health health;         ///< where the batch was adapted to, not only predicted
};

}  // namespace stad
