# Installation: the two shared libraries, their headers, the command, and files for find_package and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS stad EXPORT stadTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS stad_eval EXPORT stadTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT evaluation NAMELINK_COMPONENT development)
if(STAD_TORCH)  # loaded at run time by its file name and never linked, so the name carries no version
  install(TARGETS stad_torch LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT torch)
endif()
install(TARGETS stad_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)

# The command prints its own manual pages and completion candidates.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man/stad.1.gz
  DEPENDS stad_command ${PROJECT_SOURCE_DIR}/cmake/StadManual.cmake
  COMMAND ${CMAKE_COMMAND} -D COMMAND=$<TARGET_FILE:stad_command> -D FOLDER=${PROJECT_BINARY_DIR}/man
    -P ${PROJECT_SOURCE_DIR}/cmake/StadManual.cmake)
add_custom_target(stad_manual ALL DEPENDS ${PROJECT_BINARY_DIR}/man/stad.1.gz)
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
set(completion ${PROJECT_SOURCE_DIR}/apps/cli/completion)
# Below /usr, site-functions is reserved for files of the zsh package; packages use vendor-completions.
if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
  set(zsh_folder vendor-completions)
else()
  set(zsh_folder site-functions)
endif()
install(FILES ${completion}/stad.bash DESTINATION share/bash-completion/completions RENAME stad COMPONENT command)
install(FILES ${completion}/_stad DESTINATION share/zsh/${zsh_folder} COMPONENT command)
install(FILES ${completion}/stad.fish DESTINATION share/fish/vendor_completions.d COMPONENT command)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stad ${PROJECT_BINARY_DIR}/include/stad
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT stadTargets NAMESPACE stad:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stad COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/stadConfig.cmake.in ${PROJECT_BINARY_DIR}/stadConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stad)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stadConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# The prefix is relative to the .pc file, so that it is correct for any --prefix given at installation.
file(RELATIVE_PATH STAD_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(library stad stad-eval)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${library}.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/stadConfig.cmake ${PROJECT_BINARY_DIR}/stadConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stad COMPONENT development)
