#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/places.hpp"

namespace stad::testing {

/// Path of a file or folder of the golden cases and real data, which are not part of the repository.
inline std::string shared_path(const std::string& name) { return std::string(kSharedFolder) + "/" + name; }

inline bool is_shared(const std::string& name) { return std::filesystem::exists(shared_path(name)); }

/// Skips the test with a message if the files are absent.
#define STAD_NEEDS_SHARED(name)                                                      \
  if (!::stad::testing::is_shared(name))                                             \
  GTEST_SKIP() << "SKIPPED FOR WANT OF DATA: " << ::stad::testing::shared_path(name) \
               << " is absent; this was NOT checked (set STAD_SHARED_DIR)"

/// Skips the test if the torch component was not built. A component that was built must load.
#define STAD_NEEDS_TORCH()         \
  if (!::stad::testing::kHasTorch) \
  GTEST_SKIP() << "SKIPPED FOR WANT OF THE TORCH COMPONENT: libtorch-dev is absent; this was NOT checked"

}  // namespace stad::testing
