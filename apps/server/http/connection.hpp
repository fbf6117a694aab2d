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

#include "server/http/admission.hpp"
#include "server/http/body_reader.hpp"
#include "server/http/connection_context.hpp"
#include "server/http/content_coding.hpp"
#include "server/http/coroutines.hpp"
#include "server/http/event_feed.hpp"
#include "server/http/routes.hpp"
#include "server/http/server.hpp"
#include "serving/log.hpp"

namespace stad::server {

inline constexpr auto kHeartBeat = std::chrono::seconds(15);  // comment on an idle event stream
inline constexpr auto kLinger =
    std::chrono::seconds(1);                       // for a client to read an error before it has sent the whole request
inline constexpr std::size_t kIgnoredBody = 4096;  // bytes: some clients send a body where none is expected

inline constexpr std::int64_t kHealthConnections = 64;           // beyond max_connections, for /livez and /readyz alone
inline constexpr auto kHealthTimeout = std::chrono::seconds(5);  // of those connections

/// Serves the requests of one connection in order.
template <typename Socket>
class HttpConnection : public std::enable_shared_from_this<HttpConnection<Socket>> {
 public:
  HttpConnection(Socket stream, ConnectionContext& context)
      : stream_(std::move(stream)),
        context_(context),
        count_(context.connections),
        buffer_(buffer_limit(context.settings.max_header)) {
    context_.metrics.set_connections(context_.connections);
  }
  ~HttpConnection() {
    context_.open.remove(this);
    context_.metrics.set_connections(context_.connections - 1);
  }

  Awaitable<void> serve() {
    if (count_.value() > context_.settings.max_connections + kHealthConnections) co_return;
    context_.open.add(this, [executor = lowest().get_executor(), connection = this->weak_from_this()] {
      asio::post(executor, [connection] {
        if (const auto alive = connection.lock()) alive->close_if_idle();
      });
    });
    if constexpr (std::is_same_v<Socket, TlsStream>) {
      ErrorCode error;
      lowest().expires_after(request_timeout());
      co_await stream_.async_handshake(asio::ssl::stream_base::server, into(error));
      if (error) co_return;
    }
    // co_await is a statement of its own: in a condition of a loop g++ 12 miscompiles it.
    for (bool is_open = true; is_open && !context_.is_closing;) {
      is_open = co_await wait_for_bytes();
      if (is_open) is_open = co_await serve_one();
    }
    if constexpr (std::is_same_v<Socket, TlsStream>) {
      ErrorCode error;
      lowest().expires_after(kLinger);
      co_await stream_.async_shutdown(into(error));
    }
    co_await linger();
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Message = http::request<GrowingBody>;

  /// An authorized request.
  struct Received {
    Message message;
    RequestTarget target;  ///< refers to the message
    Caller caller;
    std::string allowed_origin;  ///< for the CORS headers of the answer; empty: same origin
  };

  /// Whether max_connections is exceeded: only health is answered.
  bool is_surplus() const { return count_.value() > context_.settings.max_connections; }
  std::chrono::seconds request_timeout() const {
    return is_surplus() ? kHealthTimeout : context_.settings.request_timeout;
  }

  /// Ends the wait for a further request, or for further events.
  void close_if_idle() {
    if (feed_timer_) feed_timer_->cancel();
    if (is_idle_) lowest().cancel();
  }

  static std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }
  static HeaderFields fields_of(const http::request_header<>& header) {
    return {.version = header.version(),
            .method = view(header.method_string()),
            .target = view(header.target()),
            .hosts = header.count(http::field::host),
            .host = view(header[http::field::host]),
            .transfer_encodings = header.count(http::field::transfer_encoding),
            .transfer_encoding = view(header[http::field::transfer_encoding]),
            .origin = view(header[http::field::origin]),
            .authorization = view(header[http::field::authorization])};
  }

  /// Reads the rest of the request before the socket is closed: closing with unread bytes would discard the answer.
  Awaitable<void> linger() {
    ErrorCode error;
    lowest().socket().shutdown(tcp::socket::shutdown_send, error);
    lowest().expires_after(kLinger);
    while (!error) {
      buffer_.clear();
      co_await lowest().async_read_some(buffer_.prepare(64 << 10), into(error));
    }
  }

  PlainStream& lowest() { return beast::get_lowest_layer(stream_); }

