#include "server/store/backup.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "server/store/database_file.hpp"

namespace stad::server {

namespace {

Error already_there(const std::string& path) {
  return invalid(fmt::format("{}: exists already and is not replaced; name another file", path));
}

/// The transaction holds the moment: without it every write in between would start the copy anew. Writers go on in the
/// log meanwhile.
void copy(Connection& source, const std::string& path) {
  Connection copy(path);
  copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");  // made durable as a whole
  Transaction moment(source, Transaction::Kind::kRead);
  source.integer("SELECT count(*) FROM models");  // a transaction begins with its first read
  sqlite3_backup* backup = sqlite3_backup_init(copy.handle(), "main", source.handle(), "main");
  if (!backup) throw DatabaseError(sqlite3_extended_errcode(copy.handle()), sqlite3_errmsg(copy.handle()));
  sqlite3_backup_step(backup, -1);
  const int code = sqlite3_backup_finish(backup);
  if (code != SQLITE_OK) throw DatabaseError(code, sqlite3_errmsg(copy.handle()));
}

Status finish(const std::string& unfinished, const std::string& path) {
  if (Status durable = make_durable(unfinished); !durable) return durable;
  if (renameat2(AT_FDCWD, unfinished.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) return already_there(path);
    return failed(fmt::format("{}: cannot be made: {}", path, std::strerror(errno)));
  }
  return make_durable(path);
}

}  // namespace

Status back_up(Connection& source, const std::string& path) {
  if (std::filesystem::exists(path)) return already_there(path);
  std::string unfinished = path + ".XXXXXX";
  if (const Descriptor made(mkostemp(unfinished.data(), O_CLOEXEC)); made.number() < 0)  // for its owner alone
    return failed(fmt::format("{}: cannot be made: {}", path, std::strerror(errno)));
  Status status;
  try {
    copy(source, unfinished);
    status = finish(unfinished, path);
  } catch (const DatabaseError& error) {
    status = failed(fmt::format("{}: cannot be written: {}", path, error.what()));
  }
  if (!status) unlink(unfinished.c_str());
  return status;
}

}  // namespace stad::server
