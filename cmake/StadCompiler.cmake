# Language, warnings and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wpedantic -Wno-sign-conversion)
# g++ 12 gives false warnings in Eigen's AVX-512 kernels and std::string.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict)
endif()

# Bit-identical results are part of the contract: sums are not reordered at any optimisation level. errno of
# mathematical functions is not used, and setting it would prevent vectorisation.
add_compile_options(-fno-fast-math -fno-math-errno)

if(STAD_NATIVE)
  add_compile_options(-march=native)
endif()

if(STAD_SANITIZE)
  add_compile_options(-fsanitize=${STAD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${STAD_SANITIZE})
endif()

# libFuzzer is guided by branch coverage, so every source must be instrumented.
if(STAD_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# CCACHE_BASEDIR makes paths below the source folder relative, so that clones in other folders share compiled objects.
# Debug information of sanitizer builds contains the folder of the first clone, which is acceptable.
find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(STAD_CCACHE AND CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR})
  if(STAD_SANITIZE)
    list(APPEND launcher CCACHE_NOHASHDIR=true)
  endif()
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher} ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher} ${CCACHE})
endif()
