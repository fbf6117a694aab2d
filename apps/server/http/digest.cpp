#include "server/http/digest.hpp"

#include <bit>
#include <cstring>

namespace stad::server {
namespace {

/// Eight bytes at a time; each step can be undone, so that no difference is lost.
void mix(std::uint64_t& digest, std::uint64_t value) { digest = std::rotl((digest ^ value) * 0x9E3779B97F4A7C15u, 29); }

void mix_bytes(std::uint64_t& digest, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  mix(digest, size);
  for (; size >= 8; size -= 8, bytes += 8) {
    std::uint64_t value;
    std::memcpy(&value, bytes, 8);
    mix(digest, value);
  }
  std::uint64_t rest = 0;
  if (size > 0) std::memcpy(&rest, bytes, size);  // of nothing there may be no address
  mix(digest, rest);
}

}  // namespace

std::uint64_t digest_of(const InferRequest& request) {
  std::uint64_t digest = 0;
  mix(digest, static_cast<std::uint64_t>(request.features.rows()));
  mix_bytes(digest, request.features.data(), static_cast<std::size_t>(request.features.size()) * sizeof(float));
  mix_bytes(digest, request.row_ids.data(), request.row_ids.size() * sizeof(std::int64_t));
  mix(digest, std::bit_cast<std::uint64_t>(request.time.value_or(0)));
  mix(digest, (request.adapt ? 1u : 0u) | (request.starts ? 2u : 0u) | (request.ends ? 4u : 0u));
  return digest;
}

}  // namespace stad::server
