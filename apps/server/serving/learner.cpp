#include "server/serving/learner.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "server/refusal.hpp"

namespace stad::server {
namespace {

constexpr std::int64_t kOneRowIn = 8;               // is asked of the source for the history
constexpr Index kMostShownClasses = 24;             // that a person can look at, and a history can hold
constexpr Index kMostAnswered = Index{1} << 24;     // probabilities: an answer is a text in memory, and may be kept
constexpr double kShortestPoint = 1;                // second
constexpr double kRadian = std::numbers::pi / 180;  // of a degree

/// The rows of all requests below each other; those of one are read in place.
MatrixView joined(std::span<const InferRequest* const> requests, Matrix& memory) {
  if (requests.size() == 1) return requests.front()->features;
  Index rows = 0;
  for (const auto* request : requests) rows += request->features.rows();
  memory.resize(rows, requests.front()->features.cols());
  float* end = memory.data();
  for (const auto* request : requests) end = std::copy_n(request->features.data(), request->features.size(), end);
  return memory;
}

std::vector<std::int64_t> joined_ids(std::span<const InferRequest* const> requests) {
  std::vector<std::int64_t> ids;
  for (const auto* request : requests) ids.insert(ids.end(), request->row_ids.begin(), request->row_ids.end());
  return ids;
}

template <typename T>
std::vector<T> slice(const std::vector<T>& values, Index first, Index count) {
  if (values.empty()) return {};
  return {values.begin() + first, values.begin() + first + count};
}

double entropy_of(std::span<const float> probabilities) {
  double entropy = 0;
  for (const double p : probabilities)
    if (p > 0) entropy -= p * std::log(p);
  return entropy;
}

}  // namespace

void check_request(const Model& model, const InferRequest& request) {
  if (request.unknown.wanted && !model.tells_unknown())
    refuse(400,
           fmt::format("output 'unknown' needs a model with the option unknown = on, which {} has not", model.name()));
  const auto values = request.features.rows() * model.source().classes();
  if (request.probabilities.wanted && values > kMostAnswered)
    refuse(413, fmt::format("the answer to {} rows would have {} probabilities, must have at most {}; ask for fewer "
                            "rows at once, or for the label alone",
                            request.features.rows(), values, kMostAnswered));
  if (request.image_shape == model.image_shape()) return;
  if (!model.image_shape()) refuse(400, fmt::format("model {} takes features, not images", model.name()));
  const auto& [channels, height, width] = *model.image_shape();
  refuse(400, fmt::format("model {} takes images [N, {}, {}, {}]", model.name(), channels, height, width));
}

Learner::Learner(ModelPointer model, std::size_t kept_answers)
    : model_(std::move(model)), kept_answers_(kept_answers), adapter_(model_->make_adapter()) {}

std::vector<InferAnswer> Learner::answer(std::span<const InferRequest* const> requests) {
  const Mode mode = model_->mode();
  const bool learns = requests.front()->adapt && mode != Mode::kFrozen;
  Matrix memory;
  const MatrixView features = joined(requests, memory);
  const auto ids = joined_ids(requests);
  Batch batch(features);
  batch.time = requests.front()->time;
  batch.ids = ids;
  const auto wants_source = [](const InferRequest* request) { return request->source_label.wanted; };
  const bool asks_source = mode == Mode::kShadow || std::any_of(requests.begin(), requests.end(), wants_source);
  if (asks_source) need(model_->ask_source(features, source_));
  if (learns) {
    need(adapter_->adapt(batch, adapted_));
    ++batches_;
    rows_ += features.rows;
    ++model_->batches;
    model_->rows += features.rows;
    count(features, adapted_);
  } else {
    need(adapter_->predict(batch, adapted_));
  }

  const Predictions& served = mode == Mode::kShadow ? source_ : adapted_;
  std::vector<InferAnswer> answers;
  Index first = 0;
  for (const auto* request : requests) {
    const Index rows = request->features.rows();
    InferAnswer answer;
    answer.labels = slice(served.labels, first, rows);
    answer.batch = batches_;
    answer.mode = name_of(mode);
    answer.probabilities.resize(rows, served.probabilities.cols());
    std::copy_n(served.probabilities.row(first).data(), answer.probabilities.size(), answer.probabilities.data());
    if (request->source_label.wanted) answer.source_labels = slice(source_.labels, first, rows);
    if (request->adapted_label.wanted) answer.adapted_labels = slice(adapted_.labels, first, rows);
    answer.unknown = slice(adapted_.unknown, first, rows);
    answers.push_back(std::move(answer));
    first += rows;
  }
  return answers;
}

bool Learner::starts_anew(const InferRequest& request) const {
  return request.starts && request.adapt && model_->mode() != Mode::kFrozen;
}

InferAnswer Learner::answer_one(const InferRequest& request) {
  const InferRequest* only = &request;
  if (!starts_anew(request)) return answer({&only, 1}).front();
  Learner fresh = anew();
  InferAnswer answered = fresh.answer({&only, 1}).front();
  *this = std::move(fresh);
  return answered;
}

/// What the page and the metrics are told, from the adapted answers whoever's were served.
void Learner::count(MatrixView features, const Predictions& answer) {
  const Index classes = model_->source().classes();
  tally_.answered.resize(static_cast<std::size_t>(classes));
  for (Index n = 0; n < features.rows; ++n) {
    const auto probabilities = answer.probabilities.row(n);
    tally_.confidence += probabilities[static_cast<std::size_t>(answer.labels[n])];
    tally_.entropy += entropy_of(probabilities);
    for (Index k = 0; k < classes; ++k) tally_.answered[k] += probabilities[k];
  }
  const std::int64_t first = (kOneRowIn - (rows_ - features.rows) % kOneRowIn) % kOneRowIn;
  if (first < features.rows) {
    const Index asked = (features.rows - first - 1) / kOneRowIn + 1;
    Predictions source;
    if (model_->ask_source({features.row(first).data(), asked, features.cols, kOneRowIn * features.stride}, source)) {
      tally_.source_rows += asked;
      for (Index i = 0; i < asked; ++i) {
        tally_.source_confidence += source.probabilities(i, source.labels[i]);
        tally_.flipped += source.labels[i] == answer.labels[first + i * kOneRowIn] ? 0 : 1;
      }
    }
  }
  tally_.accuracy += answer.health.accuracy;
  if (answer.health.guard) tally_.trust = answer.health.guard->trust;
  ++tally_.batches;
  tally_.rows += features.rows;
  last_health_ = answer.health;
}

Observed Learner::observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  if (model_->mode() == Mode::kFrozen)
    refuse(409, fmt::format("model {} is frozen and learns nothing, from labels neither", model_->name()));
  return need(adapter_->observe(ids, labels));
}

