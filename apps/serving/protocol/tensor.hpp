#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stad::serving {

/// The datatypes of the Open Inference Protocol that requests may use.
enum class Datatype { kFp16, kFp32, kFp64, kInt64 };

std::optional<Datatype> datatype_named(std::string_view name);
std::string_view name_of(Datatype datatype);
std::size_t bytes_of(Datatype datatype);  ///< of one value

/// A finite value beyond the range of float32.
struct Overflow {
  std::size_t index;
  double value;
};

/// Converts little-endian values to float32; infinities and NaNs are preserved. `bytes` need not be aligned.
/// @return the first value that overflows, if any
std::optional<Overflow> to_floats(Datatype datatype, std::string_view bytes, float* out);

}  // namespace stad::serving
