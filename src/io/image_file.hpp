#pragma once

#include <stad/error.hpp>
#include <stad/streams.hpp>

#include "io/file_bytes.hpp"

namespace stad {

/// Images from a file's bytes. Messages do not name the file yet.
Result<ImageStream> decode_images(const FileBytes& file);

}  // namespace stad
