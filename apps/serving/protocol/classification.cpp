#include "serving/protocol/classification.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

namespace stad::serving {
namespace {

static_assert(std::endian::native == std::endian::little, "lengths travel in little-endian order");

std::string text_of(float value, Index index, std::span<const std::string> names) {
  if (names.empty()) return fmt::format("{:f}:{}", value, index);
  return fmt::format("{:f}:{}:{}", value, index, names[static_cast<std::size_t>(index)]);
}

}  // namespace

std::vector<std::string> classes_of(const Matrix& probabilities, std::int64_t count,
                                    std::span<const std::string> names) {
  const Index shown = std::min<Index>(count, probabilities.cols());
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(probabilities.rows() * shown));
  std::vector<Index> order(static_cast<std::size_t>(probabilities.cols()));
  for (Index n = 0; n < probabilities.rows(); ++n) {
    const auto row = probabilities.row(n);
    std::iota(order.begin(), order.end(), Index{0});
    std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                      [&](Index a, Index b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
    for (Index k = 0; k < shown; ++k) texts.push_back(text_of(row[order[k]], order[k], names));
  }
  return texts;
}

std::size_t bytes_of_strings(std::span<const std::string> strings) {
  std::size_t size = 0;
  for (const auto& string : strings) size += sizeof(std::uint32_t) + string.size();
  return size;
}

void append_strings(std::string& out, std::span<const std::string> strings) {
  for (const auto& string : strings) {
    const auto length = static_cast<std::uint32_t>(string.size());
    out.append(reinterpret_cast<const char*>(&length), sizeof(length));
    out += string;
  }
}

}  // namespace stad::serving
