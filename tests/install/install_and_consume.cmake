# run(what COMMAND...): fails the test with the command's own words.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/prefix)
run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

run("configuring with find_package" ${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/consumer -G Ninja
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${COMPILER})
run("building with find_package" ${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run("running the consumer" ${SCRATCH}/consumer/consumer)
if(NOT output MATCHES "adapted 3 rows")
  message(FATAL_ERROR "the consumer said: ${output}")
endif()

file(GLOB_RECURSE pc ${prefix}/*/stad.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
run("pkg-config" ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_folder} pkg-config --cflags --libs stad)
string(STRIP "${output}" flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
run("building with pkg-config" ${COMPILER} ${CONSUMER}/consumer.cpp -o ${SCRATCH}/by-pkg-config ${flags})
get_filename_component(library_folder ${pc_folder} DIRECTORY)
run("running what pkg-config built" ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${library_folder} ${SCRATCH}/by-pkg-config)

run("the installed command" ${prefix}/bin/stad --version)

# Nothing but the public namespace may be seen from outside.
file(GLOB_RECURSE library ${prefix}/*/libstad.so)
run("nm" nm -D --defined-only -C ${library})
foreach(hidden "stad::vmf::" "stad::gaussian::" "stad::plain::" "stad::speed::" "stad::parallel_for")
  if(output MATCHES "${hidden}")
    message(FATAL_ERROR "the library shows ${hidden}, which should be hidden")
  endif()
endforeach()
