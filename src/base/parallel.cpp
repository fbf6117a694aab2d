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

/// A fixed crew that takes pieces of one job at a time.
class Crew {
 public:
  /// As many helpers as the system grants.
  explicit Crew(int helpers) {
    try {
      for (int i = 0; i < helpers; ++i) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
    }
  }

  ~Crew() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void run(Index count, FunctionRef<void(Index)> work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      count_ = count;
      next_ = 0;
      active_ = threads_.size();
      ++job_;
    }
    wake_.notify_all();
    take_pieces();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return active_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void take_pieces() {
    for (Index i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
      try {
        (*work_)(i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
  }

  void serve() {
    const FlushSubnormals flush;
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return closing_ || job_ != seen; });
      if (closing_) return;
      seen = job_;
      lock.unlock();
      take_pieces();
      lock.lock();
      if (--active_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
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
std::mutex crew_mutex;
std::unique_ptr<Crew> crew;
thread_local bool inside_piece = false;

/// A forked child has the crew but not its threads: it can neither wait for them nor join them. It leaves the crew
/// where it is and makes its own when it needs one; the mutex may have been held by a thread that is not there either.
void leave_crew_to_the_parent() {
  static_cast<void>(crew.release());
  std::construct_at(&crew_mutex);
}

[[maybe_unused]] const int at_fork = pthread_atfork(nullptr, nullptr, &leave_crew_to_the_parent);

void run_in_place(Index count, FunctionRef<void(Index)> work) {
  for (Index i = 0; i < count; ++i) work(i);
}

}  // namespace

void set_threads(int count) {
  const std::lock_guard lock(crew_mutex);
  thread_count = std::max(1, count);
  crew = thread_count > 1 ? std::make_unique<Crew>(thread_count - 1) : nullptr;
}

int threads() { return thread_count; }

void parallel_for(Index count, FunctionRef<void(Index)> work) {
  const FlushSubnormals flush;  // whichever thread takes a piece, it computes the same
  if (count <= 1 || inside_piece || thread_count == 1) return run_in_place(count, work);
  const std::unique_lock lock(crew_mutex, std::try_to_lock);
  if (!lock) return run_in_place(count, work);
  if (!crew) crew = std::make_unique<Crew>(thread_count - 1);  // after a fork
  crew->run(count, [&work](Index i) {
    inside_piece = true;
    struct Leave {
      ~Leave() { inside_piece = false; }
    } leave;
    work(i);
  });
}

namespace {

constexpr Index kWorthAThread = Index{1} << 19;  // multiplications: about 20 microseconds

}  // namespace

void parallel_for_runs(Index count, Index cost, FunctionRef<void(Index, Index)> work) {
  constexpr Index kMultiple = 8;  // whole vectors of the products' kernels
  const Index items = std::max<Index>(1, kWorthAThread / std::max<Index>(1, cost));
  parallel_for_runs_of((items + kMultiple - 1) / kMultiple * kMultiple, count, cost, work);
}

void parallel_for_runs_of(Index length, Index count, Index cost, FunctionRef<void(Index, Index)> work) {
  const Index runs = (count + length - 1) / length;
  const auto run = [&](Index i) { work(i * length, std::min(length, count - i * length)); };
  if (count * cost > kWorthAThread) return parallel_for(runs, run);
  for (Index i = 0; i < runs; ++i) run(i);
}

}  // namespace stad
