# Debian packages by CPack, one for each component: `make package`. The preset `package` sets what they need: the prefix
# /usr, no paths of the build inside, the library for any processor and once more for each level of x86-64.
option(STAD_PACKAGES "Make Debian packages" OFF)
if(NOT STAD_PACKAGES)
  return()
endif()
set(STAD_PACKAGE_MAINTAINER "stad maintainers <maintainers@stad.invalid>" CACHE STRING
  "Who answers for the packages; whoever hands them on puts a name and an address here")

set(revision 1)
set(version ${PROJECT_VERSION}-${revision})
set(folder ${PROJECT_BINARY_DIR}/debian)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH fixes it

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stad)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_CONTACT "${STAD_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL "")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/changelog.in ${folder}/changelog.Debian @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/shlibs.in ${folder}/shlibs @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${folder}/changelog COPYONLY)
foreach(text changelog changelog.Debian)
  execute_process(COMMAND gzip -9nf ${folder}/${text} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

set(about
"Deployed classifiers expire: the world drifts away from the data they were
trained on. stad keeps one fresh without labels and without backpropagation.
It tracks class prototypes through time by a probabilistic state-space model.")

# stad_package(COMPONENT NAME name SECTION section SUMMARY line DESCRIPTION text [DEPENDS package...] [SUGGESTS ...]
# [CONTROL file...] [OVERRIDES file...]): one package of our own, whatever its programs link to being found by
# dpkg-shlibdeps. OVERRIDES are what lintian shall not say of this package, besides what it shall say of none.
function(stad_package component)
  cmake_parse_arguments(PACKAGE "" "NAME;SECTION;SUMMARY;DESCRIPTION" "DEPENDS;SUGGESTS;CONTROL;OVERRIDES" ${ARGN})
  string(TOUPPER ${component} id)
  list(JOIN PACKAGE_DEPENDS ", " depends)
  list(JOIN PACKAGE_SUGGESTS ", " suggests)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_NAME ${PACKAGE_NAME} PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_SECTION ${PACKAGE_SECTION} PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_SUGGESTS "${suggests}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_CONTROL_EXTRA "${PACKAGE_CONTROL}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_DESCRIPTION "${PACKAGE_SUMMARY}\n${about}\n\n${PACKAGE_DESCRIPTION}" PARENT_SCOPE)
  install(FILES ${folder}/changelog.Debian.gz ${PROJECT_SOURCE_DIR}/cmake/debian/copyright
    DESTINATION share/doc/${PACKAGE_NAME} COMPONENT ${component})
  set(overrides "")
  foreach(file ${PROJECT_SOURCE_DIR}/cmake/debian/lintian-overrides ${PACKAGE_OVERRIDES})
    file(READ ${file} text)
    string(APPEND overrides "${text}")
  endforeach()
  file(WRITE ${folder}/lintian-overrides/${PACKAGE_NAME} "${overrides}")
  install(FILES ${folder}/lintian-overrides/${PACKAGE_NAME} DESTINATION share/lintian/overrides COMPONENT ${component})
endfunction()

set(ours "libstad0 (= ${version})")
set(triggers ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(of_services ${PROJECT_SOURCE_DIR}/cmake/debian/lintian-overrides.services)

stad_package(runtime NAME libstad0 SECTION libs SUGGESTS "libstad-torch (= ${version})"
  CONTROL ${folder}/shlibs ${triggers}
  SUMMARY "test-time adaptation of classifiers - library" DESCRIPTION
"This package contains the shared library, and the same once more for newer
processors, of which the loader takes the best.")
install(FILES ${folder}/changelog.gz DESTINATION share/doc/libstad0 COMPONENT runtime)

stad_package(development NAME libstad-dev SECTION libdevel DEPENDS "${ours}"
  SUMMARY "test-time adaptation of classifiers - development files" DESCRIPTION
"This package contains the headers for C++ and C, and what CMake and pkg-config
need to find the library.")

stad_package(command NAME stad SECTION science DEPENDS "${ours}"
  SUGGESTS "libstad-torch (= ${version})" "stad-server (= ${version})" "stad-cluster (= ${version})"
  SUMMARY "test-time adaptation of classifiers - command" DESCRIPTION
"This package contains the command, its manual pages, and completion for bash,
zsh and fish.")

if(STAD_PYTHON)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  stad_package(python NAME python3-stad SECTION python
    DEPENDS "${ours}" "python3 (>= 3.${Python_VERSION_MINOR}~)" "python3 (<< 3.${next_minor})" python3-numpy
    SUGGESTS python3-torch python3-sklearn python3-matplotlib
    CONTROL ${PROJECT_SOURCE_DIR}/cmake/debian/postinst ${PROJECT_SOURCE_DIR}/cmake/debian/prerm
    SUMMARY "test-time adaptation of classifiers - Python 3 module" DESCRIPTION
"This package contains the module for Python 3.")
endif()

if(STAD_TORCH)
  stad_package(torch NAME libstad-torch SECTION libs DEPENDS "${ours}" CONTROL ${triggers}
    SUMMARY "test-time adaptation of classifiers - networks" DESCRIPTION
"This package contains the component that runs and adapts TorchScript networks.
It brings libtorch, about 900 MB, which nobody needs who has embeddings.")
endif()

if(STAD_SERVER)
  set(scripts ${PROJECT_SOURCE_DIR}/deploy/debian)
  stad_package(server NAME stad-server SECTION science DEPENDS "${ours}" "systemd | systemd-sysusers"
    SUGGESTS "stad (= ${version})" prometheus
    CONTROL ${scripts}/postinst ${scripts}/prerm ${scripts}/postrm ${scripts}/conffiles OVERRIDES ${of_services}
    SUMMARY "test-time adaptation of classifiers - service" DESCRIPTION
"This package contains the service: the Open Inference Protocol over HTTP, many
streams that outlive a crash, a live page, a unit for systemd, alert rules for
Prometheus and a board for Grafana. It is not started before it is configured.")
endif()

if(STAD_CLUSTER)
  set(scripts ${PROJECT_SOURCE_DIR}/deploy/debian/cluster)
  stad_package(cluster NAME stad-cluster SECTION science DEPENDS "${ours}" "systemd | systemd-sysusers"
    SUGGESTS nats-server "stad (= ${version})" prometheus
    CONTROL ${scripts}/postinst ${scripts}/prerm ${scripts}/postrm OVERRIDES ${of_services}
    SUMMARY "test-time adaptation of classifiers - workers" DESCRIPTION
"This package contains workers that share the streams of a fleet through NATS
JetStream, and what feeds and watches them. A unit for systemd runs several on
a machine; there are examples of configuration for NATS and Kubernetes. None is
started before it is configured.")
endif()

include(CPack)
