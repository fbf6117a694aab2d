#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <stad/error.hpp>

#include "io/bytes.hpp"

namespace stad {

/// The bytes of a file and the owner of their memory.
struct FileBytes {
  Bytes bytes;
  std::shared_ptr<const void> storage;
};

/// Maps a regular file, so that only the pages in use are read; reads a pipe, a device or `-` (standard input) to the
/// end. As with every mapping, access fails with SIGBUS if another program truncates the file meanwhile; replace_file()
/// never truncates.
Result<FileBytes> read_file(const std::string& path);

/// Wraps bytes already in memory and owns them.
FileBytes own_bytes(std::string bytes);

/// The name of the path in messages: "standard input" for `-`.
std::string file_name(const std::string& path);

/// Replaces a file atomically: after a crash the path holds the whole old or the whole new content. Writes a temporary
/// file in the same directory, syncs it and renames it. A symbolic link is kept and its target replaced; a device or
/// pipe is written directly.
Status replace_file(const std::string& path, std::string_view content);

}  // namespace stad
