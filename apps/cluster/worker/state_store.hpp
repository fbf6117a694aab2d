#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/layout/names.hpp"
#include "cluster/nats/bucket.hpp"
#include "cluster/nats/publisher.hpp"
#include "serving/store/store.hpp"

namespace stad::cluster {

/// A stored state cannot be read completely.
struct DamagedState : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The state of a stream and its position in the log, written as one entry.
struct StoredState {
  std::string state;           ///< bytes of a state file; empty: the initial state
  std::uint64_t sequence = 0;  ///< of the last processed message
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  std::uint64_t epoch = 0;     ///< of the owner that wrote it
  std::uint64_t revision = 0;  ///< of the entry; 0: there is none
  bool is_chunked = false;     ///< whether the servers hold it in chunks

  /// Releases the memory of the bytes, which clear() would not.
  void drop_bytes() { std::string().swap(state); }
};

struct StateWrite {
  std::string key;
  StoredState* state;      ///< receives the new revision
  bool is_checked = true;  ///< compare-and-set by the revision; false: unconditional
};

/// States in a bucket of JetStream. A state that fits a message is one entry; a larger one is split into chunks with
/// unique keys, and the entry, which is written last, refers to them.
class StateStore {
 public:
  /// @param limit bytes of the largest entry; 0: the servers' limit
  explicit StateStore(const NatsConnection& connection, std::size_t limit = 0);

  /// Throws NatsError, or DamagedState where a part is missing.
  std::optional<StoredState> load(const std::string& key) const;
  /// The readable metadata of a state, without its bytes.
  StoredState metadata(const std::string& key) const;
  /// Writes all states and waits until they are stored. Throws WriteConflict where another writer was faster; some of
  /// the states may have been written then.
  void save(AsyncPublisher& publisher, const std::vector<StateWrite>& states) const;

 private:
  void save_chunks(AsyncPublisher& publisher, const std::vector<StateWrite>& states) const;
  NatsMessage entry_of(const StateWrite& state) const;
  bool needs_chunks(const StoredState& stored) const { return stored.state.size() > limit_; }
  std::size_t chunks_of(const StoredState& stored) const { return (stored.state.size() + limit_ - 1) / limit_; }
  std::string load_chunks(const std::string& key, const Delivery& entry) const;

  Bucket bucket_;
  std::size_t limit_;
};

/// States of evicted streams on the local disk, so that they need not be fetched from the servers again. Only an
/// optimization: a state is used by the owner that stored it, at the revision it wrote last. The servers are not
/// queried; had another worker written since, they would reject the next commit. Thread-safe.
class LocalStateCache {
 public:
  /// Starts empty and removes the file of an earlier worker. Throws AppError.
  /// @param folder empty: nothing is cached
  explicit LocalStateCache(const std::string& folder);

  bool is_open() const { return store_ != nullptr; }
  void put(const StreamName& name, std::uint64_t revision, const std::string& state);
  void remove(const StreamName& name);
  /// None where the state is not cached at this revision.
  std::optional<std::string> find(const StreamName& name, std::uint64_t revision) const;

 private:
  std::unique_ptr<serving::Store> store_;
};

}  // namespace stad::cluster
