#include "server/http/server.hpp"

#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "server/http/connection.hpp"
#include "server/refusal.hpp"

namespace stad::server {
namespace {

constexpr auto kLastAnswers = std::chrono::seconds(10);  // time to finish when the server ends

}  // namespace

struct HttpServer::Parts {
  Shared shared;
  std::vector<std::unique_ptr<asio::io_context>> contexts;  ///< one a thread
  std::vector<std::thread> threads;
  std::optional<asio::basic_socket_acceptor<tcp, Executor>> acceptor;
  std::size_t next = 0;  ///< context of the next connection

  Parts(const HttpSettings& settings, const Tokens& tokens, Metrics& metrics)
      : shared{.settings = settings, .gate = Gate(tokens, settings.origins), .metrics = metrics} {}

  void open(Routes& routes) {
    shared.routes = &routes;
    const HttpSettings& settings = shared.settings;
    for (int i = 0; i < settings.threads; ++i) contexts.push_back(std::make_unique<asio::io_context>(1));
    ErrorCode error;
    const auto address = asio::ip::make_address(settings.address, error);
    if (error) refuse(400, fmt::format("listen is '{}', must be an address and a port", settings.address));
    const tcp::endpoint endpoint(address, settings.port);
    acceptor.emplace(contexts[0]->get_executor());
    acceptor->open(endpoint.protocol(), error);
    if (!error) acceptor->set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor->bind(endpoint, error);
    if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
    if (error) refuse(503, fmt::format("cannot listen on {}:{}: {}", settings.address, settings.port, error.message()));
    if (!settings.certificate.empty()) load_certificate();
    asio::co_spawn(contexts[0]->get_executor(), accept(), asio::detached);
    for (auto& context : contexts)
      threads.emplace_back([&context] {
        const auto guard = asio::make_work_guard(*context);
        context->run();
      });
  }

  void load_certificate() {
    ErrorCode error;
    shared.tls.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                           asio::ssl::context::no_tlsv1_1);
    shared.tls.use_certificate_chain_file(shared.settings.certificate, error);
    if (error) refuse(400, fmt::format("certificate {}: {}", shared.settings.certificate, error.message()));
    shared.tls.use_private_key_file(shared.settings.key, asio::ssl::context::pem, error);
    if (error) refuse(400, fmt::format("key {}: {}", shared.settings.key, error.message()));
  }

  Task<void> accept() {
    while (!shared.is_closing) {
      auto& context = *contexts[next++ % contexts.size()];
      ErrorCode error;
      asio::basic_stream_socket<tcp, Executor> socket(context.get_executor());
      co_await acceptor->async_accept(socket, into(error));
      if (error == asio::error::operation_aborted) co_return;
      if (error) {  // no more file descriptors: those who have one go on
        Timer pause(contexts[0]->get_executor(), std::chrono::milliseconds(100));
        co_await pause.async_wait(into(error));
        continue;
      }
      socket.set_option(tcp::no_delay(true), error);
      begin(context, std::move(socket));
    }
  }

  void begin(asio::io_context& context, asio::basic_stream_socket<tcp, Executor> socket) {
    PlainStream stream(std::move(socket));
    const auto serve = [&](auto connection) {
      asio::co_spawn(
          context.get_executor(), [connection] { return connection->serve(); }, asio::detached);
    };
    if (shared.settings.certificate.empty())
      serve(std::make_shared<Connection<PlainStream>>(std::move(stream), shared));
    else
      serve(std::make_shared<Connection<TlsStream>>(TlsStream(std::move(stream), shared.tls), shared));
  }

  /// Requests that have come are answered; connections that wait for one go no further.
  void close() {
    shared.is_closing = true;
    asio::post(*contexts[0], [this] { acceptor->close(); });
    const auto deadline = std::chrono::steady_clock::now() + kLastAnswers;
    while (shared.in_flight > 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (auto& context : contexts) context->stop();
    for (auto& thread : threads) thread.join();
  }
};

HttpServer::HttpServer(const HttpSettings& settings, const Tokens& tokens, Metrics& metrics) {
  ErrorCode error;
  const bool is_loopback = asio::ip::make_address(settings.address, error).is_loopback();
  if (!error && !is_loopback && tokens.empty())
    refuse(400, fmt::format("listen is {}, beyond this machine: tokens are required (see stad serve --help)",
                            settings.address));
  if (settings.certificate.empty() != settings.key.empty()) refuse(400, "certificate and key must be given together");
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
