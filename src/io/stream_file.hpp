#pragma once

#include <stad/error.hpp>
#include <stad/files.hpp>
#include <stad/streams.hpp>

#include "io/file_bytes.hpp"

namespace stad {

/// A stream from a file's bytes, of any format. Messages do not name the file yet.
Result<FeatureStream> decode_stream(const FileBytes& file, const CsvColumns& columns);

}  // namespace stad
