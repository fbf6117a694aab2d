#include <cstddef>
#include <cstdint>

#include "io/formats.hpp"

// Decodes any archive as a source, as a stream and for inspection. The magic is prepended, because other formats have
// fuzzers of their own.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const stad::FileBytes file{stad::as_bytes(data, size), {}};
  if (!stad::as_text(file.bytes).starts_with("PK")) return 0;
  (void)stad::decode_source(file);
  (void)stad::decode_stream(file, {});
  (void)stad::summarise(file.bytes);
  return 0;
}
