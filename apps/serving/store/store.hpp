#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <stad/error.hpp>

#include "serving/store/records.hpp"

namespace stad::serving {

/// States, snapshots, kept answers and events in one SQLite file (WAL, synchronous = FULL). Writes run in order on the
/// store's thread; queued writes share a commit, and each callback is called once its write is on disk. Reads may come
/// from any thread and see what was committed.
class Store {
 public:
  using Done = std::function<void(const Status&)>;  ///< called on the store's thread; must not throw or block

  using Condition = std::function<bool()>;

  /// Opens or creates the file and migrates an older schema. Fails for a newer schema and for files of other programs.
  /// @param path empty: a database in memory
  static Result<std::unique_ptr<Store>> open(const std::string& path);
  virtual ~Store() = default;  ///< blocks until all queued writes are done

  /// Replaces the stream's record and answers. Where answers were dropped at the front and added at the back, as in a
  /// ring buffer, only the new ones are written.
  /// @param condition evaluated on the store's thread before the write; false: nothing is written and the save fails
  virtual void save(const StreamName& name, StreamRecord record, Done done, Condition condition = {}) = 0;
  /// Deletes the stream with its answers and snapshots.
  virtual void remove(const StreamName& name, Done done) = 0;
  /// Stores a copy without the answers under a new id, larger than any before; keeps the newest `kept` (>= 1) of the
  /// stream.
  virtual void snapshot(const StreamName& name, StreamRecord record, std::string note, std::int64_t kept,
                        std::function<void(Result<std::int64_t>)> done) = 0;
  /// Keeps the newest 10,000 events.
  virtual void add_event(Event event, Done done) = 0;
  virtual void save_model(ModelRecord model, Done done) = 0;
  /// Deletes the model and all of its streams.
  virtual void remove_model(const std::string& model, Done done) = 0;
  /// Waits until all writes so far are on disk; returns the first failure since the last flush, if any. Must not be
  /// called from a callback.
  virtual Status flush() = 0;

  /// Writes the version of the schema again: whether the file can be written.
  virtual void probe(Done done) = 0;
  /// Whether the last commit failed.
  virtual bool is_failing() const = 0;
  /// Commits that failed since the file was opened.
  virtual std::int64_t failed_commits() const = 0;
  /// Whether SQLite has found the file corrupt since it was opened.
  virtual bool is_corrupt() const = 0;
  /// Bytes that are free on the disk of the file; none: in memory, or unknown.
  virtual std::optional<std::int64_t> free_bytes() const = 0;

  virtual Result<std::optional<StreamRecord>> load(const StreamName& name) const = 0;
  /// Ordered by name. @param after a stream's name; none: from the first on, which may be the default stream
  virtual Result<std::vector<StreamSummary>> streams(const std::string& model, const std::optional<std::string>& after,
                                                     std::int64_t limit) const = 0;
  virtual Result<std::int64_t> count_streams(const std::string& model) const = 0;
  virtual Result<std::vector<SnapshotSummary>> snapshots(const StreamName& name) const = 0;  ///< newest first
  virtual Result<std::optional<StreamRecord>> snapshot(const StreamName& name, std::int64_t id) const = 0;
  /// Newest first. @param stream none: of all streams of the model; an empty model: everything
  virtual Result<std::vector<Event>> events(const std::string& model, const std::optional<std::string>& stream,
                                            std::int64_t limit) const = 0;
  virtual Result<std::vector<ModelRecord>> models() const = 0;

  /// Writes a consistent copy of the database while reads and writes go on. Fails where the file exists.
  virtual Status backup(const std::string& path) const = 0;
};

}  // namespace stad::serving
