#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "serving/store/records.hpp"
#include "serving/store/sqlite.hpp"

namespace stad::serving {

/// Changes of streams since their states, in the table journal. A transaction writes the changes of all its streams as
/// one row, so that a commit of many small changes writes few pages. An index in memory holds where the changes of each
/// stream are; a row is deleted once none of its changes is needed. Functions that change the journal belong to the
/// thread that writes and are called within its transaction.
class ChangeJournal {
 public:
  /// A change in the table, and the figures of its stream after it.
  struct Place {
    std::int64_t row = 0;
    std::int64_t offset = 0;
    std::int64_t size = 0;
    std::int64_t position = 0;  ///< among the changes of the stream
    std::int64_t batches = 0;
    std::int64_t rows = 0;
    double updated = 0;
  };
  using Places = std::vector<Place>;  ///< by position

  /// Reads the table. Throws DatabaseError.
  explicit ChangeJournal(SqliteConnection& connection);

  /// Adds the changes of the record.
  /// @param stream id of the stream
  void add(std::int64_t stream, const StreamRecord& record);
  /// The state of the stream is written, or the stream removed: its changes up to last_row() are not needed any more.
  void supersede(std::int64_t stream) { staged_[stream] = {.is_superseded = true, .changes = {}}; }
  /// The last row before this transaction's.
  std::int64_t last_row() const { return next_row_ - 1; }
  /// Writes what was added and deletes rows that are not needed. To be called before the transaction is committed.
  void write();
  /// Updates the index after the commit. Requires lock().
  void apply();
  /// After the transaction was rolled back.
  void discard() { staged_.clear(); }

  /// To be held from the commit to apply(), and by readers from the begin of a transaction to pending(), so that index
  /// and transaction agree.
  std::unique_lock<std::mutex> lock() const { return std::unique_lock(mutex_); }
  /// The changes of a stream, not of its state. Requires lock().
  const Places& pending(std::int64_t stream) const;

 private:
  struct Change {
    Place place;  ///< row, offset and size are set when it is written; position 0: the next one
    std::string bytes;
  };
  /// What a transaction does to a stream.
  struct Staged {
    bool is_superseded = false;  ///< changes that are in the table are not needed any more
    std::vector<Change> changes;
  };
  struct Row {
    std::int64_t bytes = 0;
    std::int64_t live = 0;  ///< bytes of changes that are needed
  };

  void read_rows(SqliteConnection& connection);
  void read_row(std::int64_t id, const std::string& entries);
  void keep_needed(SqliteConnection& connection);
  void drop_dead_rows();
  /// Rows of which nothing is needed after this transaction.
  std::vector<std::int64_t> dead_rows() const;
  void compact();
  Staged moved_changes(const Places& places);
  std::string pack();
  void release(const Place& place);

  Statement add_row_;
  Statement remove_row_;
  Statement entries_;
  std::int64_t next_row_ = 1;
  std::unordered_map<std::int64_t, Staged> staged_;  ///< by stream, of the current transaction

  mutable std::mutex mutex_;
  std::unordered_map<std::int64_t, Places> pending_;  ///< by stream
  std::map<std::int64_t, Row> rows_;
  std::int64_t bytes_ = 0, live_ = 0;  ///< sums over rows
};

}  // namespace stad::serving
