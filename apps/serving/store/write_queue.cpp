#include "serving/store/write_queue.hpp"

#include <future>
#include <utility>

#include <fmt/format.h>

namespace stad::serving {

WriteQueue::WriteQueue(LockedConnection& database, std::string path)
    : database_(database), path_(std::move(path)), thread_([this] { work(); }) {}

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
    const Status status = commit(writes);
    is_failing_ = !status.ok();
    if (!status && !failure_) failure_ = status.error();
    for (const Write& write : writes) write.done(status);
  }
}

Status WriteQueue::commit(const std::vector<Write>& writes) {
  const std::lock_guard lock(database_.mutex);
  try {
    Transaction transaction(database_.connection, Transaction::Kind::kWrite);
    for (const Write& write : writes) write.run();
    transaction.commit();
    return {};
  } catch (const std::exception& error) {
    if (is_corruption(error)) is_corrupt_ = true;
    return database_failure(path_, error);
  }
}

bool is_corruption(const std::exception& error) {
  const auto* database = dynamic_cast<const DatabaseError*>(&error);
  return database != nullptr && database->corrupt();
}

Error database_failure(const std::string& path, const std::exception& error) {
  const char* advice = is_corruption(error) ? "; put a backup in its place" : "";
  return failed(fmt::format("{}: {}{}", path, error.what(), advice));
}

}  // namespace stad::serving
