#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>

#include "io/array.hpp"
#include "io/bytes.hpp"

struct zip;

namespace stad {

/// One array of an archive, before anything of it is read.
struct NpzEntry {
  std::uint64_t index = 0;
  std::string name;  ///< without ".npy"
  std::uint64_t size = 0;
  std::uint64_t compressed_size = 0;
  bool is_encrypted = false;
  std::uint16_t compression = 0;
};

/// An npz archive in memory. Nothing of an array is looked at before somebody asks for it.
class Npz {
 public:
  /// The bytes must outlive the archive.
  static Result<Npz> open(Bytes archive);

  const std::vector<NpzEntry>& entries() const { return entries_; }

  /// The array of that name, or none.
  Result<std::optional<Array>> read(std::string_view name) const;

  /// The array of that name; an error that lists the others where it is absent.
  Result<Array> require(std::string_view name) const;

  /// The header alone, whatever the type.
  Result<NpyHeader> read_header(const NpzEntry& entry) const;

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };
  Result<const NpzEntry*> find(std::string_view name) const;
  Status check_readable(const NpzEntry& entry) const;
  Result<Array> read_entry(const NpzEntry& entry) const;

  std::unique_ptr<zip, Discard> archive_;
  std::uint64_t bytes_ = 0;
  std::vector<NpzEntry> entries_;
};

}  // namespace stad
