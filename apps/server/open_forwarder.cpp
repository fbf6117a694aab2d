#include "server/open_forwarder.hpp"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "cluster/client/request_reply.hpp"
#include "serving/log.hpp"

namespace stad::server {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{250};  // between attempts, doubled each time
constexpr milliseconds kLongestPause{8000};

/// Connects to the cluster, in the background where the first attempt fails: the service may start before the NATS
/// servers.
/// Requests are answered with 503 until then.
class ConnectingForwarder : public Forwarder {
 public:
  using Connect = std::function<std::unique_ptr<Forwarder>()>;

  /// @param connect throws NatsError
  explicit ConnectingForwarder(Connect connect) : connect_(std::move(connect)) {
    if (!try_to_connect()) thread_ = std::thread([this] { run(); });
  }
  ~ConnectingForwarder() override {
    {
      const std::scoped_lock lock(mutex_);
      is_ending_ = true;
    }
    ending_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  std::string obstacle() const override {
    const auto connected = current();
    return connected ? connected->obstacle() : "the NATS servers cannot be reached";
  }

  void forward(ForwardedRequest request, std::function<void(InferOutcome)> done) override {
    if (const auto connected = current()) return connected->forward(std::move(request), std::move(done));
    done(
        http_error(503, "the NATS servers cannot be reached; the service keeps trying to connect: repeat the request"));
  }

 private:
  std::shared_ptr<Forwarder> current() const {
    const std::scoped_lock lock(mutex_);
    return connected_;
  }

  void run() {
    milliseconds pause = kFirstPause;
    do {
      std::unique_lock lock(mutex_);
      if (ending_.wait_for(lock, pause, [&] { return is_ending_; })) return;
      pause = std::min(2 * pause, kLongestPause);
    } while (!try_to_connect());
    log(LogLevel::kInfo, "connected to the NATS servers");
  }

  bool try_to_connect() {
    try {
      std::shared_ptr<Forwarder> connected = connect_();
      const std::scoped_lock lock(mutex_);
      connected_ = std::move(connected);
      return true;
    } catch (const stad::cluster::NatsError& error) {
      log(LogLevel::kWarning, "the NATS servers cannot be reached; trying again", {{"reason", error.what()}});
      return false;
    }
  }

  const Connect connect_;
  mutable std::mutex mutex_;
  std::condition_variable ending_;
  bool is_ending_ = false;
  std::shared_ptr<Forwarder> connected_;  ///< null: not yet
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Forwarder> open_forwarder(const Settings& settings) {
  const auto is_clustered = [](const ConfiguredModel& model) { return model.specification.is_clustered; };
  if (std::ranges::none_of(settings.models, is_clustered)) return nullptr;
  const ClusterSettings& cluster = settings.cluster;
  return std::make_unique<ConnectingForwarder>(
      [nats = stad::cluster::NatsSettings{cluster.nats, cluster.credentials, cluster.authority},
       timeout = settings.http.request_timeout,
       lease = cluster.lease] { return std::make_unique<stad::cluster::RequestReply>(nats, timeout, lease); });
}

}  // namespace stad::server
