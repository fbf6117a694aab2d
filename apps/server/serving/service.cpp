#include "server/serving/service.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/telemetry/log.hpp"

namespace stad::server {
namespace {

/// Multiplications up to which a step is shorter than handing it to another thread is worth.
constexpr double kShortStep = 1e6;
constexpr int kDeskThreads = 2;

double seconds_since(Crew::Clock::time_point start) {
  return std::chrono::duration<double>(Crew::Clock::now() - start).count();
}

Refusal unexpected(const std::exception& bug) {
  log(LogLevel::kError, "a request failed unexpectedly", {{"reason", bug.what()}});
  return {500, std::string("the service failed: ") + bug.what()};
}

InferResponse response_of(const KeptAnswer& kept) {
  InferResponse response{.body = kept.body, .json_length = std::nullopt};
  if (kept.json_length >= 0) response.json_length = static_cast<std::size_t>(kept.json_length);
  return response;
}

DriftFigures figures_of(const Point& point) {
  DriftFigures figures;
  figures.rows = static_cast<double>(point.rows);
  figures.confidence = point.confidence;
  figures.entropy = point.entropy;
  figures.dispersion = point.dispersion;
  figures.flip_rate = point.flip_rate;
  if (point.accuracy.rows > 0) figures.estimated_accuracy = point.accuracy.value();
  if (!point.movement.empty()) {
    double sum = 0;
    for (const double angle : point.movement) sum += angle;
    figures.prototype_shift = sum / static_cast<double>(point.movement.size());
  }
  return figures;
}

}  // namespace

Service::Service(ServiceSettings settings, std::unique_ptr<Store> store, Metrics& metrics)
    : settings_(settings),
      store_(std::move(store)),
      metrics_(metrics),
      crew_(settings.threads),
      desk_(kDeskThreads),
      streams_(crew_, [this](const StreamPointer& stream,
                             std::vector<InferErrand> errands) { answer(stream, std::move(errands)); }),
      keeper_(settings.keeping, *store_, streams_, crew_) {
  keeper_.start();
  crew_.run([this] { watch_the_watched(); });
}

Service::~Service() {
  desk_.close();
  crew_.close();
  keeper_.stop();
  if (const Status status = store_->flush(); !status)
    log(LogLevel::kError, "not everything could be saved", {{"reason", status.error().message}});
  store_.reset();  // its thread calls back into what is destroyed next
  streams_.forget_errands();
}

void Service::infer(const ModelPointer& model, InferErrand errand) {
  model->check_is_served();
  check_request(*model, errand.request);
  const auto& features = errand.request.features;
  const double work = static_cast<double>(features.size()) * static_cast<double>(model->source().classes());
  const StreamName name{model->name(), errand.request.stream};
  const bool is_short = work <= kShortStep && !model->image_shape();
  streams_.submit(name, model, std::move(errand), is_short ? Streams::Place::kHere : Streams::Place::kElsewhere);
}

/// With the turn of the stream.
void Service::answer(const StreamPointer& stream, std::vector<InferErrand> errands) {
  const auto start = Crew::Clock::now();
  std::int64_t rows = 0;
  try {
    keeper_.load(*stream);
    rows = stream->learner->rows();
    if (errands.size() == 1)
      answer_alone(stream, errands.front());
    else
      answer_together(stream, errands);
  } catch (const Refusal& refusal) {
    for (const auto& errand : errands)
      if (errand.done) errand.done(refusal);
  } catch (const std::exception& bug) {
    const Refusal refusal = unexpected(bug);
    for (const auto& errand : errands)
      if (errand.done) errand.done(refusal);
  }
  const std::int64_t learned = stream->learner ? stream->learner->rows() - rows : 0;
  if (learned > 0) metrics_.count_step(stream->name().model, learned, seconds_since(start));
  keeper_.unload_if_empty(*stream);  // a request that was refused leaves no trace
}

void Service::answer_alone(const StreamPointer& stream, InferErrand& errand) {
  Learner& learner = *stream->learner;
  const auto send = [&](InferResponse response) {
    return [done = std::exchange(errand.done, nullptr), response = std::move(response)](const Status& status) {
      done(status ? InferOutcome(response) : InferOutcome(refusal_of(status.error())));
    };
  };
  if (!errand.key.empty())
    if (const auto* kept = learner.find_answer(errand.key, errand.digest, errand.key_is_strict))
      return keeper_.depended_on(stream, send(response_of(*kept)));

  const InferRequest* request = &errand.request;
  const bool starts = learner.starts_anew(*request);
  const std::int64_t before = learner.batches();
  const InferAnswer answer = learner.answer_one(*request);
  InferResponse response = write_infer_response(stream->name().model, *request, answer);
  if (learner.ends(*request)) return keeper_.remove(*stream, send(std::move(response)));

  const bool has_changed = learner.batches() != before || starts;
  if (!errand.key.empty())
    learner.keep_answer({.key = errand.key,
                         .digest = errand.digest,
                         .json_length = response.json_length ? static_cast<std::int64_t>(*response.json_length) : -1,
                         .body = response.body});
  learned(stream);
  if (has_changed || !errand.key.empty())
    keeper_.changed(stream, send(std::move(response)));
  else
    keeper_.depended_on(stream, send(std::move(response)));
}

/// If the batch is refused as a whole, each request is answered by itself, so that one that breaks a rule spoils no
/// other.
void Service::answer_together(const StreamPointer& stream, std::vector<InferErrand>& errands) {
  std::vector<const InferRequest*> requests;
  for (const auto& errand : errands) requests.push_back(&errand.request);
  std::vector<InferAnswer> answers;
  const std::int64_t before = stream->learner->batches();
  try {
    answers = stream->learner->answer(requests);
  } catch (const Refusal&) {
    for (auto& errand : errands) {
      try {
        answer_alone(stream, errand);
      } catch (const Refusal& refusal) {
        std::exchange(errand.done, nullptr)(refusal);
      }
    }
    return;
  }
  std::vector<std::pair<std::function<void(InferOutcome)>, InferOutcome>> outcomes;
  for (std::size_t i = 0; i < errands.size(); ++i) {
    auto done = std::exchange(errands[i].done, nullptr);
    try {
      outcomes.emplace_back(std::move(done), write_infer_response(stream->name().model, *requests[i], answers[i]));
    } catch (const Refusal& refusal) {
      outcomes.emplace_back(std::move(done), refusal);
    }
  }
  learned(stream);
  const auto send = [outcomes = std::move(outcomes)](const Status& status) {
    for (const auto& [done, outcome] : outcomes) done(status ? outcome : InferOutcome(refusal_of(status.error())));
  };
  if (stream->learner->batches() != before)
    keeper_.changed(stream, send);
  else
    keeper_.depended_on(stream, send);
}

/// With the turn: a point of the history may be due.
void Service::learned(const StreamPointer& stream) {
  const auto point = stream->learner->close_point(now_in_seconds());
  if (!point) return;
  metrics_.tell_drift(stream->name().model, figures_of(*point));
  watchers_.tell(stream->name(), *point);
}

/// Once a second: a stream that someone looks at tells what it has, even if nothing comes any more.
void Service::watch_the_watched() {
  for (const auto& name : watchers_.watched())
    streams_.submit_if_present(name, [this](Stream& stream) {
      if (!stream.learner) return;
      if (const auto point = stream.learner->close_point(now_in_seconds())) watchers_.tell(stream.name(), *point);
    });
  crew_.run_at(Crew::Clock::now() + std::chrono::seconds(1), [this] { watch_the_watched(); });
}

void Service::note(const StreamName& name, std::string kind, std::string detail, bool of_whole_model,
                   std::function<void()> then) {
  Event event{.time = now_in_seconds(), .name = name, .kind = std::move(kind), .detail = std::move(detail)};
  log(LogLevel::kInfo, event.detail, {{"model", name.model}, {"stream", name.stream}, {"kind", event.kind}});
  // Whoever is told will ask for the list of events, which must have it by then.
  const auto tell = [this, event, of_whole_model, then = std::move(then)](const Status&) {
    watchers_.tell(event, of_whole_model);
    then();
  };
  store_->note(std::move(event), tell);
}

}  // namespace stad::server
