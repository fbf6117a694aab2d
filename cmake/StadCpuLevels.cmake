# Additional builds of libstad, one for each level of x86-64, in the folders in which the dynamic loader searches for
# the best build the processor can run: lib/glibc-hwcaps/x86-64-v3/libstad.so.0 and so on. They are meant for packages,
# which are built for an unknown processor; a build from source uses all instructions of its own machine (STAD_NATIVE).
set(STAD_CPU_LEVELS "" CACHE STRING
  "x86-64 levels to build libstad for in addition, such as x86-64-v3;x86-64-v4 (requires STAD_NATIVE=OFF)")
if(NOT STAD_CPU_LEVELS)
  return()
endif()
if(STAD_NATIVE)
  message(FATAL_ERROR
    "STAD_CPU_LEVELS is ${STAD_CPU_LEVELS}, which requires a base library for any processor; set STAD_NATIVE=OFF")
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  message(STATUS "STAD_CPU_LEVELS ignored: they are levels of x86-64, the target is ${CMAKE_SYSTEM_PROCESSOR}")
  return()
endif()

# Unity builds group the sources as the modules themselves do, because names in unnamed namespaces are unique only
# within a module.
set(sources "")
foreach(module ${runtime_modules})
  get_target_property(files stad_${module} SOURCES)
  get_target_property(batch stad_${module} UNITY_BUILD_BATCH_SIZE)
  set(index 0)
  foreach(file ${files})
    if(STAD_UNITY)
      math(EXPR group "${index} / ${batch}")
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${module}_${group})
    endif()
    math(EXPR index "${index} + 1")
  endforeach()
  list(APPEND sources ${files})
endforeach()

foreach(level ${STAD_CPU_LEVELS})
  set(target stad-${level})
  add_library(${target} SHARED ${sources})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE stad_headers ${runtime_libraries})
  target_link_options(${target} PRIVATE -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/c/symbols.map)
  target_compile_options(${target} PRIVATE -march=${level})
  if(STAD_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME stad VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/glibc-hwcaps/${level})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level}
    COMPONENT runtime NAMELINK_SKIP)
endforeach()
