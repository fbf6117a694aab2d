# Installs the build into a new prefix, then builds and runs two programs against it with find_package and pkg-config:
# one that adapts (libstad) and one that evaluates (libstad-eval). Run with cmake -D BUILD=folder -D CONSUMER=folder
# -D SCRATCH=folder -D COMPILER=compiler -P.

# run(what COMMAND...): fails the test with the command's output.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect_output(what expression): the output of the last run must match the expression.
function(expect_output what expression)
  if(NOT output MATCHES "${expression}")
    message(FATAL_ERROR "${what} printed:\n${output}\nmust match ${expression}")
  endif()
endfunction()

# expect_needed(file NEEDS library... | NEEDS_NOT library...): checks the direct dependencies of a program or library.
function(expect_needed file)
  cmake_parse_arguments(EXPECT "" "" "NEEDS;NEEDS_NOT" ${ARGN})
  run("readelf" readelf -d ${file})
  foreach(library ${EXPECT_NEEDS})
    if(NOT output MATCHES "NEEDED[^\n]*\\[${library}\\.so")
      message(FATAL_ERROR "${file} does not need ${library}, must:\n${output}")
    endif()
  endforeach()
  foreach(library ${EXPECT_NEEDS_NOT})
    if(output MATCHES "NEEDED[^\n]*\\[${library}\\.so")
      message(FATAL_ERROR "${file} needs ${library}, must not:\n${output}")
    endif()
  endforeach()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/prefix)
run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

run("configuring with find_package" ${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/consumer -G Ninja
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${COMPILER})
run("building with find_package" ${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run("running the consumer" ${SCRATCH}/consumer/consumer)
expect_output("the consumer" "adapted 3 rows")
run("running the evaluator" ${SCRATCH}/consumer/evaluator)
expect_output("the evaluator" "evaluated 128 rows")

file(GLOB_RECURSE pc ${prefix}/*/stad.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
get_filename_component(library_folder ${pc_folder} DIRECTORY)
foreach(pair stad:consumer stad-eval:evaluator)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 package)
  list(GET pair 1 program)
  run("pkg-config" ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_folder} pkg-config --cflags --libs ${package})
  string(STRIP "${output}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run("building with pkg-config ${package}"
    ${COMPILER} ${CONSUMER}/${program}.cpp -o ${SCRATCH}/${program}-by-pkg-config ${flags})
  run("running what pkg-config ${package} built"
    ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${library_folder} ${SCRATCH}/${program}-by-pkg-config)
endforeach()

run("the installed command" ${prefix}/bin/stad --version)

# A program that only adapts links libstad alone, and libstad does not need libjpeg.
foreach(program ${SCRATCH}/consumer/consumer ${SCRATCH}/consumer-by-pkg-config)
  expect_needed(${program} NEEDS libstad NEEDS_NOT libstad-eval libjpeg)
endforeach()
foreach(program ${SCRATCH}/consumer/evaluator ${SCRATCH}/evaluator-by-pkg-config)
  expect_needed(${program} NEEDS libstad-eval)
endforeach()
expect_needed(${library_folder}/libstad.so NEEDS_NOT libstad-eval libjpeg)
expect_needed(${library_folder}/libstad-eval.so NEEDS libstad libjpeg)

# Only the public namespace is exported.
foreach(library libstad libstad-eval)
  run("nm" nm -D --defined-only -C ${library_folder}/${library}.so)
  foreach(hidden "stad::vmf::" "stad::gaussian::" "stad::reference::" "stad::speed::")
    if(output MATCHES "${hidden}")
      message(FATAL_ERROR "${library} exports ${hidden}, which must be hidden")
    endif()
  endforeach()
endforeach()
# A second copy of libstad's functions in libstad-eval would take precedence over libstad where it is loaded first.
foreach(runtime "stad::make_adapter\\(" "stad::Adapter::adapt\\(" "stad::parallel_for\\(" "stad::set_threads\\(")
  if(output MATCHES "${runtime}")
    message(FATAL_ERROR "libstad-eval exports ${runtime}, which must come from libstad only")
  endif()
endforeach()
