#include "server/service/inference.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/service/step_timer.hpp"
#include "serving/log.hpp"

namespace stad::server {
namespace {

/// Multiplications of a step below which it takes less time than the switch to another thread.
constexpr double kShortStep = 1e6;
constexpr std::size_t kMaxKey = 256;  // bytes

bool is_short(const ServedModel& model, const InferRequest& request) {
  const auto classes = static_cast<double>(model.source().classes());
  return static_cast<double>(request.features.size()) * classes <= kShortStep && !model.image_shape();
}

InferTask task_of(const Caller& caller, const ServedModel& model, InferCall& call, Callback<InferResponse> done) {
  InferTask task;
  task.key_is_strict = !call.idempotency_key.empty();
  task.key = task.key_is_strict ? std::move(call.idempotency_key) : call.request.id;
  if (task.key.size() > kMaxKey) reject(400, fmt::format("Idempotency-Key is longer than {} bytes", kMaxKey));
  if (!task.key.empty()) task.digest = digest_of(call.request) ^ call.transport.id;
  task.caller = caller.name;
  task.may_end = caller.may(Role::kEnd, {model.name(), call.request.stream});
  task.request = std::move(call.request);
  task.write = call.transport.write;
  task.done = std::move(done);
  task.parsing = task.arrived - call.received;
  return task;
}

/// Throws AppError (403) where the request would reset or delete a stream and its caller may not.
void check_may_end(const StreamSession& session, const InferTask& task) {
  if (task.may_end) return;
  const bool ends = session.ends(task.request);
  if (!ends && !(session.restarts(task.request) && session.batches() > 0)) return;
  reject(403, fmt::format("{} of stream '{}' requires the role end, which token {} does not have",
                          ends ? "sequence_end" : "sequence_start", task.request.stream, task.caller));
}

InferResponse response_of(const KeptAnswer& kept) {
  InferResponse response{.body = kept.body, .json_length = std::nullopt};
  if (kept.json_length >= 0) response.json_length = static_cast<std::size_t>(kept.json_length);
  return response;
}

KeptAnswer kept_answer(const InferTask& task, const InferResponse& response) {
  return {.key = task.key,
          .digest = task.digest,
          .json_length = response.json_length ? static_cast<std::int64_t>(*response.json_length) : -1,
          .body = response.body};
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

void fail(const std::vector<InferTask>& tasks, const AppError& failure) {
  for (const auto& task : tasks)
    if (task.done) task.done(failure);
}

}  // namespace

void Inference::infer(const Caller& caller, const ModelPointer& model, InferCall call, Callback<InferResponse> done) {
  require_access(caller, Role::kInfer, {model->name(), call.request.stream});
  if (!quota_.admit(caller.name, model->name(), call.request.stream))
    reject(429, fmt::format("token {} has reached its limit of {} streams", caller.name, quota_.limit()));
  InferTask task = task_of(caller, *model, call, std::move(done));
  if (forwarder_ == nullptr || !model->specification().is_clustered) return infer(model, std::move(task));
  check_request(*model, task.request);
  count_outcome(model, task);
  forward(caller, *model, std::move(call), task);
}

void Inference::forward(const Caller& caller, const ServedModel& model, InferCall call, const InferTask& task) {
  const InferRequest& request = task.request;
  if (request.starts || request.ends) {  // a worker, which has no tokens, resets or deletes the stream
    require_access(caller, Role::kEnd, {model.name(), request.stream});
    audit(request.ends ? "sequence_end was forwarded" : "sequence_start was forwarded",
          {{"model", model.name()}, {"stream", request.stream}, {"caller", task.caller}});
  }
  // Workers identify repetitions by the key alone, so it includes the digest of the request.
  const std::string key = task.key.empty() ? "" : fmt::format("{}-{:016x}", task.key, task.digest);
  forwarder_->forward({{model.name(), request.stream}, std::move(call.body), call.json_length, key}, task.done);
}

/// Counts the request in the statistics of the model when it is answered.
void Inference::count_outcome(const ModelPointer& model, InferTask& task) {
  const auto received = task.arrived - task.parsing;
  task.done = [model, received, done = std::move(task.done)](InferOutcome outcome) {
    model->statistics.count_request(std::holds_alternative<InferResponse>(outcome), TaskPool::Clock::now() - received);
    done(std::move(outcome));
  };
}

void Inference::infer(const ModelPointer& model, InferTask task) {
  model->check_is_served();
  check_request(*model, task.request);
  const StreamName name{model->name(), task.request.stream};
  count_outcome(model, task);
  const auto execution = is_short(*model, task.request) ? Scheduler::Execution::kInline : Scheduler::Execution::kPool;
  scheduler_.submit(name, model, std::move(task), execution);
}

void Inference::observe(const Caller& caller, LabelCall call, Callback<InferResponse> done) {
  const ModelPointer model = models_.find(call.stream.model);
  require_access(caller, Role::kInfer, {call.stream.model, call.stream.stream});
  if (forwarder_ != nullptr && model->specification().is_clustered)
    return forwarder_->forward({call.stream, std::move(call.body), std::nullopt, "", true}, std::move(done));
  const StreamName name = call.stream;
  scheduler_.submit(name, model, done, [this, call = std::move(call), done](Stream& stream) {
    stream.model()->check_is_served();
    checkpointer_.require_known(stream);
    checkpointer_.load(stream);
    const Observed observed = stream.session->observe(call.ids, call.labels);
    const std::string text = fmt::format(R"({{"used":{},"forgotten":{}}})", observed.used, observed.forgotten);
    checkpointer_.changed(stream.shared_from_this(), [done, text](const Status& status) {
      done(status ? InferOutcome(InferResponse{text, std::nullopt}) : InferOutcome(AppError{status.error()}));
    });
  });
}

void Inference::answer(const StreamPointer& stream, std::vector<InferTask> tasks) {
  try {
    stream->model()->check_is_served();
    checkpointer_.load(*stream);
    if (tasks.size() == 1)
      answer_single(stream, tasks.front());
    else
      answer_batch(stream, tasks);
  } catch (const AppError& failure) {
    fail(tasks, failure);
  } catch (const std::exception& error) {
    log(LogLevel::kError, "a request failed unexpectedly", {{"reason", error.what()}});
    fail(tasks, http_error(500, std::string("internal error: ") + error.what()));
  }
  checkpointer_.unload_if_empty(*stream);  // a rejected request must not create a stream
}

void Inference::answer_single(const StreamPointer& stream, InferTask& task) {
  StreamSession& session = *stream->session;
  StepTimer timer;
  const auto send = [&](InferResponse response, const std::optional<StepSums>& step) {
    return [this, stream, step, timer, done = std::exchange(task.done, nullptr),
            response = std::move(response)](const Status& status) {
      if (status && step) monitor_.count_step(*stream, *step);
      if (status) timer.count(stream->model()->statistics);
      done(status ? InferOutcome(response) : InferOutcome(AppError{status.error()}));
    };
  };
  if (!task.key.empty()) {
    const auto* kept = session.find_answer(task.key, task.digest, task.key_is_strict);
    stream->model()->statistics.count_lookup(kept != nullptr, timer.elapsed());
    if (kept) return checkpointer_.after_pending_saves(stream, send(response_of(*kept), std::nullopt));
  }

  check_may_end(session, task);
  timer.start();
  const bool starts = session.restarts(task.request);
  const std::int64_t before = session.batches();
  const InferAnswer answer = session.answer_request(task.request);
  const bool has_changed = session.batches() != before || starts;
  std::optional<StepSums> step;
  timer.end_step();
  if (has_changed) step = sums_of(session.last_batch(), timer.seconds());
  InferResponse response = task.write(stream->name().model, task.request, answer);
  timer.add(task);
  if (session.ends(task.request)) return end_stream(*stream, task.caller, send(std::move(response), step));
  if (starts && before > 0)
    monitor_.record_event(new_event(
        stream->name(), "reset", fmt::format("sequence_start reset the stream after {} batches", before), task.caller));

  if (!task.key.empty()) session.keep_answer(kept_answer(task, response));
  monitor_.publish_point(*stream);
  if (has_changed || !task.key.empty())
    checkpointer_.changed(stream, send(std::move(response), step));
  else
    checkpointer_.after_pending_saves(stream, send(std::move(response), step));
}

void Inference::end_stream(Stream& stream, const std::string& caller, Store::Done done) {
  checkpointer_.remove(stream, [this, name = stream.name(), caller, done = std::move(done)](const Status& status) {
    if (status)
      monitor_.record_event(new_event(name, "delete", "ended by sequence_end, deleted with its snapshots", caller));
    done(status);
  });
}

/// Where the batch is rejected, each request is answered separately, so that an invalid one does not affect the others.
void Inference::answer_batch(const StreamPointer& stream, std::vector<InferTask>& tasks) {
  std::vector<const InferRequest*> requests;
  requests.reserve(tasks.size());
  for (const auto& task : tasks) requests.push_back(&task.request);
  std::vector<InferAnswer> answers;
  StepTimer timer;
  timer.start();
  const std::int64_t before = stream->session->batches();
  try {
    answers = stream->session->answer(requests);
  } catch (const AppError&) {
    return answer_each(stream, tasks);
  }
  timer.end_step();
  std::vector<std::pair<Callback<InferResponse>, InferOutcome>> outcomes;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    outcomes.emplace_back(std::exchange(tasks[i].done, nullptr),
                          tasks[i].write(stream->name().model, *requests[i], answers[i]));
    timer.add(tasks[i]);
  }
  std::optional<StepSums> step;
  if (stream->session->batches() != before) step = sums_of(stream->session->last_batch(), timer.seconds());
  monitor_.publish_point(*stream);
  const auto send = [this, stream, step, timer, outcomes = std::move(outcomes)](const Status& status) {
    if (status && step) monitor_.count_step(*stream, *step);
    if (status) timer.count(stream->model()->statistics);
    for (const auto& [done, outcome] : outcomes) done(status ? outcome : InferOutcome(AppError{status.error()}));
  };
  if (step)
    checkpointer_.changed(stream, send);
  else
    checkpointer_.after_pending_saves(stream, send);
}

void Inference::answer_each(const StreamPointer& stream, std::vector<InferTask>& tasks) {
  for (auto& task : tasks) {
    try {
      answer_single(stream, task);
    } catch (const AppError& failure) {
      std::exchange(task.done, nullptr)(failure);
    }
  }
}

}  // namespace stad::server
