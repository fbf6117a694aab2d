#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "serving/change_log.hpp"
#include "serving/history.hpp"
#include "serving/model.hpp"
#include "serving/protocol/infer_response.hpp"
#include "serving/store/records.hpp"

namespace stad::serving {

/// One stream in memory: its adapter, the answers kept for repeated requests, and its history. Not synchronized.
class StreamSession {
 public:
  /// @param kept_answers number of answers kept for repeated requests
  /// @param logs_changes whether next_record() may consist of changes
  StreamSession(ModelPointer model, std::size_t kept_answers, bool logs_changes = false);

  const ServedModel& model() const { return *model_; }
  std::int64_t batches() const { return batches_; }
  std::int64_t rows() const { return rows_; }

  /// Answers requests with equal time stamp and `adapt` as one batch, in their order. Throws AppError; the session is
  /// unchanged then.
  std::vector<InferAnswer> answer(std::span<const InferRequest* const> requests);
  /// Answers one request. Where it starts a sequence, the state is reset once the request was answered; a rejected
  /// request leaves it unchanged.
  InferAnswer answer_request(const InferRequest& request);
  /// Whether the request starts a sequence, which resets the state.
  bool restarts(const InferRequest& request) const;
  /// Whether the stream is removed after the request. Frozen streams are not.
  bool ends(const InferRequest& request) const { return request.ends && model_->mode() != Mode::kFrozen; }
  /// Applies labels that arrived after their rows. Throws AppError (409) where the model is frozen.
  Observed observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels);

  /// The answer that was given under this key, or null. Throws AppError (422) where a strict key was used for another
  /// request.
  /// @param strict whether the client guarantees unique keys (Idempotency-Key); ids of requests carry no guarantee
  const KeptAnswer* find_answer(const std::string& key, std::uint64_t digest, bool strict) const;
  void keep_answer(KeptAnswer answer);

  /// Estimated memory in bytes: the adapter, by the size of its last record, and the kept answers.
  std::int64_t bytes() const;

  StreamRecord record(double now) const;
  /// The record for the next save: the changes since the last one where they are small, else the state. Each must be
  /// saved, or the session discarded: the next one continues from it.
  StreamRecord next_record(double now);
  /// The same, with the state.
  StreamRecord next_whole_record(double now);
  /// Continues from a record. Throws AppError (409) where it belongs to another classifier, method or options.
  void restore(const StreamRecord& record);
  /// Continues from the bytes of a state file; drops the kept answers.
  void restore_state(std::string_view bytes);
  /// A new session of the same model in its initial state.
  StreamSession make_empty() const { return {model_, kept_answers_, logs_changes_}; }

  /// Figures of the last batch that was adapted to.
  const PointAccumulator& last_batch() const { return batch_; }
  enum class PointSpan {
    kSpaced,  ///< any of the first 24 points; then one part in 24 of the history's duration, at most a second
    kAny
  };
  /// Closes the current point of the history and returns it; none where its span is too short or no batch arrived.
  std::optional<HistoryPoint> close_point(double now, PointSpan span = PointSpan::kSpaced);
  const History& history() const { return history_; }
  /// Classes whose movement and proportion points hold: all, or the 24 most frequent of the first point.
  const std::vector<Index>& shown_classes() const { return shown_; }
  Health health() const;

 private:
  /// The part of the last predictions that belongs to this request, whose rows begin at `first`.
  InferAnswer answer_from(Index first, const InferRequest& request, Mode mode) const;
  void accumulate(MatrixView features, bool is_source_predicted);
  void sample_source(MatrixView features);
  void compare_with_source(Index stride, Index first);
  /// Predictions of the source for the last batch.
  const std::vector<std::int64_t>& source_labels() const;
  const Matrix& source_probabilities() const;
  void select_shown_classes();

  ModelPointer model_;
  std::size_t kept_answers_;
  bool logs_changes_;
  AdapterPointer adapter_;
  Predictions adapted_;  ///< reused by every batch; of features, with the predictions of the source
  Predictions source_;   ///< of images
  std::int64_t batches_ = 0;
  std::int64_t rows_ = 0;
  std::vector<KeptAnswer> answers_;      ///< oldest first
  mutable std::size_t state_bytes_ = 0;  ///< of the last record
  ChangeLog changes_;

  PointAccumulator batch_;        ///< of the last batch
  PointAccumulator accumulator_;  ///< since the last point
  double accumulator_start_ = 0;
  double history_start_ = 0;
  Health last_health_;
  History history_;
  std::vector<Index> shown_;
};

/// Throws AppError where the model cannot process the request or produce its outputs. Independent of any stream.
void check_request(const ServedModel& model, const InferRequest& request);

}  // namespace stad::serving
