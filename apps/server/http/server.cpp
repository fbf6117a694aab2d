#include "server/http/server.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "server/http/connection.hpp"

namespace stad::server {
namespace {

constexpr auto kCloseTimeout = std::chrono::seconds(10);  // for requests in flight when the server ends
constexpr auto kIdleCloseTimeout = 2 * kLinger;           // for the other connections
/// Of TLS 1.2: forward secrecy and authenticated encryption. TLS 1.3 has no others.
constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

void check_readable(const char* setting, const std::string& path) {
  const std::ifstream file(path);
  if (!file) reject(400, fmt::format("{} is '{}', which cannot be read: {}", setting, path, std::strerror(errno)));
}

}  // namespace

struct HttpServer::Parts {
  ConnectionContext context;
  std::vector<std::unique_ptr<asio::io_context>> contexts;  ///< one a thread
  std::vector<std::thread> threads;
  std::optional<asio::basic_socket_acceptor<tcp, Executor>> acceptor;
  std::size_t next = 0;  ///< context of the next connection

  Parts(const HttpSettings& settings, const Tokens& tokens, Metrics& metrics)
      : context{.settings = settings, .admission = Admission(tokens, settings.origins), .metrics = metrics} {}

  void open(Routes& routes) {
    context.routes = &routes;
    const HttpSettings& settings = context.settings;
    if (!settings.certificate.empty()) load_certificate();
    for (int i = 0; i < settings.threads; ++i) contexts.push_back(std::make_unique<asio::io_context>(1));
    ErrorCode error;
    const auto address = asio::ip::make_address(settings.address, error);
    if (error) reject(400, fmt::format("listen is '{}', must be an address and a port", settings.address));
    const tcp::endpoint endpoint(address, settings.port);
    acceptor.emplace(contexts[0]->get_executor());
    acceptor->open(endpoint.protocol(), error);
    if (!error) acceptor->set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor->bind(endpoint, error);
    if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
    if (error) reject(503, fmt::format("cannot listen on {}:{}: {}", settings.address, settings.port, error.message()));
    asio::co_spawn(contexts[0]->get_executor(), accept(), asio::detached);
    for (auto& thread_context : contexts)
      threads.emplace_back([&thread_context] {
        const auto guard = asio::make_work_guard(*thread_context);
        thread_context->run();
      });
  }

  void load_certificate() {
    ErrorCode error;
    context.tls.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                            asio::ssl::context::no_tlsv1_1);
    if (SSL_CTX_set_cipher_list(context.tls.native_handle(), kCiphers) != 1)
      reject(503, fmt::format("OpenSSL has none of the ciphers {}", kCiphers));
    const auto& [certificate, key] = std::tie(context.settings.certificate, context.settings.key);
    check_readable("certificate", certificate);
    check_readable("key", key);
    context.tls.use_certificate_chain_file(certificate, error);
    if (error) reject(400, fmt::format("certificate is '{}', must be a PEM file: {}", certificate, error.message()));
    context.tls.use_private_key_file(key, asio::ssl::context::pem, error);
    if (error)
      reject(400, fmt::format("key is '{}', must be the PEM file of the certificate's key: {}", key, error.message()));
  }

  Awaitable<void> accept() {
    while (!context.is_closing) {
      auto& thread_context = *contexts[next++ % contexts.size()];
      ErrorCode error;
      asio::basic_stream_socket<tcp, Executor> socket(thread_context.get_executor());
      co_await acceptor->async_accept(socket, into(error));
      if (error == asio::error::operation_aborted) co_return;
      if (error) {  // no more file descriptors: accepted connections continue
        Timer pause(contexts[0]->get_executor(), std::chrono::milliseconds(100));
        co_await pause.async_wait(into(error));
        continue;
      }
      socket.set_option(tcp::no_delay(true), error);
      begin(thread_context, std::move(socket));
    }
  }

  void begin(asio::io_context& thread_context, asio::basic_stream_socket<tcp, Executor> socket) {
    PlainStream stream(std::move(socket));
    const auto serve = [&](auto connection) {
      asio::co_spawn(
          thread_context.get_executor(), [connection] { return connection->serve(); }, asio::detached);
    };
    if (context.settings.certificate.empty())
      serve(std::make_shared<HttpConnection<PlainStream>>(std::move(stream), context));
    else
      serve(std::make_shared<HttpConnection<TlsStream>>(TlsStream(std::move(stream), context.tls), context));
  }

  /// Readiness falls first; for the time `drain` requests are answered with Connection: close, on new connections as
  /// well. Then idle connections are closed, and requests in flight answered.
  void close() {
    using Clock = std::chrono::steady_clock;
    context.is_draining = true;
    context.routes->begin_shutdown();
    std::this_thread::sleep_for(context.settings.drain);
    context.is_closing = true;
    asio::post(*contexts[0], [this] { acceptor->close(); });
    context.open.close_idle();
    const auto start = Clock::now();
    const auto is_due = [&] {
      const bool is_busy = context.limits.http_in_flight > 0 && Clock::now() < start + kCloseTimeout;
      return !is_busy && (context.open.size() == 0 || Clock::now() > start + kIdleCloseTimeout);
    };
    while (!is_due()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (auto& thread_context : contexts) thread_context->stop();
    for (auto& thread : threads) thread.join();
  }
};

HttpServer::HttpServer(const HttpSettings& settings, const Tokens& tokens, Metrics& metrics) {
  ErrorCode error;
  const bool is_loopback = asio::ip::make_address(settings.address, error).is_loopback();
  if (!error && !is_loopback && tokens.empty())
    reject(400,
           fmt::format("listen is {}, which is not a loopback address: tokens are required (see stad serve --help)",
                       settings.address));
  if (settings.certificate.empty() != settings.key.empty())
    reject(400, settings.key.empty()
                    ? fmt::format("certificate is '{}', which requires key: name its PEM file", settings.certificate)
                    : fmt::format("key is '{}', which requires certificate: name its PEM file", settings.key));
  parts_ = std::make_unique<Parts>(settings, tokens, metrics);
}

HttpServer::~HttpServer() = default;

HttpServer::Listening HttpServer::listen(Routes& routes) {
  parts_->open(routes);
  return Listening(this);
}

void HttpServer::close() { parts_->close(); }

RequestLimits& HttpServer::limits() { return parts_->context.limits; }

unsigned short HttpServer::port() const { return parts_->acceptor->local_endpoint().port(); }

}  // namespace stad::server
