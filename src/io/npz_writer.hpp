#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "io/bytes.hpp"

namespace stad {

/// Collects arrays and turns them into an archive. Numbers are read in place: they must outlive `encode`, except for
/// those said to be copied.
class NpzWriter {
 public:
  void add(std::string name, MatrixView rows);
  void add(std::string name, std::span<const float> values);
  void add(std::string name, std::span<const double> values);
  void add(std::string name, std::span<const std::int64_t> values);
  void add(std::string name, std::vector<Index> shape, std::span<const std::uint8_t> values);
  Status add(std::string name, std::span<const std::string> texts);  ///< refuses what is not UTF-8

  void add_copy(std::string name, std::span<const std::int64_t> values);

  /// Stored, not compressed: embeddings hardly shrink. The same arrays give the same bytes, whenever written.
  Result<std::string> encode() const;

 private:
  struct Member {
    std::string name;
    std::string header;
    Bytes data;
  };
  void add(std::string name, std::string_view type, std::vector<Index> shape, Bytes data);

  std::vector<Member> members_;
  std::deque<std::string> owned_;  ///< what could not be read in place
};

}  // namespace stad
