#pragma once

#include <string>
#include <utility>

#include <stad/error.hpp>

namespace stad::server {

/// Closes a file descriptor at its end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// Makes the folders that are missing, for their owner alone.
Status make_folder(const std::string& folder);

/// Holds PATH.lock as long as the result lives, so that no second service opens the file.
Result<Descriptor> lock_beside(const std::string& path);

/// Makes the file if there is none, for its owner alone and whole or not at all. Refuses, and leaves as it was, what is
/// not ours or of a newer version.
Status make_or_check_file(const std::string& path);

/// Makes the file's content and its name durable.
Status make_durable(const std::string& path);

}  // namespace stad::server
