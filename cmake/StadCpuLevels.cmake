# The library once more for each level of x86-64, in the folders where the loader looks for the best one the processor
# can run: lib/glibc-hwcaps/x86-64-v3/libstad.so.0 and so on. For packages, which do not know their processor; a build
# from source uses all of its own (STAD_NATIVE).
option(STAD_CPU_LEVELS "Build the library for x86-64-v2, v3 and v4 too (needs STAD_NATIVE=OFF)" OFF)
if(NOT STAD_CPU_LEVELS)
  return()
endif()
if(STAD_NATIVE)
  message(FATAL_ERROR "STAD_CPU_LEVELS is ON, so the library itself must run anywhere; set STAD_NATIVE=OFF")
endif()

get_target_property(sources stad_rooms SOURCES)
foreach(level x86-64-v2 x86-64-v3 x86-64-v4)
  set(target stad-${level})
  add_library(${target} SHARED ${sources})
  target_compile_options(${target} PRIVATE -march=${level})
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:stad_rooms,COMPILE_DEFINITIONS>)
  target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:stad_rooms,INCLUDE_DIRECTORIES>)
  target_link_libraries(${target} PRIVATE $<TARGET_PROPERTY:stad_rooms,LINK_LIBRARIES>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME stad VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/glibc-hwcaps/${level})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level}
    COMPONENT runtime NAMELINK_SKIP)
endforeach()
