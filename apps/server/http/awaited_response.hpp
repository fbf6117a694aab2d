#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "server/http/coroutines.hpp"
#include "server/http/message.hpp"

namespace stad::server {

/// An answer that may be given by any thread, awaited by the connection's.
class AwaitedResponse : public std::enable_shared_from_this<AwaitedResponse> {
 public:
  explicit AwaitedResponse(Executor executor) : executor_(executor), timer_(executor, Timer::time_point::max()) {}

  void give(HttpResponse response) {
    {
      const std::scoped_lock lock(mutex_);
      response_ = std::move(response);
      if (!is_awaited_) return;
    }
    asio::post(executor_, [self = shared_from_this()] { self->timer_.cancel(); });
  }

  Task<HttpResponse> get() {
    {
      const std::scoped_lock lock(mutex_);
      if (response_) co_return *std::move(response_);
      is_awaited_ = true;
    }
    ErrorCode cancelled;
    co_await timer_.async_wait(into(cancelled));
    co_return *std::move(response_);
  }

 private:
  Executor executor_;
  Timer timer_;
  std::mutex mutex_;
  bool is_awaited_ = false;
  std::optional<HttpResponse> response_;
};

}  // namespace stad::server
