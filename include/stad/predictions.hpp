#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

/// Test that keeps the guarded default with the source, the first that fails.
enum class GuardTest {
  kNone,            ///< none: label chains answer
  kRows,            ///< too few rows seen
  kZeta,            ///< no significant persistence of labels
  kExcess,          ///< persistence too weak to gain by it
  kAutocorrelation  ///< noise persists as well, so that neighbouring rows repeat their errors
};
/// "none", "rows", "zeta", "excess" or "autocorrelation".
STAD_API const char* name_of(GuardTest test);

/// Who answers for the guarded default (stad-safe), and the statistics that decide it.
struct Guard {
  bool chains = false;         ///< label chains; false: the source
  double zeta = 0;             ///< excess of equal neighbouring labels, in standard deviations
  double excess = 0;           ///< the same as a share of the possible excess
  double autocorrelation = 0;  ///< of the noise around the class means
  GuardTest held_by = GuardTest::kRows;
};

/// A method that runs beside the base of stad-safe and answers once labels have proved that it is better.
struct CandidateStatus {
  std::string name;
  bool answers = false;
  bool live = false;     ///< false: set aside after outcomes against it
  double wealth = 0;     ///< evidence that it is better than the base; starts at 1
  double threshold = 0;  ///< wealth at which it is admitted
  double watch = 0;      ///< evidence that it has become worse; at 3 the base answers again
  Index attempt = 0;     ///< from 1: every revocation begins another, with a higher threshold
};

/// How much accuracy the source has probably lost since its card was made. docs/health.md states how often each level
/// is wrong on data sets that did not choose it.
enum class Warning { kFine, kWatch, kAct };
/// "fine", "watch" or "act".
STAD_API const char* name_of(Warning warning);

/// Health of a batch and of the classifier, estimated without labels.
struct STAD_API Health {
  double confidence = 0;           ///< mean probability of the predicted labels
  Index compared = 0;              ///< rows compared with the source
  Index flipped = 0;               ///< compared rows on which the source disagrees
  std::optional<Warning> warning;  ///< for sources with a card; at kFull for every method, otherwise for stad-safe
  std::optional<Guard> guard;      ///< of stad-safe; at kFull of a stad-safe adapter that follows the same stream
  std::vector<double> evidence;    ///< K: discounted counts of predicted classes, over about the last thousand rows

  std::vector<CandidateStatus> candidates;  ///< of stad-safe with candidates
  Index pending_requests = 0;               ///< requests whose label has not arrived, or waits for an older one

  // Set at kFull.
  std::optional<double> dispersion;  ///< mean angle in degrees between two prototypes
  std::vector<double> movement;      ///< K: degrees between a prototype and its source direction

  /// Whether monitoring was on.
  bool is_told() const { return !evidence.empty(); }
  /// Share of compared rows on which the source disagrees; 0 if none was compared.
  double flip_rate() const;
  /// Who answers for stad-safe: "source", "chains" or the name of a candidate. Empty for other methods.
  std::string_view answers() const;
};

/// Predictions of one batch.
struct Predictions {
  std::vector<std::int64_t> labels;  ///< N; argmax of the probabilities, the first on a tie
  Matrix probabilities;              ///< N x K; rows sum to one, always finite
  Index undirected = 0;              ///< zero rows, which have no direction and are not learned from
  Index restarted = 0;               ///< classes whose model diverged and was reset to the source
  /// Rows of the batch whose labels are requested, ascending: pass them to observe() by the ids of the rows. Set by
  /// adapt() of stad-safe with a label budget, for batches with ids.
  std::vector<Index> label_requests;
  /// Predictions of the source, set after Adapter::report_source(true) by methods on embeddings; empty otherwise.
  std::vector<std::int64_t> source_labels;  ///< N
  Matrix source_probabilities;              ///< N x K
  Health health;                            ///< set by adapt(), not by predict()
};

}  // namespace stad
