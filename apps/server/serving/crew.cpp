#include "server/serving/crew.hpp"

#include <utility>

namespace stad::server {

Crew::Crew(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

void Crew::close() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_)
    if (thread.joinable()) thread.join();
}

void Crew::run_at(Clock::time_point due, Work work) {
  {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(due, std::move(work));
  }
  changed_.notify_one();
}

void Crew::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    const bool is_due = !waiting_.empty() && waiting_.begin()->first <= Clock::now();
    if (is_due) {
      const Work work = std::move(waiting_.extract(waiting_.begin()).mapped());
      lock.unlock();
      work();
      lock.lock();
    } else if (closing_) {
      return;
    } else if (waiting_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, Clock::time_point(waiting_.begin()->first));
    }
  }
}

}  // namespace stad::server