const KeptAnswer* Learner::find_answer(const std::string& key, std::uint64_t digest, bool strict) const {
  for (const auto& answer : answers_) {
    if (answer.key != key) continue;
    if (answer.digest == digest) return &answer;
    if (strict) refuse(422, fmt::format("Idempotency-Key '{}' was used for another request of this stream", key));
  }
  return nullptr;
}

void Learner::keep_answer(KeptAnswer answer) {
  std::erase_if(answers_, [&](const KeptAnswer& old) { return old.key == answer.key; });
  answers_.push_back(std::move(answer));
  if (answers_.size() > kept_answers_) answers_.erase(answers_.begin());
}

std::int64_t Learner::bytes() const {
  // An adapter holds its state, the prototypes made of it, and room for a batch.
  const auto adapter = static_cast<std::int64_t>(state_bytes_) * 4 / 3 + 16384;
  std::int64_t answers = 0;
  for (const auto& answer : answers_) answers += static_cast<std::int64_t>(answer.key.size() + answer.body.size());
  return std::max(adapter, model_->stream_bytes()) + answers;
}

StreamRecord Learner::record(double now) const {
  StreamRecord record{.state = need(state_to_bytes(adapter_->state())),
                      .batches = batches_,
                      .rows = rows_,
                      .updated = now,
                      .answers = answers_};
  state_bytes_ = record.state.size();
  return record;
}

void Learner::restore(const StreamRecord& record) {
  restore_state(record.state);
  batches_ = record.batches;
  rows_ = record.rows;
  answers_ = record.answers;
}

void Learner::restore_state(std::string_view bytes) {
  const AdapterState state = need(state_from_bytes(bytes));
  if (const Status status = adapter_->restore(state); !status)
    refuse(409, fmt::format("{}; reset the stream to begin anew, or serve the model with what the state was made with",
                            status.error().message));
  answers_.clear();
}

std::optional<Point> Learner::close_point(double now) {
  if (tally_start_ == 0) tally_start_ = now;
  if (tally_.batches == 0 || (now - tally_start_ < kShortestPoint && !history_.is_empty())) return std::nullopt;
  if (shown_.empty()) choose_shown();
  Point point = tally_.point(tally_start_, now);
  const Health stands = adapter_->health();
  if (stands.dispersion) point.dispersion = *stands.dispersion * kRadian;
  std::vector<float> proportions;
  for (const Index k : shown_) {
    proportions.push_back(point.proportions[k]);
    if (!stands.movement.empty()) point.movement.push_back(static_cast<float>(stands.movement[k] * kRadian));
  }
  point.proportions = std::move(proportions);
  history_.add(point);
  tally_ = {};
  tally_start_ = now;
  return point;
}

void Learner::choose_shown() {
  shown_.resize(static_cast<std::size_t>(model_->source().classes()));
  std::iota(shown_.begin(), shown_.end(), Index{0});
  if (shown_.size() <= kMostShownClasses) return;
  std::stable_sort(shown_.begin(), shown_.end(),
                   [&](Index a, Index b) { return tally_.answered[a] > tally_.answered[b]; });
  shown_.resize(kMostShownClasses);
  std::sort(shown_.begin(), shown_.end());
}

Health Learner::health() const {
  Health health = adapter_->health();
  health.confidence = last_health_.confidence;
  health.compared = last_health_.compared;
  health.flipped = last_health_.flipped;
  health.accuracy = last_health_.accuracy;
  health.evidence = last_health_.evidence;
  health.log_likelihood = last_health_.log_likelihood;
  return health;
}

}  // namespace stad::server
