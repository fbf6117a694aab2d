#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace stad::serving {

/// An error of SQLite with its message. Caught by the store, which adds the path.
class DatabaseError : public std::runtime_error {
 public:
  DatabaseError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// Whether the content of the file is corrupt.
  bool corrupt() const;

 private:
  int code_;
};

/// A connection to a database. Not synchronized.
class SqliteConnection {
 public:
  /// The file must exist. @param path empty: a database in memory
  explicit SqliteConnection(const std::string& path);

  void execute(const std::string& statements);
  std::int64_t integer(const std::string& query);  ///< the first column of the first row
  std::string text(const std::string& query);
  std::int64_t last_id() const;
  bool in_transaction() const;
  bool read_only() const;
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// Binds a string as a blob instead of text.
struct Blob {
  std::string_view bytes;
};

class Cursor;

/// A prepared statement.
class Statement {
 public:
  Statement(SqliteConnection& connection, std::string_view sql);

  /// Binds without copying: the values must outlive the cursor.
  template <typename... Values>
  Cursor start(const Values&... values);
  /// Executes the statement and discards its rows.
  template <typename... Values>
  void run(const Values&... values);

 private:
  friend class Cursor;
  void bind(int place, const std::string& value);
  void bind(int place, Blob value);
  void bind(int place, double value);
  void bind(int place, std::int64_t value);

  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// Iterates over the rows of a running statement; resets the statement and its bindings on destruction.
class Cursor {
 public:
  explicit Cursor(sqlite3_stmt* statement) : statement_(statement) {}
  ~Cursor();
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  bool next();
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string bytes(int column) const;  ///< of a text or a blob

 private:
  sqlite3_stmt* statement_;
};

/// Rolled back on destruction unless committed.
class Transaction {
 public:
  enum class Kind { kRead, kWrite };
  Transaction(SqliteConnection& connection, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  SqliteConnection& connection_;
};

template <typename... Values>
Cursor Statement::start(const Values&... values) {
  int place = 0;
  (bind(++place, values), ...);
  return Cursor(handle_.get());
}

template <typename... Values>
void Statement::run(const Values&... values) {
  Cursor cursor = start(values...);
  while (cursor.next()) {
  }
}

}  // namespace stad::serving
