#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace stad::benchmarks {

/// Ends the program if a result is wrong, because its time is meaningless.
inline void require(bool kept, const std::string& complaint) {
  if (kept) return;
  std::fprintf(stderr, "benchmark: %s; nothing more is timed\n", complaint.c_str());
  std::exit(1);
}

}  // namespace stad::benchmarks
