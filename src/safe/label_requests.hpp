#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "safe/params.hpp"

namespace stad::safe {

/// Labels that may be requested: so many a period, which is counted in rows or in units of time.
struct LabelBudget {
  Index labels = 0;
  double period = 0;
  bool in_time = false;
  Index expiry = 0;  ///< rows after which a request without a label expires
  std::uint64_t seed = 0;
};

/// A row whose label was requested, with everything a label needs to be applied.
struct LabelRequest {
  std::int64_t id = 0;
  Index drawn_at = 0;               ///< number of the row in the stream
  Index base_label = 0;             ///< answer of the base
  std::vector<Index> labels;        ///< answers of the candidates
  std::vector<Index> attempts;      ///< of the candidates, Certificate::kNotLive for those that were set aside
  std::vector<float> features;      ///< D
  std::optional<Index> true_label;  ///< once it has arrived
};

/// Draws rows whose labels are requested, and returns requests in the order drawn, each once its label is known or
/// it has expired. Most of the budget is for contested rows, on which a candidate differs from the base. The
/// probability of a row to be drawn is fixed before its label is known: it is the same for all contested rows of a
/// batch, and follows from the budget that is left, the rows that are left in the period, and the share of contested
/// rows so far.
class LabelRequests {
 public:
  explicit LabelRequests(const LabelBudget& budget, const RequestParams& params = {});

  /// Call once a batch, before draw().
  /// @param contested number of rows of the batch on which a live candidate differs from the base
  void begin_batch(Index rows, Index contested, std::optional<double> time);
  /// Whether the row is drawn. Rows of a batch are numbered from 0.
  bool draws(Index row, bool contested) const;
  void add(LabelRequest request);
  /// Call after the last draw of the batch.
  void end_batch();

  /// Stores the label of a pending request. Returns false if no request without a label has the id.
  bool set_label(std::int64_t id, Index label);
  /// Removes and returns the oldest request if its label has arrived or it has expired.
  std::optional<LabelRequest> take();

  Index pending() const { return static_cast<Index>(state_.pending.size()); }

  /// What a state holds.
  struct State {
    Index rows = 0;                                     ///< of the stream so far
    Index period_rows = 0;                              ///< of the period so far
    Index period_labels = 0;                            ///< drawn in the period
    std::optional<double> start = std::nullopt;         ///< time of the first batch
    std::optional<double> period_start = std::nullopt;  ///< time
    std::optional<double> time = std::nullopt;          ///< of the newest batch
    double contested = 0;                               ///< discounted number of contested rows
    double contested_rows = 0;                          ///< discounted number of rows
    std::deque<LabelRequest> pending = {};              ///< in the order drawn
  };
  const State& state() const { return state_; }
  State& state() { return state_; }

 private:
  void begin_period_if_over(std::optional<double> time);
  double rows_left() const;

  LabelBudget budget_;
  RequestParams params_;
  State state_;
  Index batch_rows_ = 0;
  double contested_probability_ = 0;    ///< of a contested row of the batch to be drawn
  double uncontested_probability_ = 0;  ///< of the others
};

}  // namespace stad::safe