  /// Waits for the first byte of a request; the timeout is longer than that for a whole request.
  Awaitable<bool> wait_for_bytes() {
    if (buffer_.size() > 0) co_return true;
    lowest().expires_after(is_surplus() ? kHealthTimeout : context_.settings.idle_timeout);
    ErrorCode error;
    is_idle_ = true;
    const std::size_t size = co_await stream_.async_read_some(buffer_.prepare(16 << 10), into(error));
    is_idle_ = false;
    buffer_.commit(size);
    co_return !error;
  }

  /// Returns false where the connection must be closed.
  Awaitable<bool> serve_one() {
    const auto start = Clock::now();
    auto received = co_await receive(start);
    if (!received) co_return false;
    flight_.emplace(context_.limits.http_in_flight);
    Message& message = received->message;
    const bool keep_alive = message.keep_alive() && !context_.is_draining && !is_surplus();
    const std::string_view path = received->target.path;
    HttpResponse response = co_await answer(*received);
    compress(response, accepted_coding(view(message[http::field::accept_encoding])));
    if (!received->allowed_origin.empty()) allow_origin(response, received->allowed_origin);
    record(message, path, response.status, Clock::now() - start);
    const bool is_open =
        co_await write(std::move(response), keep_alive, message.version(), message.method() == http::verb::head);
    flight_.reset();
    body_.reset();
    co_return is_open;
  }

  /// None: the request was not allowed or could not be read, and was answered with an error.
  Awaitable<std::optional<Received>> receive(Clock::time_point start) {
    lowest().expires_after(request_timeout());
    RequestParser parser;
    parser.header_limit(static_cast<std::uint32_t>(context_.settings.max_header));
    parser.body_limit(context_.settings.max_body);
    ErrorCode error;
    co_await http::async_read_header(stream_, buffer_, parser, into(error));
    if (error) co_return co_await answer_error(error, context_.settings.max_body);

    const auto& header = parser.get();
    Admission::Decision decision = context_.admission.decide(fields_of(header), is_surplus());
    if (decision.response) {
      record(header, decision.target.path, decision.response->status, Clock::now() - start);
      co_await write(*std::move(decision.response), false, header.version(), false);
      co_return std::nullopt;
    }
    const std::string origin(decision.allowed_origin);
    const std::size_t limit = decision.takes_body ? context_.settings.max_body : kIgnoredBody;
    parser.body_limit(limit);
    if (parser.content_length().value_or(0) > limit) co_return co_await answer_error(http::error::body_limit, limit);
    body_.emplace(context_.limits.bodies, decision.caller.name);
    const bool is_open = co_await send_continue(header);
    if (!is_open) co_return std::nullopt;
    BodyOutcome outcome =
        co_await read_body(stream_, buffer_, parser, *body_, wire_limit(limit, context_.settings.max_header));
    if (outcome.rejection) co_return co_await answer_and_close(*std::move(outcome.rejection));
    if (outcome.error) co_return co_await answer_error(outcome.error, limit);
    co_return Received{parser.release(), std::move(decision.target), std::move(decision.caller), origin};
  }

  /// Sends 100 Continue where the client waits for it. Returns false where the connection failed.
  Awaitable<bool> send_continue(const http::request_header<>& header) {
    if (view(header[http::field::expect]) != "100-continue") co_return true;
    http::response<http::empty_body> proceed(http::status::continue_, header.version());
    ErrorCode error;
    co_await http::async_write(stream_, proceed, into(error));
    co_return !error;
  }

  void record(const http::request_header<>& header, std::string_view path, int status,
              std::chrono::duration<double> taken) {
    context_.metrics.count_request(family_of(path), status, taken.count());
    context_.log.add(status, taken, [&] {
      ErrorCode unknown;
      return LoggedRequest{.method = std::string(view(header.method_string())),
                           .path = std::string(path),
                           .id = std::string(view(header["X-Request-Id"])),
                           .address = lowest().socket().remote_endpoint(unknown).address().to_string()};
    });
  }

