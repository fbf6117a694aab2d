#pragma once

#include <unistd.h>

#include <string>
#include <utility>

#include <stad/error.hpp>

namespace stad {

/// An open file that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }
  int number() const { return fd_; }

  /// Closes now and tells whether that went well: some file systems report a failed write only here.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// `path: No such file or directory`. Invalid where another path would do, failed where the machine gave up.
Error system_error(const std::string& path, int error_number);

}  // namespace stad
