#include "serving/store/sqlite.hpp"

#include <sqlite3.h>

namespace stad::serving {

namespace {

/// Wait for other programs that lock the file, such as a SQLite shell.
constexpr int kBusyMilliseconds = 5000;

void check(int code, sqlite3* handle) {
  if (code == SQLITE_OK) return;
  throw DatabaseError(code, handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
}

}  // namespace

bool DatabaseError::corrupt() const {
  const int kind = code_ & 0xff;
  return kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
}

void SqliteConnection::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

SqliteConnection::SqliteConnection(const std::string& path) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.empty() ? ":memory:" : path.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  check(code, handle);
  check(sqlite3_busy_timeout(handle, kBusyMilliseconds), handle);
}

// Not const, because it changes the database. NOLINTNEXTLINE(readability-make-member-function-const)
void SqliteConnection::execute(const std::string& statements) {
  check(sqlite3_exec(handle(), statements.c_str(), nullptr, nullptr, nullptr), handle());
}

std::int64_t SqliteConnection::integer(const std::string& query) {
  Statement statement(*this, query);
  Cursor cursor = statement.start();
  return cursor.next() ? cursor.integer(0) : 0;
}

std::string SqliteConnection::text(const std::string& query) {
  Statement statement(*this, query);
  Cursor cursor = statement.start();
  return cursor.next() ? cursor.bytes(0) : "";
}

std::int64_t SqliteConnection::last_id() const { return sqlite3_last_insert_rowid(handle()); }

bool SqliteConnection::in_transaction() const { return sqlite3_get_autocommit(handle()) == 0; }

bool SqliteConnection::read_only() const { return sqlite3_db_readonly(handle(), "main") == 1; }

void Statement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Statement::Statement(SqliteConnection& connection, std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  check(sqlite3_prepare_v3(connection.handle(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &handle, nullptr),
        connection.handle());
  handle_.reset(handle);
}

// A null pointer would bind NULL instead of an empty blob.
void Statement::bind(int place, Blob value) {
  const char* data = value.bytes.data() ? value.bytes.data() : "";
  check(sqlite3_bind_blob64(handle_.get(), place, data, value.bytes.size(), SQLITE_STATIC),
        sqlite3_db_handle(handle_.get()));
}

void Statement::bind(int place, const std::string& value) {
  check(sqlite3_bind_text64(handle_.get(), place, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8),
        sqlite3_db_handle(handle_.get()));
}

void Statement::bind(int place, double value) {
  check(sqlite3_bind_double(handle_.get(), place, value), sqlite3_db_handle(handle_.get()));
}

void Statement::bind(int place, std::int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), place, value), sqlite3_db_handle(handle_.get()));
}

Cursor::~Cursor() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

bool Cursor::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  throw DatabaseError(code, sqlite3_errmsg(sqlite3_db_handle(statement_)));
}

std::int64_t Cursor::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Cursor::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Cursor::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);  // before the length, which a conversion may change
  const int length = sqlite3_column_bytes(statement_, column);
  return data ? std::string(static_cast<const char*>(data), static_cast<std::size_t>(length)) : std::string();
}

Transaction::Transaction(SqliteConnection& connection, Kind kind) : connection_(connection) {
  connection_.execute(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!connection_.in_transaction()) return;  // committed, or rolled back by SQLite
  try {
    connection_.execute("ROLLBACK");
  } catch (const DatabaseError&) {  // reported by the next BEGIN
  }
}

void Transaction::commit() { connection_.execute("COMMIT"); }

}  // namespace stad::serving
