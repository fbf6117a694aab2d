#pragma once

#include <vector>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

namespace stad {

// Rules for the arrays of a source, whose messages begin with "source: ".

/// An absent array has length 0.
Status check_source_length(const char* field, Index length, Index expected, const char* meaning);

/// Every value finite and of a magnitude that products can hold.
Status check_source_values(const char* field, MatrixView values);

inline MatrixView as_row(const std::vector<float>& values) {
  return {values.data(), 1, static_cast<Index>(values.size())};
}

}  // namespace stad