  Awaitable<HttpResponse> answer(Received& received) {
    if (flight_->value() + context_.limits.grpc_in_flight > context_.settings.max_in_flight)
      co_return error_response(429, "too many requests are being answered; try again");
    Message& message = received.message;
    HttpRequest request;
    request.method = view(message.method_string());
    if (message.method() == http::verb::head) request.method = "GET";
    request.target = std::move(received.target);
    request.content_type = view(message[http::field::content_type]);
    request.idempotency_key = view(message["Idempotency-Key"]);
    request.accepted = accepted_coding(view(message[http::field::accept_encoding]));
    request.body = std::move(message.body());
    const std::string_view coding = view(message[http::field::content_encoding]);
    if (auto rejection = decode_body(request.body, coding, context_.settings.max_body, *body_))
      co_return *std::move(rejection);
    request.caller = std::move(received.caller);
    if (const auto length = view(message["Inference-Header-Content-Length"]); !length.empty()) {
      std::size_t value = 0;
      const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), value);
      if (error != std::errc() || end != length.data() + length.size())
        co_return error_response(400, fmt::format("Inference-Header-Content-Length is '{}', must be a number", length));
      request.json_length = value;
    }
    const auto awaited = std::make_shared<AwaitedResponse>(lowest().get_executor());
    context_.routes->answer(std::move(request),
                            [awaited](HttpResponse response) { awaited->set(std::move(response)); });
    co_return co_await awaited->get();
  }

  /// Allows a page of that origin to read the answer and the length of its JSON.
  static void allow_origin(HttpResponse& response, const std::string& origin) {
    response.headers.emplace_back("Access-Control-Allow-Origin", origin);
    response.headers.emplace_back("Access-Control-Expose-Headers", "Inference-Header-Content-Length");
    response.headers.emplace_back("Vary", "Origin");
  }

  /// Answers a request that Beast could not read. A connection that was closed is not answered.
  Awaitable<std::optional<Received>> answer_error(ErrorCode error, std::size_t body_limit) {
    HttpResponse response;
    if (error == http::error::body_limit)
      response = error_response(413, fmt::format("the body is larger than {} bytes", body_limit));
    else if (error == http::error::buffer_overflow)
      response = error_response(
          413, fmt::format("a chunk extension or the trailers are larger than {} bytes", buffer_.max_size()));
    else if (error == http::error::header_limit)
      response = error_response(431, fmt::format("the header is larger than {} bytes", context_.settings.max_header));
    else if (error.category() == make_error_code(http::error::bad_method).category() &&
             error != http::error::end_of_stream && error != http::error::partial_message)
      response = error_response(400, "invalid HTTP: " + error.message());
    else
      co_return std::nullopt;
    co_return co_await answer_and_close(std::move(response));
  }

  /// Answers before the whole request was read; the connection is closed.
  Awaitable<std::optional<Received>> answer_and_close(HttpResponse response) {
    body_.reset();
    context_.metrics.count_request("refused", response.status, 0);
    co_await write(std::move(response), false, 11, false);
    co_return std::nullopt;
  }

  Awaitable<bool> write(HttpResponse response, bool keep_alive, unsigned version, bool head_only) {
    http::response<http::string_body> message(static_cast<http::status>(response.status), version);
    message.set(http::field::content_type, response.content_type);
    for (const auto& [name, value] : response.headers) message.insert(name, value);
    if (response.json_length) message.set("Inference-Header-Content-Length", std::to_string(*response.json_length));
    lowest().expires_after(context_.settings.request_timeout);
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

  Awaitable<void> write_events(EventFeed& feed) {
    flight_.reset();  // an event stream does not delay the end of the server
    const auto timer = feed_timer_ = std::make_shared<Timer>(lowest().get_executor());
    const auto executor = lowest().get_executor();
    feed.on_data([executor, timer] { asio::post(executor, [timer] { timer->cancel(); }); });
    const std::shared_ptr<EventFeed> reset(&feed, [](EventFeed* ended) { ended->on_data({}); });  // on every exit
    while (!context_.is_closing && !feed.is_overfull()) {
      std::string data = feed.take();
      if (data.empty()) {
        timer->expires_after(kHeartBeat);
        ErrorCode cancelled;
        co_await timer->async_wait(into(cancelled));
        data = feed.take();
        if (data.empty()) data = ": still here\n\n";
      }
      lowest().expires_after(context_.settings.request_timeout);
      ErrorCode error;
      co_await asio::async_write(stream_, asio::buffer(data), into(error));
      if (error) break;
    }
  }

  Socket stream_;
  ConnectionContext& context_;
  ScopedCount count_;
  std::optional<ScopedCount> flight_;      ///< while a request is being answered
  bool is_idle_ = false;                   ///< waits for the first byte of a request
  std::shared_ptr<Timer> feed_timer_;      ///< of an event stream, until its next event; null: no event stream
  std::optional<BodyBudget::Share> body_;  ///< while its body is in memory
  beast::flat_buffer buffer_;
};

}  // namespace stad::server
