# stad_embed(TARGET NAMESPACE ns HEADER header FILES name=path...): every file becomes a `const std::string_view name`
# of the namespace, compiled into the target. The header, which the target's sources share, declares them.

function(stad_embed target)
  cmake_parse_arguments(EMBED "" "NAMESPACE;HEADER" "FILES" ${ARGN})
  set(definitions "")
  foreach(entry IN LISTS EMBED_FILES)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched ${entry})
    set(name ${CMAKE_MATCH_1})
    set(path ${CMAKE_MATCH_2})
    # An edit of the file configures again, so that the build never shows an old page.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} content)
    string(APPEND definitions "const std::string_view ${name} = R\"stad_file(${content})stad_file\";\n\n")
  endforeach()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
#include "@EMBED_HEADER@"

namespace @EMBED_NAMESPACE@ {

@definitions@}  // namespace @EMBED_NAMESPACE@
]])
  target_sources(${target} PRIVATE ${output})
endfunction()
