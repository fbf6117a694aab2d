#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cluster/nats/message.hpp"

namespace stad::cluster {

struct NatsSettings {
  std::string servers = "nats://127.0.0.1:4222";  ///< separated by commas; tls:// for TLS, user:password@ before a host
  std::string credentials;                        ///< path of a NATS credentials file; empty: none
  std::string authority;  ///< PEM file of the CA of the servers' certificates; empty: the system's
};

/// The servers without user and password, for logs and messages.
std::string displayed_servers(const std::string& servers);

/// A connection to the servers, which reconnects to another one when it is lost. Thread-safe.
class NatsConnection {
 public:
  /// @param name shown in the servers' lists of connections. Throws NatsError.
  NatsConnection(const NatsSettings& settings, const std::string& name);
  ~NatsConnection();
  NatsConnection(const NatsConnection&) = delete;
  NatsConnection& operator=(const NatsConnection&) = delete;

  /// Whether it is connected at present; otherwise it is reconnecting.
  bool is_connected() const;
  natsConnection* get() const { return connection_; }
  jsCtx* jetstream() const { return jetstream_; }
  /// Bytes of the largest message the servers take, headers included.
  std::size_t max_payload() const;
  /// Bytes of the largest payload that leaves 4 KB for headers.
  std::size_t max_data() const;
  /// Whether the servers accept the message. They answer a larger one by closing the connection, which is shared.
  bool fits(const NatsMessage& message) const;
  /// Throws NatsError that names the limits.
  void check_fits(const NatsMessage& message) const;

  /// The newest stored message of a subject, read from the leader of the stream. Throws NatsError.
  std::optional<Delivery> last_message(const std::string& stream, const std::string& subject) const;

  /// Sends without waiting for an acknowledgement. Throws NatsError, also where the message is too large.
  /// @param reply subject for the acknowledgement; empty: none
  void send(const NatsMessage& message, const std::string& reply = "") const;

 private:
  natsConnection* connection_ = nullptr;
  jsCtx* jetstream_ = nullptr;
};

/// Calls a handler for every message on a core NATS subject, from a thread of libnats, until destruction.
class Subscription {
 public:
  using Handler = std::function<void(Delivery)>;

  Subscription(const NatsConnection& connection, const std::string& subject, Handler handler);
  ~Subscription();
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  std::unique_ptr<Handler> handler_;
  natsSubscription* subscription_ = nullptr;
};

/// A new unique subject for replies.
std::string new_inbox();

}  // namespace stad::cluster
