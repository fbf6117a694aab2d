#include "server/http/server.hpp"

#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "server/http/connection.hpp"

namespace stad::server {
namespace {

constexpr auto kCloseTimeout = std::chrono::seconds(10);  // for requests in flight when the server ends

}  // namespace

struct HttpServer::Parts {
  ConnectionContext context;
  std::vector<std::unique_ptr<asio::io_context>> contexts;  ///< one a thread
  std::vector<std::thread> threads;
  std::optional<asio::basic_socket_acceptor<tcp, Executor>> acceptor;
  std::size_t next = 0;  ///< context of the next connection

  Parts(const HttpSettings& settings, const Tokens& tokens, Metrics& metrics)
      : context{.settings = settings, .authorizer = Authorizer(tokens, settings.origins), .metrics = metrics} {}

  void open(Routes& routes) {
    context.routes = &routes;
    const HttpSettings& settings = context.settings;
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
    if (!settings.certificate.empty()) load_certificate();
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
    context.tls.use_certificate_chain_file(context.settings.certificate, error);
    if (error) reject(400, fmt::format("certificate {}: {}", context.settings.certificate, error.message()));
    context.tls.use_private_key_file(context.settings.key, asio::ssl::context::pem, error);
    if (error) reject(400, fmt::format("key {}: {}", context.settings.key, error.message()));
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

  /// Answers requests in flight; closes idle connections.
  void close() {
    context.is_closing = true;
    asio::post(*contexts[0], [this] { acceptor->close(); });
    const auto deadline = std::chrono::steady_clock::now() + kCloseTimeout;
    while (context.in_flight > 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
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
    reject(400, "certificate requires key, and key requires certificate");
  parts_ = std::make_unique<Parts>(settings, tokens, metrics);
}

HttpServer::~HttpServer() = default;

HttpServer::Listening HttpServer::listen(Routes& routes) {
  parts_->open(routes);
  return Listening(this);
}

void HttpServer::close() { parts_->close(); }

unsigned short HttpServer::port() const { return parts_->acceptor->local_endpoint().port(); }

}  // namespace stad::server
