#pragma once

namespace stad::testing {

// Where this build keeps what tests look for. One source knows, so that all others compile to the same object wherever
// the house stands, and a compiler cache finds them.

extern const char* const kSharedFolder;  ///< golden cases and real data
extern const char* const kSourceFolder;  ///< the house
extern const char* const kModulesFile;   ///< its rooms and their levels, as CMake wrote them
extern const char* const kCommand;       ///< build/bin/stad
extern const bool kHasTorch;             ///< whether the torch component was built

}  // namespace stad::testing
