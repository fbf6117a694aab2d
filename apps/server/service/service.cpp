#include "server/service/service.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "serving/log.hpp"

namespace stad::server {
namespace {

/// Multiplications of a step below which it takes less time than the switch to another thread.
constexpr double kShortStep = 1e6;
constexpr int kBackgroundThreads = 2;
/// Rows of a stream before its warning level counts: the memory of the level. Of fewer rows it is mostly noise, above
/// all where they are sorted by class.
constexpr std::int64_t kJudgedRows = 500;

double seconds_since(TaskPool::Clock::time_point start) {
  return std::chrono::duration<double>(TaskPool::Clock::now() - start).count();
}

AppError internal_error(const std::exception& error) {
  log(LogLevel::kError, "a request failed unexpectedly", {{"reason", error.what()}});
  return http_error(500, std::string("internal error: ") + error.what());
}

InferResponse response_of(const KeptAnswer& kept) {
  InferResponse response{.body = kept.body, .json_length = std::nullopt};
  if (kept.json_length >= 0) response.json_length = static_cast<std::size_t>(kept.json_length);
  return response;
}

StepSums sums_of(const PointAccumulator& batch, double seconds) {
  StepSums sums{.rows = static_cast<double>(batch.rows),
                .seconds = seconds,
                .confidence = batch.confidence,
                .entropy = batch.entropy,
                .compared = static_cast<double>(batch.compared),
                .flipped = static_cast<double>(batch.flipped),
                .chain_rows = std::nullopt};
  if (batch.guard) sums.chain_rows = static_cast<double>(batch.chain_rows);
  return sums;
}

PrototypeGeometry geometry_of(const HistoryPoint& point) {
  PrototypeGeometry geometry{
      .rows = static_cast<double>(point.rows), .shift = std::nullopt, .dispersion = point.dispersion};
  if (!point.movement.empty()) {
    double sum = 0;
    for (const double angle : point.movement) sum += angle;
    geometry.shift = sum / static_cast<double>(point.movement.size());
  }
  return geometry;
}

}  // namespace

Service::Service(ServiceSettings settings, std::unique_ptr<Store> store, Metrics& metrics)
    : settings_(settings),
      store_(std::move(store)),
      metrics_(metrics),
      pool_(settings.threads),
      background_(kBackgroundThreads),
      streams_(pool_,
               [this](const StreamPointer& stream, std::vector<InferTask> tasks) { answer(stream, std::move(tasks)); }),
      checkpointer_(settings.checkpoints, *store_, streams_, pool_,
                    [this](const StreamName& name, const std::string& message) {
                      log(LogLevel::kError, "a stored state is damaged",
                          {{"model", name.model}, {"stream", name.stream}, {"reason", message}});
                      record_event(new_event(name, "damaged", message, ""), false, [] {});
                    }) {
  checkpointer_.start();
  pool_.run([this] { publish_due_points(); });
  pool_.run([this] { probe_store(); });
}

Service::~Service() {
  background_.close();
  pool_.close();
  checkpointer_.stop();
  if (const Status status = store_->flush(); !status)
    log(LogLevel::kError, "not everything could be saved", {{"reason", status.error().message}});
  store_.reset();  // before the members that its callbacks use
  streams_.discard_tasks();
}

void Service::infer(const ModelPointer& model, InferTask task) {
  model->check_is_served();
  check_request(*model, task.request);
  const auto& features = task.request.features;
  const double multiplications = static_cast<double>(features.size()) * static_cast<double>(model->source().classes());
  const StreamName name{model->name(), task.request.stream};
  const bool is_short = multiplications <= kShortStep && !model->image_shape();
  streams_.submit(name, model, std::move(task), is_short ? Streams::Execution::kInline : Streams::Execution::kPool);
}

/// Requires exclusive access to the stream.
void Service::answer(const StreamPointer& stream, std::vector<InferTask> tasks) {
  try {
    checkpointer_.load(*stream);
    if (tasks.size() == 1)
      answer_single(stream, tasks.front());
    else
      answer_batch(stream, tasks);
  } catch (const AppError& failure) {
    for (const auto& task : tasks)
      if (task.done) task.done(failure);
  } catch (const std::exception& error) {
    const AppError failure = internal_error(error);
    for (const auto& task : tasks)
      if (task.done) task.done(failure);
  }
  checkpointer_.unload_if_empty(*stream);  // a rejected request must not create a stream
}

void Service::answer_single(const StreamPointer& stream, InferTask& task) {
  StreamSession& session = *stream->session;
  const auto send = [&](InferResponse response, const std::optional<StepSums>& step) {
    return [this, stream, step, done = std::exchange(task.done, nullptr),
            response = std::move(response)](const Status& status) {
      if (status && step) count_step(*stream, *step);
      done(status ? InferOutcome(response) : InferOutcome(AppError{status.error()}));
    };
  };
  if (!task.key.empty())
    if (const auto* kept = session.find_answer(task.key, task.digest, task.key_is_strict))
      return checkpointer_.after_pending_saves(stream, send(response_of(*kept), std::nullopt));

  check_may_end(session, task);
  const auto start = TaskPool::Clock::now();
  const InferRequest* request = &task.request;
  const bool starts = session.restarts(*request);
  const std::int64_t before = session.batches();
  const InferAnswer answer = session.answer_request(*request);
  const bool has_changed = session.batches() != before || starts;
  std::optional<StepSums> step;
  if (has_changed) step = sums_of(session.last_batch(), seconds_since(start));
  InferResponse response = write_infer_response(stream->name().model, *request, answer);
  if (session.ends(*request)) return end_stream(*stream, task.caller, send(std::move(response), step));
  if (starts && before > 0)
    record_event(new_event(stream->name(), "reset",
                           fmt::format("sequence_start reset the stream after {} batches", before), task.caller),
                 false, [] {});

  if (!task.key.empty())
    session.keep_answer({.key = task.key,
                         .digest = task.digest,
                         .json_length = response.json_length ? static_cast<std::int64_t>(*response.json_length) : -1,
                         .body = response.body});
  publish_point(*stream);
  if (has_changed || !task.key.empty())
    checkpointer_.changed(stream, send(std::move(response), step));
  else
    checkpointer_.after_pending_saves(stream, send(std::move(response), step));
}

void Service::check_may_end(const StreamSession& session, const InferTask& task) {
  if (task.may_end) return;
  const bool ends = session.ends(task.request);
  if (!ends && !(session.restarts(task.request) && session.batches() > 0)) return;
  reject(403, fmt::format("{} of stream '{}' requires the role end, which token {} does not have",
                          ends ? "sequence_end" : "sequence_start", task.request.stream, task.caller));
}

void Service::end_stream(Stream& stream, const std::string& caller, Store::Done done) {
  checkpointer_.remove(stream, [this, name = stream.name(), caller, done = std::move(done)](const Status& status) {
    if (status)
      record_event(new_event(name, "delete", "ended by sequence_end, deleted with its snapshots", caller), false,
                   [] {});
    done(status);
  });
}

/// Where the batch is rejected, each request is answered separately, so that an invalid one does not affect the others.
void Service::answer_batch(const StreamPointer& stream, std::vector<InferTask>& tasks) {
  std::vector<const InferRequest*> requests;
  requests.reserve(tasks.size());
  for (const auto& task : tasks) requests.push_back(&task.request);
  std::vector<InferAnswer> answers;
  const auto start = TaskPool::Clock::now();
  const std::int64_t before = stream->session->batches();
  try {
    answers = stream->session->answer(requests);
  } catch (const AppError&) {
    return answer_each(stream, tasks);
  }
  std::vector<std::pair<std::function<void(InferOutcome)>, InferOutcome>> outcomes;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    outcomes.emplace_back(std::exchange(tasks[i].done, nullptr),
                          write_infer_response(stream->name().model, *requests[i], answers[i]));
  std::optional<StepSums> step;
  if (stream->session->batches() != before) step = sums_of(stream->session->last_batch(), seconds_since(start));
  publish_point(*stream);
  const auto send = [this, stream, step, outcomes = std::move(outcomes)](const Status& status) {
    if (status && step) count_step(*stream, *step);
    for (const auto& [done, outcome] : outcomes) done(status ? outcome : InferOutcome(AppError{status.error()}));
  };
  if (step)
    checkpointer_.changed(stream, send);
  else
    checkpointer_.after_pending_saves(stream, send);
}

void Service::answer_each(const StreamPointer& stream, std::vector<InferTask>& tasks) {
  for (auto& task : tasks) {
    try {
      answer_single(stream, task);
    } catch (const AppError& failure) {
      std::exchange(task.done, nullptr)(failure);
    }
  }
}

void Service::count_step(Stream& stream, const StepSums& step) {
  ++stream.model()->batches;
  stream.model()->rows += static_cast<std::int64_t>(step.rows);
  metrics_.count_step(stream.name().model, step);
}

/// Requires exclusive access. Publishes the current point of the history if it is due.
void Service::publish_point(Stream& stream, StreamSession::PointSpan span) {
  const StreamName& name = stream.name();
  const auto current = stream.session->last_batch().warning;
  const auto warning = stream.session->rows() < kJudgedRows ? std::nullopt : current;
  const int before = stream.warning.exchange(warning ? static_cast<int>(*warning) : Stream::kNoWarning);
  if (warning == Warning::kAct && before != static_cast<int>(Warning::kAct))  // metrics do not name the stream
    log(LogLevel::kWarning, "the accuracy of the source has probably fallen",
        {{"model", name.model}, {"stream", name.stream}});
  const auto point = stream.session->close_point(seconds_since_epoch(), span);
  if (!point) return;
  metrics_.update_geometry(name.model, geometry_of(*point));
  subscribers_.publish(name, *point);
}

std::optional<Warning> Service::worst_warning(const std::string& model) const {
  int worst = Stream::kNoWarning;
  for (const auto& stream : streams_.table().of_model(model)) worst = std::max(worst, stream->warning.load());
  if (worst == Stream::kNoWarning) return std::nullopt;
  return static_cast<Warning>(worst);
}

/// Once a second, for streams with subscribers: publishes points of streams that receive no requests any more.
void Service::publish_due_points() {
  for (const auto& name : subscribers_.streams())
    streams_.submit_if_present(name, [this](Stream& stream) {
      if (stream.session && !stream.is_stale()) publish_point(stream);
    });
  pool_.run_at(TaskPool::Clock::now() + std::chrono::seconds(1), [this] { publish_due_points(); });
}

/// Once a second while writes fail: a service that is not ready receives no requests whose writes would show that the
/// disk has recovered.
void Service::probe_store() {
  if (store_->is_failing()) store_->probe([](const Status&) {});
  pool_.run_at(TaskPool::Clock::now() + std::chrono::seconds(1), [this] { probe_store(); });
}

std::vector<std::string> Service::obstacles() const {
  std::vector<std::string> reasons;
  if (store_->is_corrupt()) reasons.emplace_back("the database is damaged: put a backup in its place");
  if (store_->is_failing()) reasons.emplace_back("the last write to the database failed: see the log");
  const auto free = store_->free_bytes();
  if (free && *free < settings_.min_free)
    reasons.push_back(
        fmt::format("{} bytes are free on the disk, must be at least {} (min_free)", *free, settings_.min_free));
  if (const std::size_t damaged = checkpointer_.quarantine().size(); damaged > 0)
    reasons.push_back(fmt::format("damaged states: {}; the event damaged names each", damaged));
  return reasons;
}

void Service::record_event(Event event, bool of_whole_model, std::function<void()> then) {
  audit(event.detail,
        {{"model", event.name.model}, {"stream", event.name.stream}, {"kind", event.kind}, {"caller", event.caller}});
  // Subscribers request the list of events, which must hold the event by then.
  const auto publish = [this, event, of_whole_model, then = std::move(then)](const Status&) {
    subscribers_.publish(event, of_whole_model);
    then();
  };
  store_->add_event(std::move(event), publish);
}

}  // namespace stad::server
