#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stad::server {

/// Of the datatypes of the Open Inference Protocol those that are read here.
enum class Datatype { kFp16, kFp32, kFp64, kInt64 };

std::optional<Datatype> datatype_named(std::string_view name);
std::string_view name_of(Datatype datatype);
std::size_t bytes_of(Datatype datatype);  ///< of one value

/// Where a finite value does not fit float32.
struct Overflow {
  std::size_t index;
  double value;
};

/// Little-endian values as float32. An infinity or a NaN of the client stays one. `bytes` may stand at any address.
/// @return the first value that would become an infinity
std::optional<Overflow> to_floats(Datatype datatype, std::string_view bytes, float* out);

}  // namespace stad::server
