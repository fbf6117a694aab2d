# Writes the manual pages that the command prints, compressed as Debian policy requires. Run with
# cmake -D COMMAND=stad -D FOLDER=folder -P.
function(write_page name)
  set(page ${FOLDER}/stad.1)
  if(name)
    set(page ${FOLDER}/stad-${name}.1)
  endif()
  execute_process(COMMAND ${COMMAND} manual ${name} OUTPUT_FILE ${page} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
write_page("")
# The completion of the first word lists the sub-commands, one in a line, each followed by a tab and a summary.
execute_process(COMMAND sh -c "\"$0\" complete '' | cut -f 1" ${COMMAND}
  OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[a-z]+" names "${names}")
foreach(name ${names})
  write_page(${name})
endforeach()
