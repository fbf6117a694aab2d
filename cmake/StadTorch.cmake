# Finds libtorch and sets STAD_TORCH, STAD_TORCH_INCLUDE_DIR and STAD_TORCH_LIBRARIES. The CMake files of libtorch are
# not used, because they add compiler flags of the machine on which it was built.
find_path(STAD_TORCH_INCLUDE_DIR torch/csrc/jit/api/module.h)
find_library(STAD_TORCH_CPU torch_cpu)
find_library(STAD_TORCH_C10 c10)
mark_as_advanced(STAD_TORCH_INCLUDE_DIR STAD_TORCH_CPU STAD_TORCH_C10)

stad_missing(missing libtorch STAD_TORCH_INCLUDE_DIR libtorch_cpu STAD_TORCH_CPU libc10 STAD_TORCH_C10)
stad_optional(STAD_TORCH "Build the torch component: backbones and the methods that adapt them" "${missing}"
  "install libtorch-dev")
set(STAD_TORCH_LIBRARIES ${STAD_TORCH_CPU} ${STAD_TORCH_C10})
