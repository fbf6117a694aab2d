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

foreach(level ${STAD_CPU_LEVELS})
  set(target stad-${level})
  set(sources "")
  foreach(module ${runtime_modules})
    get_target_property(files stad_${module} SOURCES)
    list(APPEND sources ${files})
  endforeach()
  add_library(${target} SHARED ${sources})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE stad_headers ${runtime_libraries})
  target_link_options(${target} PRIVATE -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/c/symbols.map)
  target_compile_options(${target} PRIVATE -march=${level})
  stad_unity(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME stad VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/glibc-hwcaps/${level})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level}
    COMPONENT runtime NAMELINK_SKIP)
endforeach()
