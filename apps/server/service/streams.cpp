#include "server/service/streams.hpp"

#include <utility>

namespace stad::server {
namespace {

constexpr int kTasksInARow = 32;  // before another stream gets the thread

}  // namespace

StreamTable::Pushed StreamTable::push(const StreamName& name, const ModelPointer& model, Task task) {
  const std::scoped_lock lock(mutex_);
  StreamPointer* found = streams_.find(name);
  if (!found) {
    found = &streams_.insert(name, std::make_shared<Stream>(name, model));
    ++counts_[name.model];
  } else if ((*found)->model()->is_retired() && !model->is_retired()) {
    // The model was removed and added again: remaining tasks of the removed one must not reach the new stream.
    *found = std::make_shared<Stream>(name, model);
  }
  return {*found, (*found)->queue.push(std::move(task))};
}

StreamTable::Pushed StreamTable::push_if_present(const StreamName& name, Task task) {
  const std::scoped_lock lock(mutex_);
  const StreamPointer* stream = streams_.peek(name);
  if (!stream) return {};
  return {*stream, (*stream)->queue.push(std::move(task))};
}

void StreamTable::remove_if_empty(const StreamPointer& stream) {
  const std::scoped_lock lock(mutex_);
  const StreamPointer* present = streams_.peek(stream->name());
  // No thread has access to an idle stream, and none can acquire it under the lock: the session may be read.
  if (!present || *present != stream || !stream->queue.is_idle() || stream->session) return;
  streams_.erase(stream->name());
  if (--counts_[stream->name().model] == 0) counts_.erase(stream->name().model);
}

std::vector<StreamPointer> StreamTable::oldest(std::size_t count) const {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamPointer> streams;
  for (auto entry = streams_.rbegin(); entry != streams_.rend() && streams.size() < count; ++entry)
    streams.push_back(entry->second);
  return streams;
}

std::vector<StreamPointer> StreamTable::of_model(const std::string& model) const {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamPointer> streams;
  for (const auto& [name, stream] : streams_)
    if (name.model == model) streams.push_back(stream);
  return streams;
}

std::size_t StreamTable::size() const {
  const std::scoped_lock lock(mutex_);
  return streams_.size();
}

std::size_t StreamTable::size(const std::string& model) const {
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(model);
  return found == counts_.end() ? 0 : found->second;
}

void Streams::submit(const StreamName& name, const ModelPointer& model, Task task, Execution execution) {
  const auto [stream, has_access] = table_.push(name, model, std::move(task));
  if (!has_access) return;
  if (execution == Execution::kInline && stream->session)
    execute(stream, 1);
  else
    execute_in_pool(stream);
}

bool Streams::submit_if_present(const StreamName& name, StreamTask task) {
  const auto [stream, has_access] = table_.push_if_present(name, std::move(task));
  if (has_access) execute_in_pool(stream);
  return stream != nullptr;
}

void Streams::execute_in_pool(const StreamPointer& stream) {
  pool_.run([this, stream] { execute(stream, kTasksInARow); });
}

void Streams::execute_later(const StreamPointer& stream, TaskQueue::Clock::time_point due, std::uint64_t ticket) {
  pool_.run_at(due, [this, stream, ticket] {
    if (stream->queue.resume(ticket)) execute(stream, kTasksInARow);
  });
}

/// After `tasks` tasks the rest is passed to the pool, since a stream that receives tasks all the time would occupy the
/// thread forever.
void Streams::execute(const StreamPointer& stream, int tasks) {
  while (true) {
    if (tasks-- <= 0 && !stream->queue.is_empty()) return execute_in_pool(stream);
    const bool is_unloaded = !stream->session;  // read before next() releases the access
    auto next = stream->queue.next();
    if (next.wait_until) return execute_later(stream, *next.wait_until, next.ticket);
    if (next.other)
      next.other(*stream);
    else if (!next.requests.empty())
      answer_requests_(stream, std::move(next.requests));
    else
      return is_unloaded ? table_.remove_if_empty(stream) : void();
  }
}

void Streams::discard_tasks() {
  for (const auto& stream : table_.oldest(table_.size())) stream->queue.clear();
}

}  // namespace stad::server
