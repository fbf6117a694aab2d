#pragma once

#include <string>
#include <utility>

#include <stad/error.hpp>

#include "serving/store/sqlite.hpp"

namespace stad::serving {

/// Owning file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// Creates missing folders, accessible to their owner only.
Status make_folder(const std::string& folder);

enum class FolderAccess {
  kPrivate,      ///< the mode was 0700, or 2700
  kMadePrivate,  ///< the mode is 0700 now
  kShared        ///< others have access, and the mode cannot be set, since the folder belongs to another user
};
/// Sets the mode of the folder to 0700. Fails for folders of all users, such as /tmp.
Result<FolderAccess> make_private(const std::string& folder);

/// Locks PATH.lock as long as the result lives, so that no second process opens the file. A lock that is a symbolic
/// link is an error: another user may have made it.
Result<FileDescriptor> lock_beside(const std::string& path);

/// Creates the file atomically, accessible to its owner only, if it does not exist. Fails, without a change, for files
/// of other programs and of newer versions.
Status make_or_check_file(const std::string& path);

/// Flushes the content of the file and its directory entry to disk.
Status make_durable(const std::string& path);

/// Copies a consistent state of the database to a new file.
Status back_up(SqliteConnection& source, const std::string& path);

}  // namespace stad::serving
