# Sets STAD_CONSOLE: whether the page of the service, web/console, is built into it.
find_program(STAD_NODE NAMES node nodejs)
find_program(STAD_NPM npm)
stad_missing(missing node STAD_NODE npm STAD_NPM)
stad_optional(STAD_CONSOLE "Build the page of the service (node and npm, fetches packages)" "${missing}"
  "install nodejs and npm")
if(NOT STAD_CONSOLE)
  message(STATUS "The service is built without its page (STAD_CONSOLE=OFF)")
endif()

# stad_build_console(source): sets the variable to a C++ source with the files of the page, made when they change. All
# of it happens in the build tree, on a copy: packages in `copy`, the page for the tests in `page`.
function(stad_build_console variable)
  set(origin ${PROJECT_SOURCE_DIR}/web/console)
  set(palette ${PROJECT_SOURCE_DIR}/web/palette.css)  # shared with the report page
  set(copy ${PROJECT_BINARY_DIR}/console/copy)
  set(page ${PROJECT_BINARY_DIR}/console/page)
  set(source ${PROJECT_BINARY_DIR}/console/console_files.cpp)
  set(fetched ${PROJECT_BINARY_DIR}/console/fetched)
  set(packages ${origin}/package.json ${origin}/package-lock.json ${origin}/.npmrc)
  file(GLOB files CONFIGURE_DEPENDS ${origin}/src/*)
  list(APPEND files ${origin}/index.html ${origin}/vite.config.js ${palette})

  add_custom_command(OUTPUT ${fetched} DEPENDS ${packages} VERBATIM
    COMMENT "Fetching the packages of the page"
    COMMAND ${CMAKE_COMMAND} -E make_directory ${copy}
    COMMAND ${CMAKE_COMMAND} -E copy ${packages} ${copy}
    COMMAND ${CMAKE_COMMAND} -E chdir ${copy} ${STAD_NPM} ci --ignore-scripts --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${fetched})
  add_custom_command(OUTPUT ${source} DEPENDS ${fetched} ${files} ${origin}/embed.mjs VERBATIM
    COMMENT "Building the page"
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${copy}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${origin}/src ${copy}/src
    COMMAND ${CMAKE_COMMAND} -E copy ${palette} ${PROJECT_BINARY_DIR}/console
    COMMAND ${CMAKE_COMMAND} -E copy ${origin}/index.html ${origin}/vite.config.js ${copy}
    COMMAND ${CMAKE_COMMAND} -E chdir ${copy} ${STAD_NODE} node_modules/vite/bin/vite.js build --logLevel warn --outDir ${page}
    COMMAND ${STAD_NODE} ${origin}/embed.mjs ${page} ${source})
  set(${variable} ${source} PARENT_SCOPE)
endfunction()
