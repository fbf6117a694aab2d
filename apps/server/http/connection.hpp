#pragma once

#include <atomic>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "server/http/awaited_response.hpp"
#include "server/http/coroutines.hpp"
#include "server/http/event_feed.hpp"
#include "server/http/gate.hpp"
#include "server/http/routes.hpp"
#include "server/http/server.hpp"
#include "server/telemetry/log.hpp"

namespace stad::server {

/// What all connections share.
struct Shared {
  const HttpSettings settings;
  const Gate gate;
  Metrics& metrics;
  Routes* routes = nullptr;  ///< while it listens
  asio::ssl::context tls{asio::ssl::context::tls_server};
  std::atomic<std::int64_t> in_flight{0};
  std::atomic<std::int64_t> connections{0};
  std::atomic<std::int64_t> body_bytes{0};  ///< of requests that are being read or answered
  std::atomic<bool> is_closing{false};
};

/// Counts while it lives.
class Counted {
 public:
  explicit Counted(std::atomic<std::int64_t>& count, std::int64_t amount = 1)
      : count_(count), amount_(amount), value_(count += amount) {}
  ~Counted() { count_ -= amount_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  std::int64_t value() const { return value_; }

 private:
  std::atomic<std::int64_t>& count_;
  std::int64_t amount_;
  std::int64_t value_;
};

inline constexpr auto kHeartBeat = std::chrono::seconds(15);  // of an event stream nothing happens on
inline constexpr auto kLinger = std::chrono::seconds(1);      // for a client to read a refusal before it has sent all
inline constexpr std::int64_t kBodiesAtOnce = 16;             // of the largest size, in memory
inline constexpr std::size_t kIgnoredBody = 4096;             // some clients send a few bytes where none are wanted

/// One connection, request after request.
template <typename Stream>
class Connection {
 public:
  Connection(Stream stream, Shared& shared) : stream_(std::move(stream)), shared_(shared), count_(shared.connections) {
    shared_.metrics.tell_connections(shared_.connections);
  }
  ~Connection() { shared_.metrics.tell_connections(shared_.connections - 1); }

  Task<void> serve() {
    if (count_.value() > shared_.settings.max_connections) co_return;
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      ErrorCode error;
      lowest().expires_after(shared_.settings.request_timeout);
      co_await stream_.async_handshake(asio::ssl::stream_base::server, into(error));
      if (error) co_return;
    }
    // Awaits stand alone, in no condition: with those g++ 12 loses its way out of a loop.
    for (bool goes_on = true; goes_on && !shared_.is_closing;) {
      goes_on = co_await wait_for_bytes();
      if (goes_on) goes_on = co_await serve_one();
    }
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      ErrorCode error;
      lowest().expires_after(kLinger);
      co_await stream_.async_shutdown(into(error));
    }
    co_await linger();
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Message = http::request<http::string_body>;

  /// A request of somebody who may ask.
  struct Received {
    Message message;
    Caller caller;
    std::string shared_with;  ///< the origin that may read the answer; empty: only our own
  };

  static std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }
  static std::string_view path_of(const http::request_header<>& header) {
    const auto target = view(header.target());
    return target.substr(0, target.find('?'));
  }

  /// Who closes on bytes that were not read takes the answer away from the client, too.
  Task<void> linger() {
    ErrorCode error;
    lowest().socket().shutdown(tcp::socket::shutdown_send, error);
    lowest().expires_after(kLinger);
    while (!error) {
      buffer_.clear();
      co_await lowest().async_read_some(buffer_.prepare(64 << 10), into(error));
    }
  }

  PlainStream& lowest() { return beast::get_lowest_layer(stream_); }

  /// A client may keep a connection open in silence for longer than a request may take to arrive.
  Task<bool> wait_for_bytes() {
    if (buffer_.size() > 0) co_return true;
    lowest().expires_after(shared_.settings.idle_timeout);
    ErrorCode error;
    const std::size_t size = co_await stream_.async_read_some(buffer_.prepare(16 << 10), into(error));
    buffer_.commit(size);
    co_return !error;
  }

