#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <stad/matrix.hpp>

namespace stad::serving {

/// The most probable classes of each row as "VALUE:INDEX[:NAME]", the value with six decimals: the classification
/// extension of Triton. Of equal classes that of the lower index comes first.
/// @param count classes of a row, at most all
/// @param names of the classes, or empty
std::vector<std::string> classes_of(const Matrix& probabilities, std::int64_t count,
                                    std::span<const std::string> names);

/// Size and bytes of a binary tensor of type BYTES: each string after its length, four bytes in little-endian order.
std::size_t bytes_of_strings(std::span<const std::string> strings);
void append_strings(std::string& out, std::span<const std::string> strings);

}  // namespace stad::serving
