# Finds libtorch and sets STAD_TORCH, STAD_TORCH_INCLUDE_DIR and STAD_TORCH_LIBRARIES. Its own CMake files would add
# compiler flags of the machine it was built on.
find_path(STAD_TORCH_INCLUDE_DIR torch/csrc/jit/api/module.h)
find_library(STAD_TORCH_CPU torch_cpu)
find_library(STAD_TORCH_C10 c10)
mark_as_advanced(STAD_TORCH_INCLUDE_DIR STAD_TORCH_CPU STAD_TORCH_C10)

if(STAD_TORCH_INCLUDE_DIR AND STAD_TORCH_CPU AND STAD_TORCH_C10)
  set(found ON)
else()
  set(found OFF)
endif()
option(STAD_TORCH "Build the torch component: backbones and the methods that adapt them" ${found})
if(STAD_TORCH AND NOT found)
  message(FATAL_ERROR "STAD_TORCH is ON but libtorch was not found; install libtorch-dev or set STAD_TORCH=OFF")
endif()
set(STAD_TORCH_LIBRARIES ${STAD_TORCH_CPU} ${STAD_TORCH_C10})
