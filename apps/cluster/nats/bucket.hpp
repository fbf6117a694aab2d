#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// The newest message under a key.
struct Entry {
  std::string value;
  std::uint64_t revision = 0;
};

/// A key-value bucket of JetStream: small texts that several writers may change, each seeing what it replaces.
class Bucket {
 public:
  Bucket(const Connection& connection, std::string name) : connection_(connection), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::string stream() const { return "KV_" + name_; }
  std::string subject(const std::string& key) const { return "$KV." + name_ + "." + key; }

  /// The newest, as the leader of the bucket knows it.
  std::optional<Entry> read(const std::string& key) const;
  /// The same with headers.
  std::optional<Delivery> read_message(const std::string& key) const;
  /// Returns the new revision. @param replaced of what is there; 0: nothing is. Throws Conflict where that is not so.
  std::uint64_t write(const std::string& key, const std::string& value, std::uint64_t replaced) const;
  /// Whatever is there.
  std::uint64_t write(const std::string& key, const std::string& value) const;
  /// Leaves a mark without a value, as deleted keys have.
  void remove(const std::string& key) const;
  /// Forgets what was written before a revision under keys that match, for good; tries once.
  /// @param keys with wildcards
  void purge_before(const std::string& keys, std::uint64_t revision) const;

 private:
  std::uint64_t publish(const Message& message, jsPubOptions& options) const;

  const Connection& connection_;
  std::string name_;
};

/// An entry, and when this revision of it was first seen here.
struct SeenEntry : Entry {
  std::chrono::steady_clock::time_point since;
};
using SeenEntries = std::map<std::string, SeenEntry>;

/// Tells what changes in a bucket, beginning with all there is. The servers may lose track of it when they change who
/// leads: then it says nothing, or leaves something out, and one that is opened anew tells everything again.
class BucketFeed {
 public:
  BucketFeed(const Connection& connection, const Bucket& bucket);
  ~BucketFeed();
  BucketFeed(const BucketFeed&) = delete;
  BucketFeed& operator=(const BucketFeed&) = delete;

  /// Waits that long for the first change, then takes in all there are. Throws Trouble.
  void take_changes(SeenEntries& entries, std::chrono::milliseconds wait);
  /// Whether all that was there at first has been told: half of it would look like entries that are gone.
  bool is_whole() const { return is_whole_; }

 private:
  kvStore* store_ = nullptr;
  kvWatcher* watcher_ = nullptr;
  bool is_whole_ = false;
};

}  // namespace stad::cluster
