#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <stad/error.hpp>

namespace stad::server {

/// Which stream of which model.
struct StreamName {
  std::string model;
  std::string stream;  ///< empty: the model's default stream

  bool operator==(const StreamName&) const = default;
};

/// An answer that was given, kept so that a repeated request gets it again and is not learned from twice.
struct KeptAnswer {
  std::string key;                ///< Idempotency-Key, or the id of the request
  std::uint64_t digest = 0;       ///< of what was asked
  std::int64_t json_length = -1;  ///< of a binary answer; -1: the body is JSON
  std::string body;

  bool operator==(const KeptAnswer&) const = default;
};

/// A stream as it is kept on disk.
struct StreamRecord {
  std::string state;         ///< the bytes of a state file
  std::int64_t batches = 0;  ///< learned from
  std::int64_t rows = 0;
  double updated = 0;               ///< seconds since 1970
  std::vector<KeptAnswer> answers;  ///< oldest first
};

struct StreamLine {  ///< of a listing
  std::string stream;
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  double updated = 0;
  std::int64_t bytes = 0;  ///< of the state
};

struct SnapshotLine {
  std::int64_t id = 0;
  double created = 0;
  std::string note;  ///< why it was taken
  std::int64_t batches = 0;
  std::int64_t bytes = 0;
};

/// What happened to a stream or a model and should be seen later.
struct Event {
  double time = 0;
  StreamName name;
  std::string kind;    ///< "snapshot", "rollback", "reset", "restore", "delete", "mode", "model"
  std::string detail;  ///< one sentence
};

/// A model that was added while the service ran.
struct ModelRecord {
  std::string name;
  std::string specification;  ///< JSON, as the admin interface takes it
  std::string source;         ///< the bytes of its head, npz
};

/// States, snapshots, kept answers and events in one SQLite file (WAL, synchronous = FULL). Writes run one after
/// another on a thread of their own; those that wait are committed together, and each is told when it is on disk.
/// Reads may come from any thread and see what was committed.
class Store {
 public:
  using Done = std::function<void(const Status&)>;  ///< called on the store's thread; must not throw or block

  /// Opens or makes the file, and brings an older one up to date. A newer one, or one that is not ours, is refused.
  /// @param path empty: in memory, nothing is kept
  static Result<std::unique_ptr<Store>> open(const std::string& path);
  virtual ~Store() = default;  ///< after everything that waits was written

  /// Replaces the stream's record with its answers. Where answers left at the front and came at the back, as in a ring,
  /// only the new ones are written.
  virtual void save(const StreamName& name, StreamRecord record, Done done) = 0;
  /// Forgets the stream with its answers and snapshots.
  virtual void remove(const StreamName& name, Done done) = 0;
  /// Keeps a copy without the answers under a new id, larger than any before; beyond `kept` of a stream, which must be
  /// >= 1, the oldest goes.
  virtual void snapshot(const StreamName& name, StreamRecord record, std::string note, std::int64_t kept,
                        std::function<void(Result<std::int64_t>)> done) = 0;
  /// The newest 10,000 are kept.
  virtual void note(Event event, Done done) = 0;
  virtual void save_model(ModelRecord model, Done done) = 0;
  /// Forgets the model and all of its streams.
  virtual void remove_model(const std::string& model, Done done) = 0;
  /// Waits until everything written so far is on disk; says what failed first since the last flush, if anything did.
  /// Not to be called by a Done.
  virtual Status flush() = 0;

  virtual Result<std::optional<StreamRecord>> load(const StreamName& name) const = 0;
  /// By name. @param after a stream's name; none: from the first on, which may be the default stream
  virtual Result<std::vector<StreamLine>> streams(const std::string& model, const std::optional<std::string>& after,
                                                  std::int64_t limit) const = 0;
  virtual Result<std::int64_t> count_streams(const std::string& model) const = 0;
  virtual Result<std::vector<SnapshotLine>> snapshots(const StreamName& name) const = 0;  ///< newest first
  virtual Result<std::optional<StreamRecord>> snapshot(const StreamName& name, std::int64_t id) const = 0;
  /// Newest first. @param stream none: of all streams of the model; an empty model: everything
  virtual Result<std::vector<Event>> events(const std::string& model, const std::optional<std::string>& stream,
                                            std::int64_t limit) const = 0;
  virtual Result<std::vector<ModelRecord>> models() const = 0;

  /// A copy of the whole file at one moment while the service goes on; written beside, made durable and renamed. Never
  /// replaces a file.
  virtual Status backup(const std::string& path) const = 0;
};

}  // namespace stad::server
