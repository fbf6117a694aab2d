#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/formats.hpp"

namespace {

/// An accepted file encodes to itself.
void check(stad::Bytes file) {
  const auto state = stad::decode_state(file);
  if (state && stad::encode_state(*state) != stad::as_text(file)) std::abort();
}

/// The same payload with correct length and checksum, which a fuzzer does not find.
std::string sealed(std::string_view payload) {
  std::string file(stad::kStateMagic);
  stad::append(file, stad::kStateVersion);
  stad::append(file, static_cast<std::uint64_t>(payload.size()));
  stad::append(file, stad::state_checksum(file, payload));
  return file.append(payload);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const stad::Bytes file = stad::as_bytes(data, size);
  check(file);
  if (size >= stad::kStatePayloadOffset)
    check(stad::as_bytes(sealed(stad::as_text(file).substr(stad::kStatePayloadOffset))));
  return 0;
}
