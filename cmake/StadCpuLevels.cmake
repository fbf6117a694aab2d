# The library once more for each level of x86-64, in the folders where the loader looks for the best one the processor
# can run: lib/glibc-hwcaps/x86-64-v3/libstad.so.0 and so on. For packages, which do not know their processor; a build
# from source uses all of its own (STAD_NATIVE).
set(STAD_CPU_LEVELS "" CACHE STRING "Levels to build the library for too, such as x86-64-v3;x86-64-v4 (needs STAD_NATIVE=OFF)")
if(NOT STAD_CPU_LEVELS)
  return()
endif()
if(STAD_NATIVE)
  message(FATAL_ERROR
    "STAD_CPU_LEVELS is ${STAD_CPU_LEVELS}, so the library itself must run anywhere; set STAD_NATIVE=OFF")
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  message(STATUS "STAD_CPU_LEVELS are levels of x86-64, this is ${CMAKE_SYSTEM_PROCESSOR}: one library for all")
  return()
endif()

# Whatever was said about `target` in src/CMakeLists.txt holds for each level as well.
function(stad_like level target)
  foreach(property COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_LIBRARIES LINK_OPTIONS LINK_DEPENDS VERSION SOVERSION)
    get_target_property(value ${target} ${property})
    if(NOT value MATCHES "-NOTFOUND$")  # a version of 0 is one, too
      set_property(TARGET ${level} APPEND PROPERTY ${property} ${value})
    endif()
  endforeach()
endfunction()

get_target_property(sources stad_rooms SOURCES)
foreach(level ${STAD_CPU_LEVELS})
  set(target stad-${level})
  add_library(${target} SHARED ${sources})
  stad_like(${target} stad_rooms)
  stad_like(${target} stad)
  target_compile_options(${target} PRIVATE -march=${level})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME stad
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/glibc-hwcaps/${level})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level}
    COMPONENT runtime NAMELINK_SKIP)
endforeach()
