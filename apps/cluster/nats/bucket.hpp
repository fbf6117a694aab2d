#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// The newest value of a key.
struct BucketEntry {
  std::string value;
  std::uint64_t revision = 0;
};

/// A key-value bucket of JetStream with compare-and-set writes.
class Bucket {
 public:
  Bucket(const NatsConnection& connection, std::string name) : connection_(connection), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::string stream() const { return "KV_" + name_; }
  std::string subject(const std::string& key) const { return "$KV." + name_ + "." + key; }

  /// The newest value, read from the leader of the bucket.
  std::optional<BucketEntry> read(const std::string& key) const;
  /// As read(), with headers.
  std::optional<Delivery> read_message(const std::string& key) const;
  /// Returns the new revision. Throws WriteConflict where the current revision is another one.
  /// @param replaced the current revision; 0: the key does not exist
  std::uint64_t write(const std::string& key, const std::string& value, std::uint64_t replaced) const;
  /// Unconditionally.
  std::uint64_t write(const std::string& key, const std::string& value) const;
  /// Writes a delete marker.
  void remove(const std::string& key) const;
  /// Deletes values before a revision under the matching keys. A failure is ignored.
  /// @param keys with wildcards
  void purge_before(const std::string& keys, std::uint64_t revision) const;

 private:
  std::uint64_t publish(const NatsMessage& message, jsPubOptions& options) const;

  const NatsConnection& connection_;
  std::string name_;
};

/// An entry and the time at which its revision was first observed by this process.
struct ObservedEntry : BucketEntry {
  std::chrono::steady_clock::time_point since;
};
using ObservedEntries = std::map<std::string, ObservedEntry>;

/// Receives the changes of a bucket, beginning with its current content. The servers may lose a watch, or changes of
/// it, when leadership moves; a new one receives everything again.
class BucketWatch {
 public:
  BucketWatch(const NatsConnection& connection, const Bucket& bucket);
  ~BucketWatch();
  BucketWatch(const BucketWatch&) = delete;
  BucketWatch& operator=(const BucketWatch&) = delete;

  /// Waits for a first change, then applies all available ones. Throws NatsError.
  void take_changes(ObservedEntries& entries, std::chrono::milliseconds wait);
  /// Whether the initial content was received completely; before, entries may be missing.
  bool is_complete() const { return is_complete_; }

 private:
  kvStore* store_ = nullptr;
  kvWatcher* watcher_ = nullptr;
  bool is_complete_ = false;
};

}  // namespace stad::cluster
