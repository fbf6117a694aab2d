#pragma once

#include <memory>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "adapt/candidates.hpp"
#include "safe/certificate.hpp"
#include "safe/label_requests.hpp"

namespace stad {

/// Candidates that run beside the base of stad-safe, the labels that are requested to decide between them, and the
/// certificate by which one of them answers.
class Contest {
 public:
  /// @param candidates at least one
  Contest(const SourceModel& source, Candidates candidates, const StadSafeOptions& options,
          const safe::ContestParams& params = {});

  /// Runs the candidates, requests labels of rows on which they differ from the base, and replaces the answer by that
  /// of the admitted candidate.
  /// @param answer of the base
  Status adapt(const CandidateRows& rows, Predictions& answer);
  /// Replaces the answer of the base by that of the admitted candidate.
  Status predict(const CandidateRows& rows, Predictions& answer) const;

  /// Labels of requested rows, by their ids. Labels of other rows are forgotten.
  Observed observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels);
  /// Labelled rows. A uniform sample counts as evidence before it teaches.
  /// @param base labels that the base gives the rows
  Status observe(const CandidateRows& rows, std::span<const std::int64_t> base, std::span<const std::int64_t> labels,
                 LabelSampling sampling);

  /// Applies one bet with these outcomes, one a candidate: the mean over all rows of a time step.
  void add_step(std::span<const double> outcomes);
  /// Teaches the candidates by labelled rows.
  void teach(MatrixView rows, std::span<const std::int64_t> labels);

  const Candidates& candidates() const { return candidates_; }
  const safe::Certificate& certificate() const { return certificate_; }
  /// Answers to the last batch: of the candidates, and of the base.
  const std::vector<Predictions>& answers() const { return answers_; }
  const std::vector<std::int64_t>& base_labels() const { return base_labels_; }
  /// The certificate's outcome of a candidate's label: 1 if it alone is right, -1 if the base alone is, otherwise 0.
  static double outcome(std::int64_t candidate, std::int64_t base, std::int64_t label);

  void write_health(Health& health) const;

  /// The certificate and what candidates have learned from labels, for SourceModel::with_certificate().
  AdapterState make_certificate(const SourceModel& source) const;
  /// Starts from a certificate.
  Status start_from(const AdapterState& certificate);

  std::vector<Tensor> save() const;
  /// Leaves everything unchanged on an error.
  Status load(const AdapterState& state);
  /// Number of tensors of a state that belong to a contest.
  static Index count_tensors(const AdapterState& state);

 private:
  Status run_candidates(const CandidateRows& rows);
  void request_labels(const Batch& batch, Predictions& answer);
  bool is_contested(Index row, std::int64_t base_label) const;
  safe::LabelRequest make_request(const Batch& batch, Index row, std::int64_t base_label) const;
  /// Applies the labels that have arrived, and expired requests, in the order drawn.
  void apply_requests();
  std::vector<Index> attempts() const;
  Status load_candidates(const AdapterState& state);
  /// No tensor more than save() writes.
  Status check_count(const AdapterState& state) const;

  Index classes_, dimension_;
  Candidates candidates_;
  safe::Certificate certificate_;
  safe::LabelRequests requests_;
  std::vector<Predictions> answers_;       ///< of the candidates to the last batch; memory is reused
  std::vector<std::int64_t> base_labels_;  ///< of the base to the last batch
  std::vector<bool> contested_;            ///< rows of the last batch; memory is reused
};

}  // namespace stad
