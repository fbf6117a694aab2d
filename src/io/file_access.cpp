#include "io/file_access.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include <stad/error.hpp>
#include <stad/files.hpp>

#include "base/try.hpp"

namespace stad {
namespace {

/// Owns a file descriptor and closes it on destruction.
class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }
  int number() const { return fd_; }

  /// Closes now and returns whether it succeeded: some file systems report a failed write only here.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// True where another path would succeed; false where the machine failed.
bool is_callers_choice(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case ELOOP:
    case ENAMETOOLONG:
    case EROFS:
    case ENXIO:
      return true;
    default:
      return false;
  }
}

/// An error such as `path: No such file or directory`; its kind follows is_callers_choice().
Error system_error(const std::string& path, int error_number) {
  // generic_category().message() is strerror without its shared buffer.
  auto message = path + ": " + std::generic_category().message(error_number);
  return is_callers_choice(error_number) ? invalid(std::move(message)) : failed(std::move(message));
}

constexpr std::size_t kReadChunk = std::size_t{1} << 18;

Result<FileBytes> read_to_end(const std::string& path, int fd) {
  std::string content;
  while (true) {
    const std::size_t filled = content.size();
    content.resize(filled + kReadChunk);
    const ssize_t count = ::read(fd, content.data() + filled, kReadChunk);
    content.resize(filled + static_cast<std::size_t>(count > 0 ? count : 0));
    if (count == 0) return own_bytes(std::move(content));
    if (count < 0 && errno != EINTR) return system_error(file_name(path), errno);
  }
}

/// Null if the file system supports no mapping.
std::shared_ptr<const void> map(int fd, std::size_t size) {
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (start == MAP_FAILED) return nullptr;
  return {start, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); }};
}

}  // namespace

std::string file_name(const std::string& path) { return path == "-" ? "standard input" : path; }

FileBytes own_bytes(std::string bytes) {
  auto owned = std::make_shared<const std::string>(std::move(bytes));
  return {as_bytes(*owned), owned};
}

Result<FileBytes> read_file(const std::string& path) {
  if (path == "-") return read_to_end(path, STDIN_FILENO);
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0) return system_error(path, errno);
  if (S_ISDIR(status.st_mode)) return invalid(path + ": is a directory, must be a file");
  // Files of size 0 may still have content, as those of /proc do.
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    if (auto mapped = map(file.number(), size)) {
      const Bytes bytes(static_cast<const std::byte*>(mapped.get()), size);
      return FileBytes{bytes, std::move(mapped)};
    }
  }
  return read_to_end(path, file.number());
}

namespace {

constexpr mode_t kMode = 0666;  // the umask applies, as for any new file

/// Returns 0 or the error number.
int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) content.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

std::string directory_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// The target of a symbolic link, so that the link is kept; the path itself if nothing exists there.
std::string resolve_links(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), ::free);
  return real ? std::string(real.get()) : path;
}

/// A file that is deleted on destruction unless it was renamed.
class TemporaryFile {
 public:
  /// The name does not grow with the target's and is unique among the writers of all processes.
  explicit TemporaryFile(const std::string& directory) {
    static std::atomic<unsigned> counter{0};
    do {
      path_ = fmt::format("{}/.stad-{}-{}.tmp", directory, ::getpid(), counter++);
      fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    } while (fd_ < 0 && errno == EEXIST);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd_ >= 0 && !renamed_) ::unlink(path_.c_str());
  }

  int number() const { return fd_; }
  bool rename_to(const std::string& target) { return renamed_ = ::rename(path_.c_str(), target.c_str()) == 0; }

 private:
  std::string path_;
  int fd_ = -1;
  bool renamed_ = false;
};

/// A rename is durable only once the directory is on disk. File systems without directory sync, and directories without
/// read permission, are not errors: the file itself is written.
Status sync_directory(const std::string& path, const std::string& directory) {
  const OpenFile opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open() && ::fsync(opened.number()) != 0 && errno == EIO) return system_error(path, errno);
  return {};
}

Status write_directly(const std::string& path, std::string_view content) {
  OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return system_error(path, errno);
  if (const int error = write_all(file.number(), content)) return system_error(path, error);
  if (!file.close()) return system_error(path, errno);
  return {};
}

}  // namespace

Status replace_file(const std::string& path, std::string_view content) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return invalid(path + ": is a directory, must be a file");
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, content);

  const std::string target = resolve_links(path);
  const std::string directory = directory_of(target);
  TemporaryFile temporary(directory);
  OpenFile file(temporary.number());
  if (!file.is_open()) return system_error(path, errno);
  if (const int error = write_all(file.number(), content)) return system_error(path, error);
  if (::fsync(file.number()) != 0 || !file.close()) return system_error(path, errno);
  if (!temporary.rename_to(target)) return system_error(path, errno);
  return sync_directory(path, directory);
}

Status write_text(const std::string& path, std::string_view text) { return replace_file(path, text); }

}  // namespace stad
