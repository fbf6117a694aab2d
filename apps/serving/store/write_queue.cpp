#include "serving/store/write_queue.hpp"

#include <future>
#include <utility>

namespace stad::serving {

WriteQueue::WriteQueue(Commit commit) : commit_(std::move(commit)), thread_([this] { work(); }) {}

WriteQueue::~WriteQueue() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void WriteQueue::push(Write write) {
  {
    const std::lock_guard lock(mutex_);
    queued_.push_back(std::move(write));
  }
  changed_.notify_one();
}

Status WriteQueue::flush() {
  std::promise<Status> flushed;
  push({.run = [] {},
        .done =
            [&](const Status&) {
              const auto failure = std::exchange(failure_, std::nullopt);
              flushed.set_value(failure ? Status(*failure) : Status());
            }});
  return flushed.get_future().get();
}

void WriteQueue::work() {
  for (;;) {
    std::vector<Write> writes;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_closing_ || !queued_.empty(); });
      if (queued_.empty()) return;
      writes.swap(queued_);
    }
    const Status status = commit_(writes);
    is_failing_ = !status.ok();
    if (!status) ++failures_;
    if (!status && !failure_) failure_ = status.error();
    for (const Write& write : writes) write.done(status);
  }
}

}  // namespace stad::serving
