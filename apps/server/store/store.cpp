#include "server/store/store.hpp"

#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "server/store/backup.hpp"
#include "server/store/database_file.hpp"
#include "server/store/schema.hpp"
#include "server/store/stream_reads.hpp"
#include "server/store/stream_writes.hpp"
#include "server/store/write_queue.hpp"

namespace stad::server {

namespace {

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Held against others with benchmarks/store.cpp. The cache holds a transaction of many large states: what does not fit
// is written twice. The log grows to 32 MB before it goes into the file, for a page that changed often goes there once.
// What is deleted is overwritten, for it was somebody's data; rows of unchanged length, nearly all, are not slower for
// it.
constexpr const char* kWriterSettings = R"sql(
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 4096;
  PRAGMA journal_size_limit = 67108864;
)sql";

/// Damage is found where it is met: in the tables' description here, in rows when they are read. To look for it all
/// over the file (PRAGMA quick_check) would read the whole of it at every start, and not see a changed bit inside a
/// state.
void settle_writer(Connection& connection, const std::string& path) {
  if (!path.empty() && connection.read_only()) throw DatabaseError(0, "cannot be written");
  if (!path.empty() && connection.text("PRAGMA journal_mode = WAL") != "wal")
    throw DatabaseError(0, "its folder takes no write-ahead log; name a file on a local disk");
  connection.execute(kWriterSettings);
  if (const auto complaint = newer_version_complaint(connection.integer("PRAGMA user_version")); !complaint.empty())
    throw DatabaseError(0, complaint);
  bring_up_to_date(connection, schema_steps());
}

class SqliteStore final : public Store {
 public:
  /// The lock is held to the end. In memory both kinds of access share the one connection there is.
  SqliteStore(std::string path, Descriptor lock, std::shared_ptr<GuardedConnection> writer,
              std::shared_ptr<GuardedConnection> reader)
      : path_(std::move(path)),
        lock_(std::move(lock)),
        writer_(std::move(writer)),
        reader_(std::move(reader)),
        writes_(writer_->connection),
        reads_(reader_->connection),
        queue_(*writer_, path_) {}

  void save(const StreamName& name, StreamRecord record, Done done) override {
    std::vector<std::int64_t> identities;
    for (const KeptAnswer& answer : record.answers) identities.push_back(identity_of(answer));
    queue_.push({[this, name, record = std::move(record), identities = std::move(identities)] {
                   writes_.save(name, record, identities);
                 },
                 std::move(done)});
  }

  void remove(const StreamName& name, Done done) override {
    queue_.push({[this, name] { writes_.remove(name); }, std::move(done)});
  }

  void snapshot(const StreamName& name, StreamRecord record, std::string note, std::int64_t kept,
                std::function<void(Result<std::int64_t>)> done) override {
    if (kept < 1) return done(invalid(fmt::format("snapshot: kept = {}, must be >= 1", kept)));
    const auto id = std::make_shared<std::int64_t>(0);
    queue_.push({[this, id, name, record = std::move(record), note = std::move(note), kept,
                  created = seconds_since_1970()] { *id = writes_.snapshot(name, record, note, created, kept); },
                 [id, done = std::move(done)](const Status& status) {
                   if (status) return done(*id);
                   done(status.error());
                 }});
  }

  void note(Event event, Done done) override {
    queue_.push({[this, event = std::move(event)] { writes_.note(event); }, std::move(done)});
  }

  void save_model(ModelRecord model, Done done) override {
    queue_.push({[this, model = std::move(model)] { writes_.save_model(model); }, std::move(done)});
  }

  void remove_model(const std::string& model, Done done) override {
    queue_.push({[this, model] { writes_.remove_model(model); }, std::move(done)});
  }

  Status flush() override { return queue_.flush(); }

  Result<std::optional<StreamRecord>> load(const StreamName& name) const override {
    return read([&] { return reads_.load(name); });
  }
  Result<std::vector<StreamLine>> streams(const std::string& model, const std::optional<std::string>& after,
                                          std::int64_t limit) const override {
    return read([&] { return reads_.streams(model, after, limit); });
  }
  Result<std::int64_t> count_streams(const std::string& model) const override {
    return read([&] { return reads_.count_streams(model); });
  }
  Result<std::vector<SnapshotLine>> snapshots(const StreamName& name) const override {
    return read([&] { return reads_.snapshots(name); });
  }
  Result<std::optional<StreamRecord>> snapshot(const StreamName& name, std::int64_t id) const override {
    return read([&] { return reads_.snapshot(name, id); });
  }
  Result<std::vector<Event>> events(const std::string& model, const std::optional<std::string>& stream,
                                    std::int64_t limit) const override {
    return read([&] { return reads_.events(model, stream, limit); });
  }
  Result<std::vector<ModelRecord>> models() const override {
    return read([&] { return reads_.models(); });
  }

  /// On a connection of its own, so that neither reads nor writes wait for it.
  Status backup(const std::string& path) const override {
    if (path_.empty()) return invalid(fmt::format("{}: there is nothing to copy, for the store keeps nothing", path));
    try {
      Connection source(path_);
      return back_up(source, path);
    } catch (const DatabaseError& error) {
      return database_failure(path_, error);
    }
  }

 private:
  template <typename Function>
  auto read(Function function) const -> Result<decltype(function())> {
    const std::lock_guard lock(reader_->mutex);
    try {
      return function();
    } catch (const std::exception& error) {
      return database_failure(path_, error);
    }
  }

  std::string path_;
  Descriptor lock_;
  std::shared_ptr<GuardedConnection> writer_;
  std::shared_ptr<GuardedConnection> reader_;
  StreamWrites writes_;
  mutable StreamReads reads_;
  WriteQueue queue_;  ///< last: ends before what it uses
};

}  // namespace

Result<std::unique_ptr<Store>> Store::open(const std::string& name) {
  Descriptor lock;
  std::string path = name;
  if (!path.empty()) {
    // One name for one file, or two links to it would have two locks.
    std::error_code ignored;
    if (const auto real = std::filesystem::weakly_canonical(std::filesystem::absolute(path), ignored); !ignored)
      path = real;
    if (Status made = make_folder(std::filesystem::path(path).parent_path()); !made) return made.error();
    auto locked = lock_beside(path);
    if (!locked) return locked.error();
    lock = *std::move(locked);
    if (Status checked = make_or_check_file(path); !checked) return checked.error();
  }
  try {
    auto writer = std::make_shared<GuardedConnection>(path);
    settle_writer(writer->connection, path);
    auto reader = path.empty() ? writer : std::make_shared<GuardedConnection>(path);
    return std::unique_ptr<Store>(
        std::make_unique<SqliteStore>(path, std::move(lock), std::move(writer), std::move(reader)));
  } catch (const std::exception& error) {
    return database_failure(path, error);
  }
}

}  // namespace stad::server
