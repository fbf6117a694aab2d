#include "server/store/database_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "server/store/schema.hpp"

namespace stad::server {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnerOnly = 0600;
constexpr mode_t kOwnersFolder = 0700;
// Where SQLite's file format keeps what tells files apart; big-endian.
constexpr std::size_t kHeaderLength = 100;
constexpr std::size_t kVersionPlace = 60;
constexpr std::size_t kApplicationPlace = 68;

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
  const std::uint32_t application = big_endian(header.data() + kApplicationPlace);
  if (application != kApplicationId)
    return invalid(
        fmt::format("{}: is a database of another program (application_id {:#x}, must be {:#x}); name another "
                    "file",
                    path, application, kApplicationId));
  if (const std::string complaint = newer_version_complaint(big_endian(header.data() + kVersionPlace));
      !complaint.empty())
    return invalid(fmt::format("{}: {}", path, complaint));
  return {};
}

/// Twice SQLite's own: a state of 600 KB takes a seventh less time, smaller ones no more (benchmarks/store.cpp).
constexpr int kPageSize = 8192;

Status make_file(const std::string& path) {
  if (fs::exists(path + "-wal"))
    return invalid(
        fmt::format("{0}: is not there, but its log {0}-wal is; put the file back, or take the log away", path));
  const std::string unfinished = path + ".new";
  unlink(unfinished.c_str());
  if (const Descriptor made(open(unfinished.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kOwnerOnly));
      made.number() < 0)
    return failed_with_errno(path, "cannot be made");
  try {
    Connection connection(unfinished);
    connection.execute(fmt::format("PRAGMA page_size = {}", kPageSize));
    bring_up_to_date(connection, schema_steps());
  } catch (const DatabaseError& error) {
    unlink(unfinished.c_str());
    return failed(fmt::format("{}: cannot be made: {}", path, error.what()));
  }
  if (rename(unfinished.c_str(), path.c_str()) != 0) return failed_with_errno(path, "cannot be made");
  return make_durable(path);
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Status make_folder(const std::string& folder) {
  if (folder.empty() || fs::is_directory(folder)) return {};
  if (Status above = make_folder(fs::path(folder).parent_path()); !above) return above;
  if (mkdir(folder.c_str(), kOwnersFolder) != 0 && errno != EEXIST) return failed_with_errno(folder, "cannot be made");
  return {};
}

Result<Descriptor> lock_beside(const std::string& path) {
  const std::string lock = path + ".lock";
  Descriptor file(open(lock.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, kOwnerOnly));
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
  if (error) return failed(fmt::format("{}: cannot be looked at: {}", path, error.message()));
  if (status.type() != fs::file_type::regular) return invalid(fmt::format("{}: is not a file", path));
  if (fs::file_size(path, error) == 0 && !error) return make_file(path);
  return check_header(path);
}

Status make_durable(const std::string& path) {
  const std::string folder = fs::path(path).parent_path();
  for (const std::string& name : {path, folder.empty() ? std::string(".") : folder}) {
    const Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0 || fsync(file.number()) != 0) return failed_with_errno(name, "cannot be made durable");
  }
  return {};
}

}  // namespace stad::server
