// Names of Asio and Beast, whose headers take half a minute to compile: to be included by server.cpp only.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include "server/http/coroutines.hpp"
#include "server/http/message.hpp"
#include "server/http/request_limits.hpp"

namespace stad::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

// A connection is bound to one thread and needs no lock.
using Executor = asio::io_context::executor_type;
template <typename T>
using Awaitable = asio::awaitable<T, Executor>;
using PlainStream = beast::basic_stream<tcp, Executor>;
using TlsStream = beast::ssl_stream<PlainStream>;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

inline auto into(ErrorCode& error) { return asio::redirect_error(asio::use_awaitable_t<Executor>(), error); }

/// A response that any thread sets and the thread of the connection awaits.
class AwaitedResponse : public std::enable_shared_from_this<AwaitedResponse> {
 public:
  explicit AwaitedResponse(const Executor& executor)
      : executor_(executor), timer_(executor, Timer::time_point::max()) {}

  void set(HttpResponse response) {
    {
      const std::scoped_lock lock(mutex_);
      response_ = std::move(response);
      if (!is_awaited_) return;
    }
    asio::post(executor_, [self = shared_from_this()] { self->timer_.cancel(); });
  }

  Awaitable<HttpResponse> get() {
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
