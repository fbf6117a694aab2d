#include "server/service/task_queue.hpp"

#include <iterator>
#include <utility>

namespace stad::server {
namespace {

/// Requests that start or end a sequence, and those with a key, for which a kept answer may exist, are executed alone.
bool may_be_batched(const InferTask& task) { return task.key.empty() && !task.request.starts && !task.request.ends; }
/// A batch has one time stamp and is adapted to as a whole.
bool are_compatible(const InferRequest& a, const InferRequest& b) {
  return a.adapt == b.adapt && a.time == b.time && a.features.cols() == b.features.cols() &&
         a.row_ids.empty() == b.row_ids.empty();
}

}  // namespace

bool TaskQueue::push(Task task) {
  const std::scoped_lock lock(mutex_);
  queued_.push_back(std::move(task));
  const bool is_full =
      access_ == Access::kDelayed && (batch_size() < queued_.size() || queued_rows() >= batching_.max_batch);
  if (access_ == Access::kFree || is_full) {
    access_ = Access::kAcquired;
    return true;
  }
  return false;
}

TaskQueue::Next TaskQueue::next() {
  const std::scoped_lock lock(mutex_);
  Next next;
  if (queued_.empty()) {
    access_ = Access::kFree;
    return next;
  }
  if (auto* other = std::get_if<StreamTask>(&queued_.front())) {
    next.other = std::move(*other);
    queued_.pop_front();
    return next;
  }
  const std::size_t count = batch_size();
  const auto& first = std::get<InferTask>(queued_.front());
  const bool may_grow = count == queued_.size() && may_be_batched(first) && queued_rows() < batching_.max_batch;
  if (may_grow && Clock::now() < first.arrived + batching_.max_delay) {
    access_ = Access::kDelayed;
    next.wait_until = first.arrived + batching_.max_delay;
    next.ticket = ++ticket_;
    return next;
  }
  for (std::size_t i = 0; i < count; ++i) {
    next.requests.push_back(std::move(std::get<InferTask>(queued_.front())));
    queued_.pop_front();
  }
  return next;
}

bool TaskQueue::resume(std::uint64_t ticket) {
  const std::scoped_lock lock(mutex_);
  if (access_ != Access::kDelayed || ticket != ticket_) return false;
  access_ = Access::kAcquired;
  return true;
}

void TaskQueue::clear() {
  std::list<Task> discarded;  // destroyed after the lock is released: a task may own the stream
  const std::scoped_lock lock(mutex_);
  discarded.swap(queued_);
}

bool TaskQueue::is_empty() const {
  const std::scoped_lock lock(mutex_);
  return queued_.empty();
}

bool TaskQueue::is_idle() const {
  const std::scoped_lock lock(mutex_);
  return queued_.empty() && access_ == Access::kFree;
}

std::size_t TaskQueue::batch_size() const {
  const auto* first = std::get_if<InferTask>(&queued_.front());
  if (!first || batching_.max_batch == 0 || !may_be_batched(*first)) return 1;
  Index rows = first->request.features.rows();
  std::size_t count = 1;
  for (auto place = std::next(queued_.begin()); place != queued_.end(); ++place, ++count) {
    const auto* task = std::get_if<InferTask>(&*place);
    if (!task || !may_be_batched(*task) || !are_compatible(task->request, first->request)) break;
    rows += task->request.features.rows();
    if (rows > batching_.max_batch) break;
  }
  return count;
}

Index TaskQueue::queued_rows() const {
  Index rows = 0;
  for (const auto& task : queued_)
    if (const auto* infer = std::get_if<InferTask>(&task)) rows += infer->request.features.rows();
  return rows;
}

}  // namespace stad::server
