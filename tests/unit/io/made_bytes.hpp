#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes.hpp"
#include "io/file_access.hpp"

// Builds files byte by byte, independently of the writers of the library, so that tests can corrupt single fields.
namespace stad::made {

template <typename T>
std::string values(std::initializer_list<T> numbers) {
  std::string bytes;
  for (const T number : numbers) append(bytes, number);
  return bytes;
}

/// The same in big-endian order.
template <typename T>
std::string swapped(std::initializer_list<T> numbers) {
  std::string bytes;
  for (const T number : numbers) {
    const std::string one = values({number});
    bytes.append(one.rbegin(), one.rend());
  }
  return bytes;
}

inline std::string npy_of(std::string_view dictionary, std::string_view data, char version = 1) {
  std::string file = "\x93NUMPY";
  file += {version, '\0'};
  if (version == 1) {
    append(file, static_cast<std::uint16_t>(dictionary.size()));
  } else {
    append(file, static_cast<std::uint32_t>(dictionary.size()));
  }
  return file.append(dictionary).append(data);
}

inline std::string npy(const std::string& type, const std::string& shape, std::string_view data,
                       const std::string& fortran = "False", char version = 1) {
  std::string dictionary = "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  while ((10 + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  return npy_of(dictionary + '\n', data, version);
}

struct Entry {
  std::string name;
  std::string content;
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::uint16_t flags = 0;   // bit 0: encrypted
  std::int64_t declared_size = -1;
  std::uint32_t checksum_error = 0;
};

inline std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  std::string output(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  deflate(&stream, Z_FINISH);
  output.resize(stream.total_out);
  deflateEnd(&stream);
  return output;
}

inline std::string zip(const std::vector<Entry>& entries) {
  std::string file;
  std::string directory;
  for (const auto& entry : entries) {
    const std::string stored = entry.method == 8 ? deflated(entry.content) : entry.content;
    const auto* const start = reinterpret_cast<const Bytef*>(entry.content.data());
    const auto sum = static_cast<std::uint32_t>(crc32_z(0, start, entry.content.size()));
    std::string common = values<std::uint16_t>({20, entry.flags, entry.method, 0, 33});
    append(common, sum ^ entry.checksum_error);
    append(common, static_cast<std::uint32_t>(stored.size()));
    append(common, static_cast<std::uint32_t>(entry.declared_size < 0 ? static_cast<std::int64_t>(entry.content.size())
                                                                      : entry.declared_size));
    append(common, static_cast<std::uint16_t>(entry.name.size()));
    append(common, std::uint16_t{0});
    const auto offset = static_cast<std::uint32_t>(file.size());
    file += "PK\3\4" + common + entry.name + stored;
    directory += "PK\1\2" + values<std::uint16_t>({20}) + common + values<std::uint16_t>({0, 0, 0}) +
                 values<std::uint32_t>({0, offset}) + entry.name;
  }
  const auto count = static_cast<std::uint16_t>(entries.size());
  const auto offset = static_cast<std::uint32_t>(file.size());
  return file + directory + "PK\5\6" + values<std::uint16_t>({0, 0, count, count}) +
         values<std::uint32_t>({static_cast<std::uint32_t>(directory.size()), offset}) + values<std::uint16_t>({0});
}

}  // namespace stad::made
