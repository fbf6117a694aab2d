#include "serving/store/store.hpp"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "serving/store/database_file.hpp"
#include "serving/store/schema.hpp"
#include "serving/store/statements.hpp"
#include "serving/store/write_queue.hpp"

namespace stad::serving {

namespace {

// Chosen with benchmarks/store.cpp. The cache holds a transaction of many large states, since pages that do not fit are
// written twice. The log grows to 8 MB before a checkpoint: larger ones save nothing measurable and fill small volumes.
// Deleted data is overwritten because it belongs to users; rows of unchanged length, nearly all, are not slower for it.
constexpr const char* kWriterSettings = R"sql(
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 1000;
  PRAGMA journal_size_limit = 67108864;
)sql";

/// Corruption is detected where it is read: in the schema here, in rows later. PRAGMA quick_check would read the whole
/// file at every start and would not detect a changed bit inside a state.
void configure_writer(SqliteConnection& connection, const std::string& path) {
  if (!path.empty() && connection.read_only()) throw DatabaseError(0, "cannot be written");
  if (!path.empty() && connection.text("PRAGMA journal_mode = WAL") != "wal")
    throw DatabaseError(0, "its folder does not support a write-ahead log; use a file on a local disk");
  connection.execute(kWriterSettings);
  if (const auto error = newer_version_error(connection.integer("PRAGMA user_version")); !error.empty())
    throw DatabaseError(0, error);
  migrate(connection, schema_steps());
}

bool is_corruption(const std::exception& error) {
  const auto* database = dynamic_cast<const DatabaseError*>(&error);
  return database != nullptr && database->corrupt();
}

Error database_failure(const std::string& path, const std::exception& error) {
  const char* advice = is_corruption(error) ? "; put a backup in its place" : "";
  return failed(fmt::format("{}: {}{}", path, error.what(), advice));
}

/// A connection and the mutex that protects it.
struct LockedConnection {
  explicit LockedConnection(const std::string& path) : connection(path) {}
  std::mutex mutex;
  SqliteConnection connection;
};

class SqliteStore final : public Store {
 public:
  /// Holds the lock until destruction. A database in memory has one connection for reads and writes.
  SqliteStore(std::string path, FileDescriptor lock, std::shared_ptr<LockedConnection> writer,
              std::shared_ptr<LockedConnection> reader)
      : path_(std::move(path)),
        lock_(std::move(lock)),
        writer_(std::move(writer)),
        reader_(std::move(reader)),
        writes_(writer_->connection),
        reads_(reader_->connection, writes_.journal()),
        queue_([this](const std::vector<WriteQueue::Write>& writes) { return commit(writes); }) {}

  void save(const StreamName& name, StreamRecord record, Done done, Condition condition) override {
    std::vector<std::int64_t> identities;
    for (const KeptAnswer& answer : record.answers) identities.push_back(identity_of(answer));
    const auto is_skipped = std::make_shared<bool>(false);
    queue_.push({[this, name, record = std::move(record), identities = std::move(identities),
                  condition = std::move(condition), is_skipped] {
                   *is_skipped = condition && !condition();
                   if (!*is_skipped) writes_.save(name, record, identities);
                 },
                 [done = std::move(done), is_skipped](const Status& status) {
                   done(status && *is_skipped ? failed("an earlier change of the stream could not be saved") : status);
                 }});
  }

  void remove(const StreamName& name, Done done) override {
    queue_.push({[this, name] { writes_.remove(name); }, std::move(done)});
  }

  void snapshot(const StreamName& name, StreamRecord record, std::string note, std::int64_t kept,
                std::function<void(Result<std::int64_t>)> done) override {
    if (kept < 1) return done(invalid(fmt::format("snapshot: kept = {}, must be >= 1", kept)));
    const auto id = std::make_shared<std::int64_t>(0);
    queue_.push({[this, id, name, record = std::move(record), note = std::move(note), kept,
                  created = seconds_since_epoch()] { *id = writes_.snapshot(name, record, note, created, kept); },
                 [id, done = std::move(done)](const Status& status) {
                   if (status) return done(*id);
                   done(status.error());
                 }});
  }

  void add_event(Event event, Done done) override {
    queue_.push({[this, event = std::move(event)] { writes_.add_event(event); }, std::move(done)});
  }

