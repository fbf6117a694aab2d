#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/names.hpp"
#include "cluster/nats/bucket.hpp"
#include "cluster/nats/outbox.hpp"

namespace stad::cluster {

/// What is kept cannot be read as a whole.
struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A stream as the servers keep it: what it has learned and how far it is, written together.
struct KeptState {
  std::string state;           ///< the bytes of a state file; empty: nothing was learned
  std::uint64_t sequence = 0;  ///< of the last message it has learned from
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  std::uint64_t epoch = 0;     ///< of the owner that wrote it
  std::uint64_t revision = 0;  ///< 0: the servers have none
  bool is_chunked = false;     ///< what the servers have is in pieces

  /// They are made when they are needed. Gives their memory back, which clear() would not.
  void drop_bytes() { std::string().swap(state); }
};

struct StateToKeep {
  std::string key;
  KeptState* state;        ///< its revision becomes that of what was written
  bool is_checked = true;  ///< written in the place of its revision alone; false: of whatever is there
};

/// States in a bucket of JetStream. One that fits a message is one entry; a larger one is cut into chunks under names
/// of their own, and the entry, which is written last, says which belong to it.
class StateStore {
 public:
  /// @param limit bytes of the largest entry; 0: as large as the servers take
  explicit StateStore(const Connection& connection, std::size_t limit = 0);

  /// Throws Trouble, or Damaged where something is missing.
  std::optional<KeptState> load(const std::string& key) const;
  /// What is told of a state, without its bytes and as far as it can be read.
  KeptState facts(const std::string& key) const;
  /// Each in the place of its revision; all are kept when this returns. Throws Conflict where another wrote, and then
  /// some of them may have been written.
  void save(Outbox& outbox, const std::vector<StateToKeep>& states) const;

 private:
  void save_chunks(Outbox& outbox, const std::vector<StateToKeep>& states) const;
  Message entry_of(const StateToKeep& state) const;
  bool is_cut(const KeptState& kept) const { return kept.state.size() > limit_; }
  std::size_t chunks_of(const KeptState& kept) const { return (kept.state.size() + limit_ - 1) / limit_; }
  std::string load_chunks(const std::string& key, const Delivery& entry) const;

  Bucket bucket_;
  std::size_t limit_;
};

}  // namespace stad::cluster
