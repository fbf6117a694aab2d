#include <cstddef>
#include <cstdint>

#include "io/formats.hpp"

// Decodes any archive as images. The magic is prepended, because other files are rejected by their first bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const stad::FileBytes file{stad::as_bytes(data, size), {}};
  if (!stad::as_text(file.bytes).starts_with("PK")) return 0;
  (void)stad::decode_images(file);
  return 0;
}