  void save_model(ModelRecord model, Done done) override {
    queue_.push({[this, model = std::move(model)] { writes_.save_model(model); }, std::move(done)});
  }

  void remove_model(const std::string& model, Done done) override {
    queue_.push({[this, model] { writes_.remove_model(model); }, std::move(done)});
  }

  void probe(Done done) override {
    queue_.push(
        {[this] { writer_->connection.execute(fmt::format("PRAGMA user_version = {}", schema_steps().size())); },
         std::move(done)});
  }
  bool is_failing() const override { return queue_.is_failing(); }
  std::int64_t failed_commits() const override { return queue_.failures(); }
  bool is_corrupt() const override { return is_corrupt_; }
  std::optional<std::int64_t> free_bytes() const override {
    if (path_.empty()) return std::nullopt;
    std::error_code error;
    const auto space = std::filesystem::space(std::filesystem::path(path_).parent_path(), error);
    return error ? std::nullopt : std::optional(static_cast<std::int64_t>(space.available));
  }

  Status flush() override { return queue_.flush(); }

  Result<std::optional<StreamRecord>> load(const StreamName& name) const override {
    return read([&] { return reads_.load(name); });
  }
  Result<std::vector<StreamSummary>> streams(const std::string& model, const std::optional<std::string>& after,
                                             std::int64_t limit) const override {
    return read([&] { return reads_.streams(model, after, limit); });
  }
  Result<std::int64_t> count_streams(const std::string& model) const override {
    return read([&] { return reads_.count_streams(model); });
  }
  Result<std::vector<SnapshotSummary>> snapshots(const StreamName& name) const override {
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

  /// On a separate connection, so that neither reads nor writes wait for it.
  Status backup(const std::string& path) const override {
    if (path_.empty()) return invalid(fmt::format("{}: a database in memory cannot be backed up", path));
    try {
      SqliteConnection source(path_);
      return back_up(source, path);
    } catch (const DatabaseError& error) {
      return database_failure(path_, error);
    }
  }

 private:
  /// Executes the writes in one transaction.
  Status commit(const std::vector<WriteQueue::Write>& writes) {
    const std::lock_guard lock(writer_->mutex);
    ChangeJournal& journal = writes_.journal();
    try {
      Transaction transaction(writer_->connection, Transaction::Kind::kWrite);
      for (const auto& write : writes) write.run();
      journal.write();
      const auto journal_lock = journal.lock();
      transaction.commit();
      journal.apply();
      return {};
    } catch (const std::exception& error) {
      journal.discard();
      if (is_corruption(error)) is_corrupt_ = true;
      return database_failure(path_, error);
    }
  }

  template <typename Function>
  auto read(Function function) const -> Result<decltype(function())> {
    const std::lock_guard lock(reader_->mutex);
    try {
      return function();
    } catch (const std::exception& error) {
      if (is_corruption(error)) is_corrupt_ = true;
      return database_failure(path_, error);
    }
  }

  std::string path_;
  FileDescriptor lock_;
  std::shared_ptr<LockedConnection> writer_;
  std::shared_ptr<LockedConnection> reader_;
  WriteStatements writes_;
  mutable ReadStatements reads_;
  mutable std::atomic<bool> is_corrupt_{false};
  WriteQueue queue_;  ///< last, so that it is destroyed before the members it uses
};

}  // namespace

Result<std::unique_ptr<Store>> Store::open(const std::string& path) {
  FileDescriptor lock;
  std::string file = path;
  if (!file.empty()) {
    // The canonical path, so that two links to a file share one lock.
    std::error_code ignored;
    if (const auto real = std::filesystem::weakly_canonical(std::filesystem::absolute(file), ignored); !ignored)
      file = real;
    if (Status made = make_folder(std::filesystem::path(file).parent_path()); !made) return made.error();
    auto locked = lock_beside(file);
    if (!locked) return locked.error();
    lock = *std::move(locked);
    if (Status checked = make_or_check_file(file); !checked) return checked.error();
  }
  try {
    auto writer = std::make_shared<LockedConnection>(file);
    configure_writer(writer->connection, file);
    auto reader = file.empty() ? writer : std::make_shared<LockedConnection>(file);
    return std::unique_ptr<Store>(
        std::make_unique<SqliteStore>(file, std::move(lock), std::move(writer), std::move(reader)));
  } catch (const std::exception& error) {
    return database_failure(file, error);
  }
}

}  // namespace stad::serving
