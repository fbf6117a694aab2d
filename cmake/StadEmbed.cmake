# stad_embed(TARGET NAMESPACE ns HEADER header FUNCTION name FILES path...): compiles the files into the target behind
# `std::string_view name(std::string_view file)` of the namespace, which the header declares. A file is identified by
# its name without the folder; the function returns an empty string for other names.

function(stad_embed target)
  cmake_parse_arguments(EMBED "" "NAMESPACE;HEADER;FUNCTION" "FILES" ${ARGN})
  set(cases "")
  foreach(path IN LISTS EMBED_FILES)
    # Editing the file reruns CMake, so that the embedded copy is never stale.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    cmake_path(GET path FILENAME name)
    file(READ ${path} content)
    string(APPEND cases "  if (file == \"${name}\")\n    return R\"stad_file(${content})stad_file\";\n\n")
  endforeach()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
#include "@EMBED_HEADER@"

namespace @EMBED_NAMESPACE@ {

// NOLINTNEXTLINE(readability-function-size): one statement for each file
std::string_view @EMBED_FUNCTION@(std::string_view file) {
@cases@  return {};
}

}  // namespace @EMBED_NAMESPACE@
]])
  target_sources(${target} PRIVATE ${output})
endfunction()
