#include "cluster/nats/connection.hpp"

#include <vector>

#include <fmt/format.h>

namespace stad::cluster {
namespace {

constexpr int kReconnectWait = 100;          // ms
constexpr int kPingInterval = 5'000;         // ms; two that stay unanswered end a connection
constexpr int kConnectTimeout = 3'000;       // ms
constexpr int kReplyTimeout = 3'000;         // ms
constexpr std::size_t kHeaderRoom = 4096;    // bytes; headers count against the servers' limit
constexpr std::size_t kAddedRoom = 128;      // bytes; what the library adds to headers: the revision that is expected
constexpr std::size_t kMostHeader = 65'000;  // bytes; JetStream takes 64 KB

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
  must(natsOptions_Create(&made), "options of the connection");
  OptionsPointer options(made);
  const auto servers = split(settings.servers);
  std::vector<const char*> addresses;
  for (const auto& server : servers) addresses.push_back(server.c_str());
  const std::string what = "nats " + shown_servers(settings.servers);
  must(natsOptions_SetServers(made, addresses.data(), static_cast<int>(addresses.size())), what);
  must(natsOptions_SetName(made, name.c_str()), what);
  must(natsOptions_SetTimeout(made, kConnectTimeout), what);
  must(natsOptions_SetMaxReconnect(made, -1), what);
  must(natsOptions_SetReconnectWait(made, kReconnectWait), what);
  must(natsOptions_SetPingInterval(made, kPingInterval), what);
  // What is sent leaves at once or fails: nothing waits here to be sent when it is no longer true.
  must(natsOptions_SetSendAsap(made, true), what);
  must(natsOptions_SetReconnectBufSize(made, 1), what);
  if (!settings.credentials.empty())
    must(natsOptions_SetUserCredentialsFromFiles(made, settings.credentials.c_str(), nullptr),
         "credentials " + settings.credentials);
  if (!settings.authority.empty()) {
    must(natsOptions_SetSecure(made, true), what);
    must(natsOptions_LoadCATrustedCertificates(made, settings.authority.c_str()), "authority " + settings.authority);
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

void hear(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
  (*static_cast<Listening::Hear*>(closure))(Delivery(MessagePointer(message)));
}

}  // namespace

std::string shown_servers(const std::string& servers) {
  std::string shown;
  for (const auto& server : split(servers)) shown += (shown.empty() ? "" : ",") + without_user(server);
  return shown;
}

Connection::Connection(const NatsSettings& settings, const std::string& name) {
  const OptionsPointer options = options_of(settings, name);
  must(natsConnection_Connect(&connection_, options.get()), "nats " + shown_servers(settings.servers));
  jsOptions wishes;
  jsOptions_Init(&wishes);
  wishes.Wait = kReplyTimeout;
  must(natsConnection_JetStream(&jetstream_, connection_, &wishes), "JetStream of " + shown_servers(settings.servers));
}

Connection::~Connection() {
  jsCtx_Destroy(jetstream_);
  natsConnection_Destroy(connection_);
}

std::size_t Connection::max_payload() const {
  return static_cast<std::size_t>(natsConnection_GetMaxPayload(connection_));
}

std::size_t Connection::most_payload() const {
  const std::size_t most = max_payload();
  return most > 2 * kHeaderRoom ? most - kHeaderRoom : most / 2;
}

bool Connection::fits(const Message& message) const {
  const std::size_t headers = header_bytes(message) + kAddedRoom;
  return headers <= kMostHeader && message.payload.size() + headers <= max_payload();
}

void Connection::check_fits(const Message& message) const {
  if (!fits(message))
    throw Trouble(
        fmt::format("a message of {} bytes and {} of headers for {} is larger than the servers take: {} bytes together "
                    "(max_payload), {} of headers",
                    message.payload.size(), header_bytes(message), message.subject, max_payload(), kMostHeader));
}

std::optional<Delivery> Connection::last_message(const std::string& stream, const std::string& subject) const {
  natsMsg* found = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_GetLastMsg(&found, jetstream_, stream.c_str(), subject.c_str(), nullptr, &code);
  if (status == NATS_NOT_FOUND) return std::nullopt;
  must(status, "reading " + subject, code);
  return Delivery(MessagePointer(found));
}

void Connection::send(const Message& message, const std::string& reply) const {
  check_fits(message);
  must(natsConnection_PublishMsg(connection_, wire_message(message, reply).get()), "sending to " + message.subject);
}

Listening::Listening(const Connection& connection, const std::string& subject, Hear hear_message)
    : hear_(std::make_unique<Hear>(std::move(hear_message))) {
  must(natsConnection_Subscribe(&subscription_, connection.get(), subject.c_str(), hear, hear_.get()),
       "listening to " + subject);
}

Listening::~Listening() {
  // The last call back may be under way: it must be over before what it calls goes.
  if (natsSubscription_Drain(subscription_) == NATS_OK) natsSubscription_WaitForDrainCompletion(subscription_, 1000);
  natsSubscription_Destroy(subscription_);
}

std::string new_inbox() {
  natsInbox* made = nullptr;
  must(natsInbox_Create(&made), "an inbox");
  std::string inbox = made;
  natsInbox_Destroy(made);
  return inbox;
}

}  // namespace stad::cluster
