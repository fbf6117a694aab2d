#include "cluster/nats/connection.hpp"

#include <vector>

#include <fmt/format.h>

namespace stad::cluster {
namespace {

constexpr int kReconnectWait = 100;             // ms
constexpr int kPingInterval = 5'000;            // ms; the connection is closed after two unanswered pings
constexpr int kConnectTimeout = 3'000;          // ms
constexpr int kReplyTimeout = 3'000;            // ms
constexpr std::size_t kHeaderReserve = 4096;    // bytes; headers count towards the servers' limit
constexpr std::size_t kAddedHeaderBytes = 128;  // bytes that libnats adds to headers: the expected revision
constexpr std::size_t kMaxHeader = 65'000;      // bytes; the limit of JetStream is 64 KB

struct DestroyOptions {
  void operator()(natsOptions* options) const { natsOptions_Destroy(options); }
};
using OptionsPointer = std::unique_ptr<natsOptions, DestroyOptions>;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

OptionsPointer options_of(const NatsSettings& settings, const std::string& name) {
  natsOptions* made = nullptr;
  check_nats(natsOptions_Create(&made), "options of the connection");
  OptionsPointer options(made);
  const auto servers = split(settings.servers);
  std::vector<const char*> addresses;
  addresses.reserve(servers.size());
  for (const auto& server : servers) addresses.push_back(server.c_str());
  const std::string operation = "nats " + displayed_servers(settings.servers);
  check_nats(natsOptions_SetServers(made, addresses.data(), static_cast<int>(addresses.size())), operation);
  check_nats(natsOptions_SetName(made, name.c_str()), operation);
  check_nats(natsOptions_SetTimeout(made, kConnectTimeout), operation);
  check_nats(natsOptions_SetMaxReconnect(made, -1), operation);
  check_nats(natsOptions_SetReconnectWait(made, kReconnectWait), operation);
  check_nats(natsOptions_SetPingInterval(made, kPingInterval), operation);
  // Messages are sent at once or fail: a buffered one could be sent when it is no longer valid.
  check_nats(natsOptions_SetSendAsap(made, true), operation);
  check_nats(natsOptions_SetReconnectBufSize(made, 1), operation);
  if (!settings.credentials.empty())
    check_nats(natsOptions_SetUserCredentialsFromFiles(made, settings.credentials.c_str(), nullptr),
               "credentials " + settings.credentials);
  if (!settings.authority.empty()) {
    check_nats(natsOptions_SetSecure(made, true), operation);
    check_nats(natsOptions_LoadCATrustedCertificates(made, settings.authority.c_str()),
               "authority " + settings.authority);
  }
  return options;
}

/// "nats://user:password@host" as "nats://host".
std::string without_user(const std::string& server) {
  const auto at = server.rfind('@');
  if (at == std::string::npos) return server;
  const auto scheme = server.find("://");
  return (scheme == std::string::npos ? "" : server.substr(0, scheme + 3)) + server.substr(at + 1);
}

void handle_message(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
  (*static_cast<Subscription::Handler*>(closure))(Delivery(MessagePointer(message)));
}

}  // namespace

std::string displayed_servers(const std::string& servers) {
  std::string shown;
  for (const auto& server : split(servers)) shown += (shown.empty() ? "" : ",") + without_user(server);
  return shown;
}

NatsConnection::NatsConnection(const NatsSettings& settings, const std::string& name) {
  const OptionsPointer options = options_of(settings, name);
  check_nats(natsConnection_Connect(&connection_, options.get()), "nats " + displayed_servers(settings.servers));
  jsOptions jetstream_options;
  jsOptions_Init(&jetstream_options);
  jetstream_options.Wait = kReplyTimeout;
  check_nats(natsConnection_JetStream(&jetstream_, connection_, &jetstream_options),
             "JetStream of " + displayed_servers(settings.servers));
}

NatsConnection::~NatsConnection() {
  jsCtx_Destroy(jetstream_);
  natsConnection_Destroy(connection_);
}

bool NatsConnection::is_connected() const { return natsConnection_Status(connection_) == NATS_CONN_STATUS_CONNECTED; }

std::size_t NatsConnection::max_payload() const {
  return static_cast<std::size_t>(natsConnection_GetMaxPayload(connection_));
}

std::size_t NatsConnection::max_data() const {
  const std::size_t most = max_payload();
  return most > 2 * kHeaderReserve ? most - kHeaderReserve : most / 2;
}

bool NatsConnection::fits(const NatsMessage& message) const {
  const std::size_t headers = header_bytes(message) + kAddedHeaderBytes;
  return headers <= kMaxHeader && message.payload.size() + headers <= max_payload();
}

void NatsConnection::check_fits(const NatsMessage& message) const {
  if (!fits(message))
    throw NatsError(
        fmt::format("a message of {} bytes and {} of headers for {} exceeds the servers' limits: {} bytes in total "
                    "(max_payload), {} of headers",
                    message.payload.size(), header_bytes(message), message.subject, max_payload(), kMaxHeader));
}

std::optional<Delivery> NatsConnection::last_message(const std::string& stream, const std::string& subject) const {
  natsMsg* found = nullptr;
  auto code = static_cast<jsErrCode>(0);
  const natsStatus status = js_GetLastMsg(&found, jetstream_, stream.c_str(), subject.c_str(), nullptr, &code);
  if (status == NATS_NOT_FOUND) return std::nullopt;
  check_nats(status, "reading " + subject, code);
  return Delivery(MessagePointer(found));
}

void NatsConnection::send(const NatsMessage& message, const std::string& reply) const {
  check_fits(message);
  check_nats(natsConnection_PublishMsg(connection_, wire_message(message, reply).get()),
             "sending to " + message.subject);
}

Subscription::Subscription(const NatsConnection& connection, const std::string& subject, Handler handler)
    : handler_(std::make_unique<Handler>(std::move(handler))) {
  check_nats(
      natsConnection_Subscribe(&subscription_, connection.get(), subject.c_str(), handle_message, handler_.get()),
      "subscribing to " + subject);
}

Subscription::~Subscription() {
  // A last call of the handler may be running: it must end before the handler is destroyed.
  if (natsSubscription_Drain(subscription_) == NATS_OK) natsSubscription_WaitForDrainCompletion(subscription_, 1000);
  natsSubscription_Destroy(subscription_);
}

std::string new_inbox() {
  natsInbox* made = nullptr;
  check_nats(natsInbox_Create(&made), "an inbox");
  std::string inbox = made;
  natsInbox_Destroy(made);
  return inbox;
}

}  // namespace stad::cluster
