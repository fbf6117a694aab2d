#pragma once

namespace stad::testing {

// Paths of this build. Only places.cpp is compiled with them, so that all other objects are independent of the location
// of the build and a compiler cache can share them.

extern const char* const kSharedFolder;  ///< golden cases and real data
extern const char* const kSourceFolder;  ///< root of the source tree
extern const char* const kModulesFile;   ///< table of the modules, written by CMake
extern const char* const kCommand;       ///< build/bin/stad
extern const bool kHasTorch;             ///< whether the torch component was built

}  // namespace stad::testing
