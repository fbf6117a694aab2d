# A module is a folder of sources with a CMake target of its own. It may include only the modules listed in DEPENDS.
# tests/architecture checks every #include of src, eval, torch and apps against the table written here, one line for
# each module: "name folder | public headers | depends".

option(STAD_UNITY "Compile the sources of a module together: faster full builds, slower incremental builds" OFF)

set(STAD_MODULES_FILE ${PROJECT_BINARY_DIR}/modules.txt)
file(WRITE ${STAD_MODULES_FILE} "")

# stad_declare_module(NAME FOLDER folder [PUBLIC header...] [DEPENDS module...]): adds a row to the table without a
# target.
function(stad_declare_module name)
  cmake_parse_arguments(MODULE "" "FOLDER" "PUBLIC;DEPENDS" ${ARGN})
  list(JOIN MODULE_PUBLIC " " headers)
  list(JOIN MODULE_DEPENDS " " depends)
  file(APPEND ${STAD_MODULES_FILE} "${name} ${MODULE_FOLDER} | ${headers} | ${depends}\n")
endfunction()

# stad_unity(target): compiles a few large sources instead of many small ones where STAD_UNITY is on. Sources of one
# batch share a translation unit, so names in their unnamed namespaces must differ.
function(stad_unity target)
  cmake_parse_arguments(UNITY "" "BATCH" "" ${ARGN})
  if(STAD_UNITY)
    if(NOT UNITY_BATCH)
      set(UNITY_BATCH 16)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${UNITY_BATCH})
  endif()
endfunction()

# stad_module(NAME [FOLDER folder] [KIND STATIC|OBJECT] [PUBLIC header...] [DEPENDS module...] [LINK library...]
#   [SOURCES file...] [BATCH n]): target stad_NAME from the sources of FOLDER/NAME, or of those listed.
# PUBLIC are headers of include/stad; LINK are libraries that are not modules.
function(stad_module name)
  cmake_parse_arguments(MODULE "" "FOLDER;KIND;BATCH" "PUBLIC;DEPENDS;LINK;SOURCES" ${ARGN})
  if(NOT MODULE_FOLDER)
    set(MODULE_FOLDER src)
  endif()
  if(NOT MODULE_KIND)
    set(MODULE_KIND OBJECT)
  endif()
  set(folder ${MODULE_FOLDER}/${name})
  stad_declare_module(${name} FOLDER ${folder} PUBLIC ${MODULE_PUBLIC} DEPENDS ${MODULE_DEPENDS})
  if(NOT MODULE_SOURCES)
    file(GLOB MODULE_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  endif()
  string(REPLACE "/" "_" target stad_${name})
  add_library(${target} ${MODULE_KIND} ${MODULE_SOURCES})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/${MODULE_FOLDER})
  set(depends ${MODULE_DEPENDS})
  list(TRANSFORM depends REPLACE "/" "_")
  list(TRANSFORM depends PREPEND stad_)
  target_link_libraries(${target} PUBLIC ${depends} ${MODULE_LINK})
  stad_unity(${target} BATCH ${MODULE_BATCH})
endfunction()
