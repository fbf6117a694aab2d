# The rooms of the house and their levels, said once. A room includes lower levels only; rooms of one level are
# strangers. tests/architecture checks every #include against the table written here: a line a room,
# "level room public-header...".

set(STAD_LEVELS_FILE ${PROJECT_BINARY_DIR}/levels.txt)
file(WRITE ${STAD_LEVELS_FILE} "")

# stad_level(NAME LEVEL n [PUBLIC header...]): a room that is built elsewhere.
function(stad_level name)
  cmake_parse_arguments(ROOM "" "LEVEL" "PUBLIC" ${ARGN})
  list(JOIN ROOM_PUBLIC " " headers)
  file(APPEND ${STAD_LEVELS_FILE} "${ROOM_LEVEL} ${name} ${headers}\n")
endfunction()

# stad_room(NAME LEVEL n [PUBLIC header...]): src/NAME is a room; these headers of include/stad are its front door.
function(stad_room name)
  stad_level(${name} ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  target_sources(stad_rooms PRIVATE ${sources})
endfunction()
