#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/descriptor.hpp"

namespace stad {
namespace {

constexpr mode_t kMode = 0666;  // less the umask, as for any file a person makes

/// 0, or the error number.
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

/// The file behind a symbolic link, so that the link survives; the path itself where there is nothing yet.
std::string resolve_links(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), ::free);
  return real ? std::string(real.get()) : path;
}

/// A file that goes away unless it was renamed.
class TemporaryFile {
 public:
  /// The name is short whatever the target's, and no other writer's: not of this process, not of another.
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

/// The new name is on the disk only when the directory is. Not every file system can do it, and a directory we may
/// not read is no reason to call a finished write a failure.
Status sync_directory(const std::string& path, const std::string& directory) {
  const Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open() && ::fsync(opened.number()) != 0 && errno == EIO) return system_error(path, errno);
  return {};
}

Status write_directly(const std::string& path, std::string_view content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
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
  Descriptor file(temporary.number());
  if (!file.is_open()) return system_error(path, errno);
  if (const int error = write_all(file.number(), content)) return system_error(path, error);
  if (::fsync(file.number()) != 0 || !file.close()) return system_error(path, errno);
  if (!temporary.rename_to(target)) return system_error(path, errno);
  return sync_directory(path, directory);
}

}  // namespace stad
