# What a user installs: the shared library, its headers, the command, and two ways to find them.
include(CMakePackageConfigHelpers)

install(TARGETS stad EXPORT stadTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
if(STAD_TORCH)  # loaded at run time by its name, so it has one name and no version in it
  install(TARGETS stad_torch EXPORT stadTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT torch)
  set_target_properties(stad_torch PROPERTIES EXPORT_NAME torch)
endif()
install(TARGETS stad_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stad ${PROJECT_BINARY_DIR}/include/stad
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT stadTargets NAMESPACE stad:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stad COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/stadConfig.cmake.in ${PROJECT_BINARY_DIR}/stadConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stad)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stadConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# Relative to the file itself, so that any --prefix given at installation is right.
file(RELATIVE_PATH STAD_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/stad.pc.in ${PROJECT_BINARY_DIR}/stad.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/stadConfig.cmake ${PROJECT_BINARY_DIR}/stadConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stad COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/stad.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
