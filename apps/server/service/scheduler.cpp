#include "server/service/scheduler.hpp"

#include <iterator>

namespace stad::server {
namespace {

constexpr int kTasksInARow = 32;  // of one stream, before another stream gets the thread

/// Requests that start or end a sequence, and those with a key, for which a kept answer may exist, are executed alone.
bool may_be_batched(const InferTask& task) { return task.key.empty() && !task.request.starts && !task.request.ends; }

/// A batch has one time stamp and is adapted to as a whole.
bool are_compatible(const InferRequest& a, const InferRequest& b) {
  return a.adapt == b.adapt && a.time == b.time && a.features.cols() == b.features.cols() &&
         a.row_ids.empty() == b.row_ids.empty();
}

/// The tasks at the front of a queue that are executed together.
struct FrontBatch {
  std::size_t tasks = 1;
  bool may_grow = false;  ///< whether a further request might belong to it
};

FrontBatch front_batch(const std::list<Task>& queued, Index max_batch) {
  const auto* first = std::get_if<InferTask>(&queued.front());
  if (!first || max_batch == 0 || !may_be_batched(*first)) return {};
  Index rows = first->request.features.rows();
  std::size_t tasks = 1;
  for (auto place = std::next(queued.begin()); place != queued.end(); ++place, ++tasks) {
    const auto* task = std::get_if<InferTask>(&*place);
    if (!task || !may_be_batched(*task) || !are_compatible(task->request, first->request)) return {tasks};
    rows += task->request.features.rows();
    if (rows > max_batch) return {tasks};
  }
  return {tasks, rows < max_batch};
}

}  // namespace

void Scheduler::submit(const StreamName& name, const ModelPointer& model, Task task, Execution execution) {
  StreamPointer stream, replaced;
  bool has_access = false;
  {
    const std::scoped_lock lock(mutex_);
    StreamPointer* found = streams_.find(name);
    if (!found) {
      found = &streams_.insert(name, std::make_shared<Stream>(name, model));
      ++counts_[name.model];
    } else if ((*found)->model()->is_retired() && !model->is_retired()) {
      // The model was removed and added again: remaining tasks of the removed one must not reach the new stream.
      replaced = std::exchange(*found, std::make_shared<Stream>(name, model));
    }
    stream = *found;
    has_access = push(*stream, std::move(task));
  }
  if (!has_access) return;
  if (execution == Execution::kInline && stream->session)
    execute(stream, 1);
  else
    execute_in_pool(stream);
}

bool Scheduler::submit_if_present(const StreamName& name, StreamTask task) {
  StreamPointer stream;
  bool has_access = false;
  {
    const std::scoped_lock lock(mutex_);
    const StreamPointer* found = streams_.peek(name);
    if (!found) return false;
    stream = *found;
    has_access = push(*stream, std::move(task));
  }
  if (has_access) execute_in_pool(stream);
  return true;
}

bool Scheduler::push(Stream& stream, Task task) {
  stream.queued_.push_back(std::move(task));
  const bool is_complete = stream.access_ == Stream::Access::kDelayed &&
                           !front_batch(stream.queued_, stream.model()->specification().max_batch).may_grow;
  if (stream.access_ != Stream::Access::kFree && !is_complete) return false;
  stream.access_ = Stream::Access::kAcquired;
  return true;
}

void Scheduler::execute_in_pool(const StreamPointer& stream) {
  pool_.run([this, stream] { execute(stream, kTasksInARow); });
}

/// After `tasks` tasks the rest is passed to the pool, since a stream that receives tasks all the time would occupy the
/// thread forever.
void Scheduler::execute(const StreamPointer& stream, int tasks) {
  while (true) {
    if (tasks-- <= 0 && has_tasks(*stream)) return execute_in_pool(stream);
    Next next = take(stream);
    if (next.other)
      next.other(*stream);
    else if (!next.requests.empty())
      answer_requests_(stream, std::move(next.requests));
    else
      return;
  }
}

Scheduler::Next Scheduler::take(const StreamPointer& stream) {
  const std::scoped_lock lock(mutex_);
  auto& queued = stream->queued_;
  Next next;
  if (queued.empty()) {
    stream->access_ = Stream::Access::kFree;
    if (!stream->session) remove(*stream);
    return next;
  }
  if (auto* other = std::get_if<StreamTask>(&queued.front())) {
    next.other = std::move(*other);
    queued.pop_front();
    return next;
  }
  const ModelSpecification& model = stream->model()->specification();
  const FrontBatch batch = front_batch(queued, model.max_batch);
  const auto due = std::get<InferTask>(queued.front()).arrived + model.max_delay;
  if (batch.may_grow && TaskPool::Clock::now() < due) {
    delay(stream, due);
    return next;
  }
  for (std::size_t i = 0; i < batch.tasks; ++i) {
    next.requests.push_back(std::move(std::get<InferTask>(queued.front())));
    queued.pop_front();
  }
  return next;
}

bool Scheduler::has_tasks(const Stream& stream) const {
  const std::scoped_lock lock(mutex_);
  return !stream.queued_.empty();
}

/// Requires the lock. The access is released until the batch is complete, see push(), or the time has come.
void Scheduler::delay(const StreamPointer& stream, TaskPool::Clock::time_point until) {
  stream->access_ = Stream::Access::kDelayed;
  pool_.run_at(until, [this, stream, number = ++stream->delay_] {
    {
      const std::scoped_lock lock(mutex_);
      if (stream->access_ != Stream::Access::kDelayed || stream->delay_ != number) return;
      stream->access_ = Stream::Access::kAcquired;
    }
    execute(stream, kTasksInARow);
  });
}

/// Requires the lock.
void Scheduler::remove(const Stream& stream) {
  const StreamPointer* present = streams_.peek(stream.name());
  if (!present || present->get() != &stream) return;
  streams_.erase(stream.name());
  if (--counts_[stream.name().model] == 0) counts_.erase(stream.name().model);
}

std::vector<StreamPointer> Scheduler::streams() const {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamPointer> streams;
  for (const auto& [name, stream] : streams_) streams.push_back(stream);
  return streams;
}

std::vector<StreamPointer> Scheduler::oldest_idle(std::size_t count) const {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamPointer> idle;
  for (auto entry = streams_.rbegin(); entry != streams_.rend() && count > 0; ++entry, --count)
    if (entry->second->access_ == Stream::Access::kFree) idle.push_back(entry->second);
  return idle;
}

std::vector<StreamPointer> Scheduler::of_model(const std::string& model) const {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamPointer> streams;
  for (const auto& [name, stream] : streams_)
    if (name.model == model) streams.push_back(stream);
  return streams;
}

std::size_t Scheduler::size() const {
  const std::scoped_lock lock(mutex_);
  return streams_.size();
}

std::size_t Scheduler::size(const std::string& model) const {
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(model);
  return found == counts_.end() ? 0 : found->second;
}

void Scheduler::discard_tasks() {
  std::list<Task> discarded;  // destroyed after the lock is released
  const std::scoped_lock lock(mutex_);
  for (const auto& [name, stream] : streams_) discarded.splice(discarded.end(), stream->queued_);
}

}  // namespace stad::server
