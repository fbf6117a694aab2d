#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cluster/nats/message.hpp"
#include "cluster/nats/trouble.hpp"

namespace stad::cluster {

struct NatsSettings {
  std::string servers = "nats://127.0.0.1:4222";  ///< separated by commas; tls:// for TLS, user:password@ before a host
  std::string credentials;                        ///< path of a file as NATS makes it; empty: none
  std::string authority;  ///< PEM file of who signed the servers' certificates; empty: the system's
};

/// The servers without user and password, for logs and messages.
std::string shown_servers(const std::string& servers);

/// A connection to the servers that finds another one when its own is gone. Any thread.
class Connection {
 public:
  /// @param name shown in the servers' lists. Throws Trouble.
  Connection(const NatsSettings& settings, const std::string& name);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  natsConnection* get() const { return connection_; }
  jsCtx* jetstream() const { return jetstream_; }
  /// Bytes of the largest message the servers take, headers included.
  std::size_t max_payload() const;
  /// Bytes of the largest payload beside headers of ordinary length.
  std::size_t most_payload() const;
  /// Whether the servers take it. One that is too large they answer by closing the connection, which all share.
  bool fits(const Message& message) const;
  /// Throws Trouble that names the limits.
  void check_fits(const Message& message) const;

  /// The newest message of a subject that a stream keeps, as its leader knows it. Throws Trouble.
  std::optional<Delivery> last_message(const std::string& stream, const std::string& subject) const;

  /// Without an acknowledgement. Throws Trouble, also where it does not fit. @param reply where a receipt is to be
  /// sent; empty: nowhere
  void send(const Message& message, const std::string& reply = "") const;

 private:
  natsConnection* connection_ = nullptr;
  jsCtx* jetstream_ = nullptr;
};

/// Calls back for every message on a subject that JetStream does not keep, from a thread of its own, until it goes.
class Listening {
 public:
  using Hear = std::function<void(Delivery)>;

  Listening(const Connection& connection, const std::string& subject, Hear hear);
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  std::unique_ptr<Hear> hear_;
  natsSubscription* subscription_ = nullptr;
};

/// A subject nobody else uses.
std::string new_inbox();

}  // namespace stad::cluster
