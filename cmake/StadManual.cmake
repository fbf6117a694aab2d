# Writes the manual pages, which the command prints itself, compressed as Debian wants them. Run with
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
# What completion offers for the first word are the sub-commands, each with a tab and a summary.
execute_process(COMMAND sh -c "\"$0\" complete '' | cut -f 1" ${COMMAND} OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[a-z]+" names "${names}")
foreach(name ${names})
  write_page(${name})
endforeach()
