#pragma once

#include <stad/error.hpp>
#include <stad/source_model.hpp>

#include "io/file_bytes.hpp"

namespace stad {

/// A head from a file's bytes. Messages do not name the file yet.
Result<SourceModel> decode_source(const FileBytes& file);

}  // namespace stad
