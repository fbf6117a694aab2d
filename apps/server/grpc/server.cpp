#include "server/grpc/server.hpp"

#include <arpa/inet.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "common/error.hpp"
#include "server/grpc/call.hpp"

namespace stad::server {
namespace {

constexpr auto kCloseTimeout = std::chrono::seconds(10);  // for requests in flight when the server ends
/// For idle connections: some clients respond to the announced end after seconds only.
constexpr auto kIdleClose = std::chrono::seconds(1);
constexpr auto kCheckPeriod = std::chrono::seconds(1);  // of the calls that wait for a request
/// Bytes beyond those of requests that gRPC may hold: buffers of connections and responses.
constexpr std::size_t kBufferBytes = 64 << 20;

bool is_loopback(const std::string& address) {
  in_addr v4{};
  in6_addr v6{};
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  if (inet_pton(AF_INET6, address.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  reject(400, fmt::format("grpc is '{}', must be an address and a port", address));
}

std::string file_text(const char* setting, const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    reject(400, fmt::format("{} is '{}', which cannot be read: {}", setting, path, std::strerror(errno)));
  return text.str();
}

std::shared_ptr<grpc::ServerCredentials> credentials_of(const HttpSettings& settings) {
  if (settings.certificate.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options;
  options.pem_key_cert_pairs.push_back(
      {file_text("key", settings.key), file_text("certificate", settings.certificate)});
  return grpc::SslServerCredentials(options);
}

/// Messages of gRPC as lines of this service's log. They concern connections of clients; one a second is written.
void log_of_grpc(gpr_log_func_args* message) {
  static LogLimiter limiter;
  if (message->severity != GPR_LOG_SEVERITY_ERROR) return;
  if (const auto suppressed = limiter.admit())
    log(LogLevel::kWarning, "gRPC reports an error",
        {{"reason", message->message}, {"suppressed", std::to_string(*suppressed)}});
}

int milliseconds(std::chrono::seconds time) { return static_cast<int>(1000 * time.count()); }

void set_limits(grpc::ServerBuilder& builder, const HttpSettings& settings) {
  grpc::ResourceQuota quota("stad");
  quota.Resize(static_cast<std::size_t>(kParallelBodies) * settings.max_body + kBufferBytes);
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(static_cast<int>(std::min<std::size_t>(settings.max_body, INT32_MAX)));
  builder.SetMaxSendMessageSize(-1);  // the limits of requests bound responses
  // A compressed message may expand beyond max_body, which gRPC checks before it expands it.
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP})
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  const int streams = static_cast<int>(std::min<std::int64_t>(settings.max_in_flight, INT32_MAX));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, streams);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, static_cast<int>(settings.max_header));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, milliseconds(settings.idle_timeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, milliseconds(settings.idle_timeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, milliseconds(settings.request_timeout));
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, milliseconds(settings.request_timeout));
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // a second process must not share the port
}

class RunningGrpcServer : public GrpcServer, private grpc::CallbackGenericService {
 public:
  RunningGrpcServer(const Settings& settings, const Tokens& tokens, Metrics& metrics, RequestLimits& limits,
                    Service& service, Routes& routes)
      : context_{.settings = settings.http,
                 .tensors = settings.routes.tensors,
                 .tokens = tokens,
                 .metrics = metrics,
                 .limits = limits,
                 .service = service,
                 .routes = routes} {
    start();
    checker_ = std::thread([this] { check_calls(); });
  }

  ~RunningGrpcServer() override {
    {
      const std::scoped_lock lock(mutex_);
      context_.is_closing = true;
    }
    closing_.notify_all();
    checker_.join();
    const auto end = std::chrono::steady_clock::now() + kCloseTimeout;
    while (!context_.open.empty() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    server_->Shutdown(std::chrono::system_clock::now() + kIdleClose);
    server_->Wait();
  }

  unsigned short port() const override { return static_cast<unsigned short>(port_); }

 private:
  void start() {
    const GrpcAddress& place = *context_.settings.grpc;
    if (!is_loopback(place.address) && context_.tokens.empty())
      reject(400, fmt::format("grpc is {}, which is not a loopback address: tokens are required (see stad serve "
                              "--help)",
                              place.address));
    gpr_set_log_function(log_of_grpc);
    google::protobuf::SetLogHandler(nullptr);  // invalid messages of clients are answered, not logged
    const bool is_v6 = place.address.find(':') != std::string::npos;
    const std::string address =
        is_v6 ? fmt::format("[{}]:{}", place.address, place.port) : fmt::format("{}:{}", place.address, place.port);
    grpc::ServerBuilder builder;
    set_limits(builder, context_.settings);
    builder.AddListeningPort(address, credentials_of(context_.settings), &port_);
    builder.RegisterCallbackGenericService(this);
    server_ = builder.BuildAndStart();
    if (!server_ || port_ == 0) reject(503, fmt::format("cannot listen on {} for gRPC: see the log", address));
  }

  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* grpc) override {
    return GrpcCall::start(*grpc, context_);
  }

  /// Ends calls that wait too long, and all that wait when the server closes.
  void check_calls() {
    std::unique_lock lock(mutex_);
    while (!closing_.wait_for(lock, kCheckPeriod, [&] { return context_.is_closing.load(); }))
      context_.open.end_waiting(false);
    context_.open.end_waiting(true);
  }

  CallContext context_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  std::condition_variable closing_;
  std::thread checker_;
};

}  // namespace

std::unique_ptr<GrpcServer> serve_grpc(const Settings& settings, const Tokens& tokens, Metrics& metrics,
                                       RequestLimits& limits, Service& service, Routes& routes) {
  return std::make_unique<RunningGrpcServer>(settings, tokens, metrics, limits, service, routes);
}

}  // namespace stad::server
