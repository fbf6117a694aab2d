#include "serving/store/database_file.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "serving/store/schema.hpp"

namespace stad::serving {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnerOnly = 0600;
constexpr mode_t kOwnersFolder = 0700;
// Offsets in the header of SQLite's file format; big-endian.
constexpr std::size_t kHeaderLength = 100;
constexpr std::size_t kVersionOffset = 60;
constexpr std::size_t kApplicationOffset = 68;

Error failed_with_errno(const std::string& path, const char* what) {
  return failed(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

std::uint32_t big_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

Status check_header(const std::string& path) {
  std::array<char, kHeaderLength> header{};
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed_with_errno(path, "cannot be read");
  file.read(header.data(), header.size());
  if (file.gcount() < static_cast<std::streamsize>(kHeaderLength) || std::strcmp(header.data(), "SQLite format 3") != 0)
    return invalid(fmt::format("{}: is not a SQLite database; name another file", path));
  const std::uint32_t application = big_endian(header.data() + kApplicationOffset);
  if (application != kApplicationId)
    return invalid(
        fmt::format("{}: is a database of another program (application_id {:#x}, must be {:#x}); name another "
                    "file",
                    path, application, kApplicationId));
  if (const std::string error = newer_version_error(big_endian(header.data() + kVersionOffset)); !error.empty())
    return invalid(fmt::format("{}: {}", path, error));
  return {};
}

/// Twice SQLite's default: a state of 600 KB is written in a seventh less time, smaller ones in the same
/// (benchmarks/store.cpp).
constexpr int kPageSize = 8192;

Status make_file(const std::string& path) {
  if (fs::exists(path + "-wal"))
    return invalid(
        fmt::format("{0}: does not exist, but its log {0}-wal does; restore the file, or remove the log", path));
  const std::string unfinished = path + ".new";
  unlink(unfinished.c_str());
  if (const FileDescriptor made(open(unfinished.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kOwnerOnly));
      made.number() < 0)
    return failed_with_errno(path, "cannot be made");
  try {
    SqliteConnection connection(unfinished);
    connection.execute(fmt::format("PRAGMA page_size = {}", kPageSize));
    migrate(connection, schema_steps());
  } catch (const DatabaseError& error) {
    unlink(unfinished.c_str());
    return failed(fmt::format("{}: cannot be made: {}", path, error.what()));
  }
  if (rename(unfinished.c_str(), path.c_str()) != 0) return failed_with_errno(path, "cannot be made");
  return make_durable(path);
}

Error already_there(const std::string& path) {
  return invalid(fmt::format("{}: exists already and is not replaced; name another file", path));
}

/// The read transaction fixes the snapshot; without it every write would restart the copy. Writers continue in the log.
void copy(SqliteConnection& source, const std::string& path) {
  SqliteConnection copy(path);
  copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");  // flushed as a whole afterwards
  Transaction snapshot(source, Transaction::Kind::kRead);
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

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

Status make_folder(const std::string& folder) {
  if (folder.empty() || fs::is_directory(folder)) return {};
  if (Status above = make_folder(fs::path(folder).parent_path()); !above) return above;
  if (mkdir(folder.c_str(), kOwnersFolder) != 0 && errno != EEXIST) return failed_with_errno(folder, "cannot be made");
  return {};
}

Result<FolderAccess> make_private(const std::string& folder) {
  const FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (opened.number() < 0 || fstat(opened.number(), &status) != 0) return failed_with_errno(folder, "cannot be opened");
  // Setgid, which a folder inherits on volumes of Kubernetes with an fsGroup, grants no access.
  if ((status.st_mode & 07777 & ~S_ISGID) == kOwnersFolder) return FolderAccess::kPrivate;
  if ((status.st_mode & S_ISVTX) != 0)
    return invalid(fmt::format("{}: is a folder of all users; name a folder of the service's own", folder));
  return fchmod(opened.number(), kOwnersFolder) == 0 ? FolderAccess::kMadePrivate : FolderAccess::kShared;
}

Result<FileDescriptor> lock_beside(const std::string& path) {
  const std::string lock = path + ".lock";
  FileDescriptor file(open(lock.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, kOwnerOnly));
  if (file.number() < 0) return failed_with_errno(lock, "cannot be opened");
  if (flock(file.number(), LOCK_EX | LOCK_NB) == 0) {
    const std::string holder = fmt::format("{}\n", getpid());
    if (ftruncate(file.number(), 0) != 0 || write(file.number(), holder.data(), holder.size()) < 0)
      return failed_with_errno(lock, "cannot be written");
    return file;
  }
  if (errno != EWOULDBLOCK) return failed_with_errno(lock, "cannot be locked");
  long holder = 0;
  std::ifstream(lock) >> holder;
  const std::string who = holder > 0 ? fmt::format("process {}", holder) : "another process";
  return invalid(fmt::format("{}: is in use by {}; stop it, or name another file", path, who));
}

Status make_or_check_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return make_file(path);
  if (error) return failed(fmt::format("{}: cannot be inspected: {}", path, error.message()));
  if (status.type() != fs::file_type::regular) return invalid(fmt::format("{}: is not a file", path));
  if (fs::file_size(path, error) == 0 && !error) return make_file(path);
  return check_header(path);
}

Status make_durable(const std::string& path) {
  const std::string folder = fs::path(path).parent_path();
  for (const std::string& name : {path, folder.empty() ? std::string(".") : folder}) {
    const FileDescriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0 || fsync(file.number()) != 0) return failed_with_errno(name, "cannot be made durable");
  }
  return {};
}

Status back_up(SqliteConnection& source, const std::string& path) {
  if (std::filesystem::exists(path)) return already_there(path);
  std::string unfinished = path + ".XXXXXX";
  if (const FileDescriptor made(mkostemp(unfinished.data(), O_CLOEXEC));
      made.number() < 0)  // accessible to its owner only
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

}  // namespace stad::serving
