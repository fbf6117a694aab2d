#include "server/service/task_pool.hpp"

#include <utility>

namespace stad::server {

TaskPool::TaskPool(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run_thread(); });
}

void TaskPool::close() {
  {
    const std::scoped_lock lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_)
    if (thread.joinable()) thread.join();
}

void TaskPool::run_at(Clock::time_point due, Function function) {
  {
    const std::scoped_lock lock(mutex_);
    queued_.emplace(due, std::move(function));
  }
  changed_.notify_one();
}

void TaskPool::run_thread() {
  std::unique_lock lock(mutex_);
  while (true) {
    const bool is_due = !queued_.empty() && queued_.begin()->first <= Clock::now();
    if (is_due) {
      const Function function = std::move(queued_.extract(queued_.begin()).mapped());
      lock.unlock();
      function();
      lock.lock();
    } else if (is_closing_) {
      return;
    } else if (queued_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, Clock::time_point(queued_.begin()->first));
    }
  }
}

}  // namespace stad::server
