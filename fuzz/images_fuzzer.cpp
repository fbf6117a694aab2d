#include <cstddef>
#include <cstdint>

#include "io/formats.hpp"

// Any archive as images. Without the magic it would be refused at the door.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const stad::FileBytes file{stad::as_bytes(data, size), {}};
  if (!stad::as_text(file.bytes).starts_with("PK")) return 0;
  (void)stad::decode_images(file);
  return 0;
}
