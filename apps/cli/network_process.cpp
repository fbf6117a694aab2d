#include "cli/network_process.hpp"

#include <malloc.h>

#include <cstdlib>

namespace stad::cli {

void prepare_for_networks() {
  mallopt(M_MMAP_MAX, 0);         // no mapping for a single block, however large
  mallopt(M_TRIM_THRESHOLD, -1);  // nothing given back
  mallopt(M_TOP_PAD, 64 << 20);   // grown in large steps
  mallopt(M_ARENA_MAX, 1);        // one heap for all threads: the others' are bounded
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
}

}  // namespace stad::cli
