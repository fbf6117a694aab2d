#include <cstddef>
#include <cstdint>

#include "io/array.hpp"
#include "io/file_access.hpp"

// Decodes any bytes as an npy file: every conversion succeeds or returns an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const stad::FileBytes file{stad::as_bytes(data, size), {}};
  const auto array = stad::decode_npy("x", file.bytes, file.storage);
  if (!array) return 0;
  (void)stad::to_rows(*array);
  (void)stad::to_matrix(*array);
  (void)stad::to_floats(*array);
  (void)stad::to_doubles(*array);
  (void)stad::to_integers(*array);
  (void)stad::to_names(*array);
  return 0;
}