  /// False: the connection ends here.
  Task<bool> serve_one() {
    const auto start = Clock::now();
    auto received = co_await receive(start);
    if (!received) co_return false;
    flight_.emplace(shared_.in_flight);
    Message& message = received->message;
    const bool keep_alive = message.keep_alive() && !shared_.is_closing;
    HttpResponse response = co_await answer(message, std::move(received->caller));
    if (!received->shared_with.empty()) share(response, received->shared_with);
    tell(message, response.status, Clock::now() - start);
    const bool goes_on =
        co_await write(std::move(response), keep_alive, message.version(), message.method() == http::verb::head);
    flight_.reset();
    body_.reset();
    co_return goes_on;
  }

  /// None: who asks may not, or what came cannot be read; that was answered.
  Task<std::optional<Received>> receive(Clock::time_point start) {
    lowest().expires_after(shared_.settings.request_timeout);
    http::request_parser<http::string_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(shared_.settings.max_header));
    parser.body_limit(shared_.settings.max_body);
    ErrorCode error;
    co_await http::async_read_header(stream_, buffer_, parser, into(error));
    if (error) co_return co_await complain(error, shared_.settings.max_body);

    const auto& header = parser.get();
    Gate::Verdict verdict = shared_.gate.judge(peer_facts(header));
    if (verdict.response) {
      tell(header, verdict.response->status, Clock::now() - start);
      co_await write(*std::move(verdict.response), false, header.version(), false);
      co_return std::nullopt;
    }
    const std::string shared_with(verdict.shared_with);
    const std::size_t limit = verdict.takes_body ? shared_.settings.max_body : kIgnoredBody;
    parser.body_limit(limit);
    const auto size = parser.content_length().value_or(parser.chunked() ? limit : 0);
    if (size > limit) co_return co_await complain(http::error::body_limit, limit);
    body_.emplace(shared_.body_bytes, static_cast<std::int64_t>(size));
    if (body_->value() > kBodiesAtOnce * static_cast<std::int64_t>(shared_.settings.max_body))
      co_return co_await turn_away(error_response(429, "too many large requests are being read; try again"));
    if (view(header[http::field::expect]) == "100-continue") {
      http::response<http::empty_body> go_on(http::status::continue_, header.version());
      co_await http::async_write(stream_, go_on, into(error));
      if (error) co_return std::nullopt;
    }
    co_await http::async_read(stream_, buffer_, parser, into(error));
    if (error) co_return co_await complain(error, limit);
    co_return Received{parser.release(), std::move(verdict.caller), shared_with};
  }

  void tell(const http::request_header<>& header, int status, std::chrono::duration<double> taken) {
    shared_.metrics.count_request(Routes::family(path_of(header)), status, taken.count());
    const LogLevel level = status >= 500 ? LogLevel::kWarning : LogLevel::kDebug;
    if (!is_logged(level)) return;
    log(level, "request",
        {{"method", std::string(view(header.method_string()))},
         {"path", std::string(path_of(header))},
         {"status", std::to_string(status)},
         {"id", std::string(view(header["X-Request-Id"]))},
         {"seconds", fmt::format("{:.6f}", taken.count())}});
  }

  static PeerFacts peer_facts(const http::request_header<>& header) {
    return {.method = view(header.method_string()),
            .path = path_of(header),
            .host = view(header[http::field::host]),
            .origin = view(header[http::field::origin]),
            .authorization = view(header[http::field::authorization])};
  }

  Task<HttpResponse> answer(Message& message, Caller caller) {
    if (flight_->value() > shared_.settings.max_in_flight)
      co_return error_response(429, "too many requests are being answered; try again");
    HttpRequest request;
    const auto target = view(message.target());
    const auto question = std::min(target.find('?'), target.size());
    request.method = view(message.method_string());
    if (message.method() == http::verb::head) request.method = "GET";
    request.path = target.substr(0, question);
    request.query = target.substr(std::min(question + 1, target.size()));
    request.idempotency_key = view(message["Idempotency-Key"]);
    request.takes_gzip = view(message[http::field::accept_encoding]).find("gzip") != std::string_view::npos;
    request.body = std::move(message.body());
    request.caller = std::move(caller);
    if (const auto length = view(message["Inference-Header-Content-Length"]); !length.empty()) {
      std::size_t value = 0;
      const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), value);
      if (error != std::errc() || end != length.data() + length.size())
        co_return error_response(400, fmt::format("Inference-Header-Content-Length is '{}', must be a number", length));
      request.json_length = value;
    }
    const auto awaited = std::make_shared<AwaitedResponse>(lowest().get_executor());
    shared_.routes->answer(std::move(request),
                           [awaited](HttpResponse response) { awaited->give(std::move(response)); });
    co_return co_await awaited->get();
  }

  /// A page of that origin may read the answer, and where its JSON ends.
  static void share(HttpResponse& response, const std::string& origin) {
    response.headers.emplace_back("Access-Control-Allow-Origin", origin);
    response.headers.emplace_back("Access-Control-Expose-Headers", "Inference-Header-Content-Length");
    response.headers.emplace_back("Vary", "Origin");
  }

  /// What Beast could not read. A connection that simply ended is told nothing.
  Task<std::optional<Received>> complain(ErrorCode error, std::size_t body_limit) {
    HttpResponse response;
    if (error == http::error::body_limit)
      response = error_response(413, fmt::format("the body is larger than {} bytes", body_limit));
    else if (error == http::error::header_limit)
      response = error_response(431, fmt::format("the header is larger than {} bytes", shared_.settings.max_header));
    else if (error.category() == make_error_code(http::error::bad_method).category() &&
             error != http::error::end_of_stream && error != http::error::partial_message)
      response = error_response(400, "this is not HTTP: " + error.message());
    else
      co_return std::nullopt;
    co_return co_await turn_away(std::move(response));
  }

  /// Before all of the request was read, so that nothing can follow it.
  Task<std::optional<Received>> turn_away(HttpResponse response) {
    shared_.metrics.count_request("refused", response.status, 0);
    co_await write(std::move(response), false, 11, false);
    co_return std::nullopt;
  }

  Task<bool> write(HttpResponse response, bool keep_alive, unsigned version, bool head_only) {
    http::response<http::string_body> message(static_cast<http::status>(response.status), version);
    message.set(http::field::content_type, response.content_type);
    for (const auto& [name, value] : response.headers) message.set(name, value);
    if (response.json_length) message.set("Inference-Header-Content-Length", std::to_string(*response.json_length));
    lowest().expires_after(shared_.settings.request_timeout);
    ErrorCode error;
    if (response.feed && !head_only) {
      message.keep_alive(false);
      http::response_serializer<http::string_body> serializer(message);
      co_await http::async_write_header(stream_, serializer, into(error));
      if (!error) co_await write_events(*response.feed);
      co_return false;
    }
    message.keep_alive(keep_alive);
    const std::size_t size = response.body.size();
    if (!head_only) message.body() = std::move(response.body);
    message.content_length(size);
    co_await http::async_write(stream_, message, into(error));
    co_return !error && keep_alive;
  }

  Task<void> write_events(EventFeed& feed) {
    flight_.reset();  // nobody waits for its end
    const auto timer = std::make_shared<Timer>(lowest().get_executor());
    const auto executor = lowest().get_executor();
    feed.on_news([executor, timer] { asio::post(executor, [timer] { timer->cancel(); }); });
    const std::shared_ptr<EventFeed> quiet(&feed, [](EventFeed* ended) { ended->on_news({}); });  // however this ends
    while (!shared_.is_closing && !feed.is_overfull()) {
      std::string news = feed.take();
      if (news.empty()) {
        timer->expires_after(kHeartBeat);
        ErrorCode woken;
        co_await timer->async_wait(into(woken));
        news = feed.take();
        if (news.empty()) news = ": still here\n\n";
      }
      lowest().expires_after(shared_.settings.request_timeout);
      ErrorCode error;
      co_await asio::async_write(stream_, asio::buffer(news), into(error));
      if (error) break;
    }
  }

  Stream stream_;
  Shared& shared_;
  Counted count_;
  std::optional<Counted> flight_;  ///< while a request is being answered
  std::optional<Counted> body_;    ///< while its body is in memory
  beast::flat_buffer buffer_;
};

}  // namespace stad::server
