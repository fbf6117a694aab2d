#include "support/places.hpp"

namespace stad::testing {

const char* const kSharedFolder = STAD_SHARED_DIR;
const char* const kSourceFolder = STAD_SOURCE_DIR;
const char* const kModulesFile = STAD_MODULES_FILE;
const char* const kCommand = STAD_COMMAND;
const bool kHasTorch = STAD_HAS_TORCH;

}  // namespace stad::testing
