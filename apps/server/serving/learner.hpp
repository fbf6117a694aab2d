#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "server/protocol/infer_response.hpp"
#include "server/serving/history.hpp"
#include "server/serving/model.hpp"
#include "server/store/store.hpp"

namespace stad::server {

/// What one stream has learned and what is told of it. Belongs to whoever has the stream's turn.
class Learner {
 public:
  /// @param kept_answers how many answers are kept for requests that are repeated
  Learner(ModelPointer model, std::size_t kept_answers);

  const Model& model() const { return *model_; }
  std::int64_t batches() const { return batches_; }
  std::int64_t rows() const { return rows_; }

  /// Answers requests of one kind (the same time stamp, learning or not) as one batch, in their order. Throws Refusal,
  /// and has learned nothing then.
  std::vector<InferAnswer> answer(std::span<const InferRequest* const> requests);
  /// Answers one. Where it starts a sequence, what was learned before is forgotten once it is answered, and kept if it
  /// is refused.
  InferAnswer answer_one(const InferRequest& request);
  /// Whether the request starts a sequence that forgets what was learned before.
  bool starts_anew(const InferRequest& request) const;
  /// Whether the stream is to be forgotten after the request. A frozen one forgets nothing.
  bool ends(const InferRequest& request) const { return request.ends && model_->mode() != Mode::kFrozen; }
  /// Labels that came after their rows.
  Observed observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels);

  /// The answer once given under this key, or null. Throws Refusal where the key was used for something else.
  /// @param strict whether the key promises to be used once (Idempotency-Key); ids of requests do not
  const KeptAnswer* find_answer(const std::string& key, std::uint64_t digest, bool strict) const;
  void keep_answer(KeptAnswer answer);

  /// In memory, about: the adapter, as its last record shows it, and the answers that are kept.
  std::int64_t bytes() const;

  StreamRecord record(double now) const;
  /// Continues from a record. Throws Refusal where it belongs to another head, method or options.
  void restore(const StreamRecord& record);
  /// From a state file that came from elsewhere.
  void restore_state(std::string_view bytes);
  /// One that has learned nothing.
  Learner anew() const { return {model_, kept_answers_}; }

  /// What happened since the last point, if a second has gone by; it is added to the history.
  std::optional<Point> close_point(double now);
  const History& history() const { return history_; }
  /// Classes whose movement and proportion a point tells: all, or where there are many, those met most often.
  const std::vector<Index>& shown_classes() const { return shown_; }
  Health health() const;

 private:
  void count(MatrixView features, const Predictions& answer);
  void choose_shown();

  ModelPointer model_;
  std::size_t kept_answers_;
  AdapterPointer adapter_;
  Predictions adapted_;  ///< used again by every batch
  Predictions source_;
  std::int64_t batches_ = 0;
  std::int64_t rows_ = 0;
  std::vector<KeptAnswer> answers_;      ///< oldest first
  mutable std::size_t state_bytes_ = 0;  ///< of the last record

  Tally tally_;
  double tally_start_ = 0;
  Health last_health_;
  History history_;
  std::vector<Index> shown_;
};

/// Before anything is learned from it: throws Refusal where the model cannot take or give what is asked.
void check_request(const Model& model, const InferRequest& request);

}  // namespace stad::server
