#include "safe/label_requests.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stad::safe {
namespace {

constexpr double kLeastShare = 1e-6;  // of contested rows: keeps a division defined

/// Uniform in [0, 1), a function of the seed and the number of the row alone: splitmix64 (Steele, Lea, Flood 2014). A
/// restored stream draws as the saved one would have.
double coin(std::uint64_t seed, Index row) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(row) * 0xD1B54A32D192ED03U;
  for (int round = 0; round < 2; ++round) {
    z += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z ^= z >> 31U;
  }
  return static_cast<double>(z >> 11U) * 0x1p-53;
}

}  // namespace

LabelRequests::LabelRequests(const LabelBudget& budget, const RequestParams& params)
    : budget_(budget),
      params_(params),
      state_{.contested = params.share_prior * params.share_prior_rows, .contested_rows = params.share_prior_rows} {}

void LabelRequests::begin_batch(Index rows, Index contested, std::optional<double> time) {
  begin_period_if_over(time);
  const auto count = static_cast<double>(rows);
  const double keep = std::exp(-count / params_.share_rows);
  state_.contested = keep * state_.contested + static_cast<double>(contested);
  state_.contested_rows = keep * state_.contested_rows + count;
  const double share = std::max(state_.contested / state_.contested_rows, kLeastShare);
  const auto labels_left = static_cast<double>(budget_.labels - state_.period_labels);
  const double rate = params_.early * labels_left / rows_left();  // labels a row
  batch_rows_ = rows;
  uncontested_probability_ = std::min(1.0, params_.uniform * rate);
  contested_probability_ = std::min(1.0, params_.uniform * rate + (1 - params_.uniform) * rate / share);
}

void LabelRequests::begin_period_if_over(std::optional<double> time) {
  if (time) state_.time = time;
  if (!state_.start) state_.start = state_.period_start = state_.time;
  const bool over = budget_.in_time ? state_.time && *state_.time - *state_.period_start >= budget_.period
                                    : static_cast<double>(state_.period_rows) >= budget_.period;
  if (!over) return;
  state_.period_start = state_.time;
  state_.period_rows = 0;
  state_.period_labels = 0;
}

/// Expected rows until the period ends, this batch included. In time: at the rate of rows since the first batch, which
/// is unknown, so that nothing is drawn, until the time has changed.
double LabelRequests::rows_left() const {
  if (!budget_.in_time) return std::max(1.0, budget_.period - static_cast<double>(state_.period_rows));
  const double elapsed = state_.time ? *state_.time - *state_.start : 0;
  if (!(elapsed > 0)) return INFINITY;
  const double rate = static_cast<double>(state_.rows) / elapsed;
  return std::max(1.0, rate * (budget_.period - (*state_.time - *state_.period_start)));
}

bool LabelRequests::draws(Index row, bool contested) const {
  const double probability = contested ? contested_probability_ : uncontested_probability_;
  return state_.period_labels < budget_.labels && pending() < params_.most_pending &&
         coin(budget_.seed, state_.rows + row) < probability;
}

void LabelRequests::add(LabelRequest request) {
  state_.pending.push_back(std::move(request));
  ++state_.period_labels;
}

void LabelRequests::end_batch() {
  state_.rows += batch_rows_;
  state_.period_rows += batch_rows_;
}

bool LabelRequests::set_label(std::int64_t id, Index label) {
  // From the newest: an id refers to the newest row that has it.
  const auto found = std::find_if(state_.pending.rbegin(), state_.pending.rend(),
                                  [&](const LabelRequest& request) { return request.id == id; });
  if (found == state_.pending.rend() || found->true_label) return false;
  found->true_label = label;
  return true;
}

std::optional<LabelRequest> LabelRequests::take() {
  if (state_.pending.empty()) return std::nullopt;
  LabelRequest& oldest = state_.pending.front();
  if (!oldest.true_label && state_.rows - oldest.drawn_at < budget_.expiry) return std::nullopt;
  std::optional<LabelRequest> taken = std::move(oldest);
  state_.pending.pop_front();
  return taken;
}

}  // namespace stad::safe
