#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>

#include "base/flush_subnormals.hpp"

namespace stad {
namespace {

/// Fixed set of threads that process the items of one job at a time, together with the calling thread.
class ThreadPool {
 public:
  /// Starts fewer workers if the system refuses some.
  explicit ThreadPool(int workers) {
    try {
      for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work_on_jobs(); });
    } catch (const std::system_error&) {
    }
  }

  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    job_available_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void run(Index count, FunctionRef<void(Index)> work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      count_ = count;
      next_ = 0;
      active_ = threads_.size();
      ++job_;
    }
    job_available_.notify_all();
    process_items();
    std::unique_lock lock(mutex_);
    job_done_.wait(lock, [this] { return active_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void process_items() {
    for (Index i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
      try {
        (*work_)(i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
  }

  void work_on_jobs() {
    const FlushSubnormals flush;
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      job_available_.wait(lock, [&] { return closing_ || job_ != seen; });
      if (closing_) return;
      seen = job_;
      lock.unlock();
      process_items();
      lock.lock();
      if (--active_ == 0) job_done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable job_available_;
  std::condition_variable job_done_;
  std::vector<std::thread> threads_;
  const FunctionRef<void(Index)>* work_ = nullptr;
  Index count_ = 0;
  std::atomic<Index> next_{0};
  std::size_t active_ = 0;
  std::uint64_t job_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
};

std::atomic<int> thread_count{1};
std::mutex pool_mutex;
std::unique_ptr<ThreadPool> pool;
thread_local bool inside_item = false;

/// A forked child has the pool object but not its threads, which it can neither wait for nor join. It leaks the pool,
/// creates a new one on demand, and reinitialises the mutex, which a thread of the parent may have held.
void abandon_pool_after_fork() {
  static_cast<void>(pool.release());
  std::construct_at(&pool_mutex);
}

[[maybe_unused]] const int kForkHandler = pthread_atfork(nullptr, nullptr, &abandon_pool_after_fork);

void run_in_place(Index count, FunctionRef<void(Index)> work) {
  for (Index i = 0; i < count; ++i) work(i);
}

}  // namespace

void set_threads(int count) {
  const std::lock_guard lock(pool_mutex);
  thread_count = std::max(1, count);
  pool = thread_count > 1 ? std::make_unique<ThreadPool>(thread_count - 1) : nullptr;
}

int threads() { return thread_count; }

void parallel_for(Index count, FunctionRef<void(Index)> work) {
  const FlushSubnormals flush;  // results must not depend on which thread computes an item
  if (count <= 1 || inside_item || thread_count == 1) return run_in_place(count, work);
  const std::unique_lock lock(pool_mutex, std::try_to_lock);
  if (!lock) return run_in_place(count, work);
  if (!pool) pool = std::make_unique<ThreadPool>(thread_count - 1);  // after a fork
  pool->run(count, [&work](Index i) {
    inside_item = true;
    struct Reset {
      ~Reset() { inside_item = false; }
    } reset;
    work(i);
  });
}

namespace {

constexpr Index kParallelThreshold = Index{1} << 19;  // multiplications, about 20 microseconds

}  // namespace

void parallel_for_runs(Index count, Index cost, FunctionRef<void(Index, Index)> work) {
  constexpr Index kMultiple = 8;  // whole vectors of the product kernels
  const Index items = std::max<Index>(1, kParallelThreshold / std::max<Index>(1, cost));
  parallel_for_runs_of((items + kMultiple - 1) / kMultiple * kMultiple, count, cost, work);
}

void parallel_for_runs_of(Index length, Index count, Index cost, FunctionRef<void(Index, Index)> work) {
  const Index runs = (count + length - 1) / length;
  const auto run = [&](Index i) { work(i * length, std::min(length, count - i * length)); };
  if (count * cost > kParallelThreshold) return parallel_for(runs, run);
  for (Index i = 0; i < runs; ++i) run(i);
}

}  // namespace stad
