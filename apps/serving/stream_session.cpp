#include "serving/stream_session.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "common/error.hpp"

namespace stad::serving {
namespace {

constexpr Index kSourceStride = 8;                   // of images every 8th is predicted by the source for the figures
constexpr Index kMaxShownClasses = 24;               // readable in a chart, and small enough for a history
constexpr Index kMaxProbabilities = Index{1} << 24;  // of an answer, which is text in memory and may be kept
constexpr Index kMaxClassTexts = Index{1} << 20;     // of an answer with classification
constexpr double kMinSpan = 1;                       // seconds of a point of a long history
constexpr std::size_t kYoungPoints = 24;             // of a short one, so that a fast replay leaves a curve
constexpr double kRadiansPerDegree = std::numbers::pi / 180;

/// The rows of all requests, concatenated in `buffer`; a single request is not copied.
MatrixView joined_rows(std::span<const InferRequest* const> requests, Matrix& buffer) {
  if (requests.size() == 1) return requests.front()->features;
  Index rows = 0;
  for (const auto* request : requests) rows += request->features.rows();
  buffer.resize(rows, requests.front()->features.cols());
  float* end = buffer.data();
  for (const auto* request : requests) end = std::copy_n(request->features.data(), request->features.size(), end);
  return buffer;
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

void check_request(const ServedModel& model, const InferRequest& request) {
  const auto values = request.features.rows() * model.source().classes();
  if (request.probabilities.wanted && values > kMaxProbabilities)
    reject(413, fmt::format("the answer to {} rows would have {} probabilities, must have at most {}; send fewer "
                            "rows, or request the label alone",
                            request.features.rows(), values, kMaxProbabilities));
  const auto texts =
      request.features.rows() * std::min<Index>(request.probabilities.top_classes, model.source().classes());
  if (texts > kMaxClassTexts)
    reject(413, fmt::format("the answer would name {} classes, must name at most {}; send fewer rows, or request fewer "
                            "classes",
                            texts, kMaxClassTexts));
  if (request.image_shape == model.image_shape()) return;
  if (!model.image_shape()) reject(400, fmt::format("model {} takes features, not images", model.name()));
  const auto& [channels, height, width] = *model.image_shape();
  reject(400, fmt::format("model {} takes images [N, {}, {}, {}]", model.name(), channels, height, width));
}

StreamSession::StreamSession(ModelPointer model, std::size_t kept_answers, bool logs_changes)
    : model_(std::move(model)),
      kept_answers_(kept_answers),
      logs_changes_(logs_changes),
      adapter_(model_->make_adapter()) {
  adapter_->report_source(!model_->image_shape());
}

std::vector<InferAnswer> StreamSession::answer(std::span<const InferRequest* const> requests) {
  const Mode mode = model_->mode();
  const bool adapts = requests.front()->adapt && mode != Mode::kFrozen;
  Matrix buffer;
  const MatrixView features = joined_rows(requests, buffer);
  const auto ids = joined_ids(requests);
  Batch batch(features);
  batch.time = requests.front()->time;
  batch.ids = ids;
  const auto wants_source = [](const InferRequest* request) { return request->source_label.wanted; };
  const bool uses_source = mode == Mode::kShadow || std::any_of(requests.begin(), requests.end(), wants_source);
  if (uses_source && model_->image_shape()) need(model_->predict_source(features, source_));
  if (adapts) {
    need(adapter_->adapt(batch, adapted_));
    ++batches_;
    rows_ += features.rows;
    if (logs_changes_) changes_.add(encode_batch(batch));
    accumulate(features, uses_source);
  } else {
    need(adapter_->predict(batch, adapted_));
  }

  std::vector<InferAnswer> answers;
  answers.reserve(requests.size());
  Index first = 0;
  for (const auto* request : requests) {
    answers.push_back(answer_from(first, *request, mode));
    first += request->features.rows();
  }
  return answers;
}

InferAnswer StreamSession::answer_from(Index first, const InferRequest& request, Mode mode) const {
  const bool is_shadow = mode == Mode::kShadow;
  const Matrix& probabilities = is_shadow ? source_probabilities() : adapted_.probabilities;
  const Index rows = request.features.rows();
  InferAnswer answer;
  answer.labels = slice(is_shadow ? source_labels() : adapted_.labels, first, rows);
  answer.batch = batches_;
  answer.mode = name_of(mode);
  if (model_->source().has_class_names()) answer.class_names = model_->source().class_names();
  answer.probabilities.resize(rows, probabilities.cols());
  std::copy_n(probabilities.row(first).data(), answer.probabilities.size(), answer.probabilities.data());
  if (request.source_label.wanted) answer.source_labels = slice(source_labels(), first, rows);
  if (request.adapted_label.wanted) answer.adapted_labels = slice(adapted_.labels, first, rows);
  return answer;
}

bool StreamSession::restarts(const InferRequest& request) const {
  return request.starts && request.adapt && model_->mode() != Mode::kFrozen;
}

InferAnswer StreamSession::answer_request(const InferRequest& request) {
  const InferRequest* only = &request;
  if (!restarts(request)) return answer({&only, 1}).front();
  StreamSession fresh = make_empty();
  InferAnswer answered = fresh.answer({&only, 1}).front();
  *this = std::move(fresh);
  return answered;
}

/// Statistics for the page and the metrics, of the adapted predictions in every mode.
void StreamSession::accumulate(MatrixView features, bool is_source_predicted) {
  const Index classes = model_->source().classes();
  std::vector<double> answered = std::move(batch_.answered);
  answered.assign(static_cast<std::size_t>(classes), 0);
  batch_ = PointAccumulator();
  batch_.batches = 1;
  batch_.rows = features.rows;
  for (Index n = 0; n < features.rows; ++n) {
    const auto probabilities = adapted_.probabilities.row(n);
    batch_.confidence += probabilities[static_cast<std::size_t>(adapted_.labels[n])];
    batch_.entropy += entropy_of(probabilities);
    for (Index k = 0; k < classes; ++k) answered[k] += probabilities[k];
  }
  batch_.answered = std::move(answered);
  if (model_->image_shape() && !is_source_predicted)
    sample_source(features);
  else
    compare_with_source(1, 0);
  const Health& health = adapted_.health;
  batch_.warning = health.warning;
  batch_.guard = health.guard;
  if (health.guard && health.guard->chains) batch_.chain_rows = features.rows;
  accumulator_.add(batch_);
  last_health_ = health;
}

/// The source of a network costs as much as its answer: every 8th row of the stream is compared.
void StreamSession::sample_source(MatrixView features) {
  const Index first = (kSourceStride - (rows_ - features.rows) % kSourceStride) % kSourceStride;
  if (first >= features.rows) return;
  const Index sampled = (features.rows - first - 1) / kSourceStride + 1;
  const MatrixView rows(features.row(first).data(), sampled, features.cols, kSourceStride * features.stride);
  if (model_->predict_source(rows, source_)) compare_with_source(kSourceStride, first);
}

/// The predictions of the source are those of every `stride`th row from `first` on.
void StreamSession::compare_with_source(Index stride, Index first) {
  const auto& labels = source_labels();
  batch_.compared = batch_.source_rows = static_cast<std::int64_t>(labels.size());
  for (Index i = 0; i < batch_.compared; ++i) {
    batch_.source_confidence += source_probabilities()(i, labels[i]);
    batch_.flipped += labels[i] == adapted_.labels[first + i * stride] ? 0 : 1;
  }
}

const std::vector<std::int64_t>& StreamSession::source_labels() const {
  return model_->image_shape() ? source_.labels : adapted_.source_labels;
}

const Matrix& StreamSession::source_probabilities() const {
  return model_->image_shape() ? source_.probabilities : adapted_.source_probabilities;
}

Observed StreamSession::observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  if (model_->mode() == Mode::kFrozen)
    reject(409, fmt::format("model {} is frozen: labels are rejected", model_->name()));
  const Observed observed = need(adapter_->observe(ids, labels));
  if (logs_changes_) changes_.add(encode_labels(ids, labels));
  return observed;
}

const KeptAnswer* StreamSession::find_answer(const std::string& key, std::uint64_t digest, bool strict) const {
  for (const auto& answer : answers_) {
    if (answer.key != key) continue;
    if (answer.digest == digest) return &answer;
    if (strict) reject(422, fmt::format("Idempotency-Key '{}' was used for another request of this stream", key));
  }
  return nullptr;
}

void StreamSession::keep_answer(KeptAnswer answer) {
  std::erase_if(answers_, [&](const KeptAnswer& old) { return old.key == answer.key; });
  answers_.push_back(std::move(answer));
  if (answers_.size() > kept_answers_) answers_.erase(answers_.begin());
}

std::int64_t StreamSession::bytes() const {
  // The state, the prototypes derived from it, and buffers of a batch.
  const auto adapter = static_cast<std::int64_t>(state_bytes_) * 4 / 3 + 16384;
  std::int64_t answers = 0;
  for (const auto& answer : answers_) answers += static_cast<std::int64_t>(answer.key.size() + answer.body.size());
  return std::max(adapter, model_->stream_bytes()) + answers;
}

StreamRecord StreamSession::record(double now) const {
  StreamRecord record{.state = need(state_to_bytes(adapter_->state())),
                      .batches = batches_,
                      .rows = rows_,
                      .updated = now,
                      .answers = answers_};
  state_bytes_ = record.state.size();
  return record;
}

StreamRecord StreamSession::next_record(double now) {
  StreamRecord record{.state = "", .batches = batches_, .rows = rows_, .updated = now, .answers = answers_};
  record.only_changes = logs_changes_ && changes_.take(state_bytes_, record.changes);
  return record.only_changes ? record : next_whole_record(now);
}

StreamRecord StreamSession::next_whole_record(double now) {
  StreamRecord whole = record(now);
  changes_.restart();
  return whole;
}

void StreamSession::restore(const StreamRecord& record) {
  restore_state(record.state);
  for (const auto& change : record.changes) apply_change(change, *adapter_);
  state_bytes_ = record.state.size();
  changes_.restart(record.changes);
  batches_ = record.batches;
  rows_ = record.rows;
  answers_ = record.answers;
}

void StreamSession::restore_state(std::string_view bytes) {
  const AdapterState state = need(state_from_bytes(bytes));
  if (const Status status = adapter_->restore(state); !status)
    reject(409,
           fmt::format("{}; reset the stream, or serve the model with the classifier, method and options of the state",
                       status.error().message));
  answers_.clear();
  changes_ = {};
}

std::optional<HistoryPoint> StreamSession::close_point(double now, PointSpan span) {
  if (history_start_ == 0) history_start_ = accumulator_start_ = now;
  const bool is_spaced = span == PointSpan::kSpaced && history_.size() >= kYoungPoints;
  const double least = is_spaced ? std::min(kMinSpan, (now - history_start_) / kYoungPoints) : 0;
  if (accumulator_.batches == 0 || now - accumulator_start_ < least) return std::nullopt;
  if (shown_.empty()) select_shown_classes();
  HistoryPoint point = accumulator_.point(accumulator_start_, now);
  const Health current = adapter_->health();
  if (current.dispersion) point.dispersion = *current.dispersion * kRadiansPerDegree;
  std::vector<float> proportions;
  for (const Index k : shown_) {
    proportions.push_back(point.proportions[k]);
    if (!current.movement.empty())
      point.movement.push_back(static_cast<float>(current.movement[k] * kRadiansPerDegree));
  }
  point.proportions = std::move(proportions);
  history_.add(point);
  accumulator_ = {};
  accumulator_start_ = now;
  return point;
}

void StreamSession::select_shown_classes() {
  shown_.resize(static_cast<std::size_t>(model_->source().classes()));
  std::iota(shown_.begin(), shown_.end(), Index{0});
  if (shown_.size() <= kMaxShownClasses) return;
  std::stable_sort(shown_.begin(), shown_.end(),
                   [&](Index a, Index b) { return accumulator_.answered[a] > accumulator_.answered[b]; });
  shown_.resize(kMaxShownClasses);
  std::sort(shown_.begin(), shown_.end());
}

Health StreamSession::health() const {
  Health health = adapter_->health();
  health.confidence = last_health_.confidence;
  health.compared = last_health_.compared;
  health.flipped = last_health_.flipped;
  health.warning = last_health_.warning;
  health.evidence = last_health_.evidence;
  return health;
}

}  // namespace stad::serving
