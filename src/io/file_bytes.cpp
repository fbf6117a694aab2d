#include "io/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/try.hpp"
#include "io/descriptor.hpp"

namespace stad {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;

Result<FileBytes> read_to_end(const std::string& path, int fd) {
  std::string content;
  while (true) {
    const std::size_t filled = content.size();
    content.resize(filled + kChunk);
    const ssize_t count = ::read(fd, content.data() + filled, kChunk);
    content.resize(filled + static_cast<std::size_t>(count > 0 ? count : 0));
    if (count == 0) return own_bytes(std::move(content));
    if (count < 0 && errno != EINTR) return system_error(file_name(path), errno);
  }
}

/// No mapping on this file system: null.
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
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0) return system_error(path, errno);
  if (S_ISDIR(status.st_mode)) return invalid(path + ": is a directory, must be a file");
  // Files of size 0 may still have content: those of /proc do.
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    if (auto mapped = map(file.number(), size)) {
      const Bytes bytes(static_cast<const std::byte*>(mapped.get()), size);
      return FileBytes{bytes, std::move(mapped)};
    }
  }
  return read_to_end(path, file.number());
}

}  // namespace stad
