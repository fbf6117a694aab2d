#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "io/array.hpp"
#include "io/bytes.hpp"

struct zip;

namespace stad {

/// Directory entry of an archive.
struct NpzEntry {
  std::uint64_t index = 0;
  std::string name;  ///< without ".npy"
  std::uint64_t size = 0;
  std::uint64_t compressed_size = 0;
  bool is_encrypted = false;
  std::uint16_t compression = 0;
};

/// An npz archive in memory. Arrays are decompressed and checked when they are read, not before.
class Npz {
 public:
  /// The bytes must outlive the archive.
  static Result<Npz> open(Bytes archive);

  const std::vector<NpzEntry>& entries() const { return entries_; }

  /// The array of that name, or none.
  Result<std::optional<Array>> read(std::string_view name) const;

  /// The array of that name; if it is absent, an error that lists the names present.
  Result<Array> require(std::string_view name) const;

  /// Reads the header alone; any element type is accepted.
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

/// Collects arrays and encodes them as an npz archive. Numbers are not copied and must outlive encode(), except those
/// given to add_copy().
class NpzWriter {
 public:
  void add(std::string name, MatrixView rows);
  void add(std::string name, std::span<const float> values);
  void add(std::string name, std::span<const double> values);
  void add(std::string name, std::span<const std::int64_t> values);
  void add(std::string name, std::vector<Index> shape, std::span<const std::uint8_t> values);
  Status add(std::string name, std::span<const std::string> texts);  ///< fails on text that is not UTF-8

  void add_copy(std::string name, std::span<const std::int64_t> values);
  void add_copy(std::string name, Bytes bytes);

  /// Entries are stored without compression, because embeddings hardly compress. The result depends on the arrays
  /// alone, not on the time of writing.
  Result<std::string> encode() const;

 private:
  struct Member {
    std::string name;
    std::string header;
    Bytes data;
  };
  void add(std::string name, std::string_view type, std::vector<Index> shape, Bytes data);

  std::vector<Member> members_;
  std::deque<std::string> owned_;  ///< bytes of copied arrays
};

}  // namespace stad
