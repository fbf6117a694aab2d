#pragma once

#include <stad/error.hpp>
#include <stad/files.hpp>

#include "io/bytes.hpp"

namespace stad {

/// What a file's bytes hold. Messages do not name the file yet.
Result<FileSummary> summarise(Bytes file);

}  // namespace stad
