#pragma once

#include <memory>
#include <string>

#include <stad/error.hpp>

#include "io/bytes.hpp"

namespace stad {

/// A file's bytes, and what keeps them in memory.
struct FileBytes {
  Bytes bytes;
  std::shared_ptr<const void> storage;
};

/// Maps a regular file, so that only what is looked at is read; reads a pipe, a device or `-` (standard input) to the
/// end. As with every mapping, a file that another program shortens meanwhile ends in SIGBUS; our own writers replace
/// files and never shorten them.
Result<FileBytes> read_file(const std::string& path);

/// Bytes that are already there, owned.
FileBytes own_bytes(std::string bytes);

/// How messages name the path.
std::string file_name(const std::string& path);

}  // namespace stad
