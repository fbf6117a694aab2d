# Debian packages by CPack, one for each component: `make package`. The preset `package` sets the options they require:
# prefix /usr, no paths of the build folder in the binaries, libstad for any processor and for each level of x86-64.
option(STAD_PACKAGES "Configure CPack to make Debian packages" OFF)
if(NOT STAD_PACKAGES)
  return()
endif()
set(STAD_PACKAGE_MAINTAINER "stad maintainers <maintainers@stad.invalid>" CACHE STRING
  "Maintainer field of the packages: name and address of the person who distributes them")

set(revision 1)
set(version ${PROJECT_VERSION}-${revision})
set(folder ${PROJECT_BINARY_DIR}/debian)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH overrides it

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stad)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # set for each package
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
foreach(library libstad0 libstad-eval0)  # CPack copies a control file under its own name, hence a folder a package
  configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/${library}.shlibs.in ${folder}/${library}/shlibs @ONLY)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${folder}/changelog COPYONLY)
foreach(text changelog changelog.Debian)
  execute_process(COMMAND gzip -9nf ${folder}/${text} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

set(about
"The accuracy of a deployed classifier drops when its inputs drift away from
the training data. stad adapts the last layer without labels and without
backpropagation: it tracks class prototypes through time with a probabilistic
state-space model.")

# stad_package(COMPONENT NAME name SECTION section SUMMARY line DESCRIPTION text [DEPENDS package...] [SUGGESTS ...]
# [CONTROL file...] [OVERRIDES file...]): one package. dpkg-shlibdeps adds the packages of the libraries it links;
# DEPENDS lists the others. OVERRIDES are lintian overrides of this package, in addition to those of every package.
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

set(runtime "libstad0 (= ${version})")
set(evaluation "libstad-eval0 (= ${version})")
set(triggers ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(service_overrides ${PROJECT_SOURCE_DIR}/cmake/debian/lintian-overrides.services)

stad_package(runtime NAME libstad0 SECTION libs SUGGESTS "libstad-torch (= ${version})"
  CONTROL ${folder}/libstad0/shlibs ${triggers}
  SUMMARY "test-time adaptation of classifiers - library" DESCRIPTION
"This package contains the shared library, with additional builds for newer
processors. The dynamic loader selects the best one.")
install(FILES ${folder}/changelog.gz DESTINATION share/doc/libstad0 COMPONENT runtime)

stad_package(evaluation NAME libstad-eval0 SECTION libs DEPENDS "${runtime}"
  CONTROL ${folder}/libstad-eval0/shlibs ${triggers}
  SUMMARY "test-time adaptation of classifiers - evaluation library" DESCRIPTION
"This package contains the shared library for experiments: metrics, simulated
streams, image corruptions, and runs over recorded streams. Programs that only
adapt a classifier do not need it.")

stad_package(development NAME libstad-dev SECTION libdevel DEPENDS "${runtime}" "${evaluation}"
  SUMMARY "test-time adaptation of classifiers - development files" DESCRIPTION
"This package contains the headers for C++ and C, and the files with which CMake
and pkg-config find the libraries.")

stad_package(command NAME stad SECTION science DEPENDS "${runtime}" "${evaluation}"
  SUGGESTS "libstad-torch (= ${version})" "stad-server (= ${version})" "stad-cluster (= ${version})"
  SUMMARY "test-time adaptation of classifiers - command" DESCRIPTION
"This package contains the command, its manual pages, and completion for bash,
zsh and fish.")

if(STAD_PYTHON)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  stad_package(python NAME python3-stad SECTION python
    DEPENDS "${runtime}" "${evaluation}" python3-numpy
      "python3 (>= 3.${Python_VERSION_MINOR}~)" "python3 (<< 3.${next_minor})"
    SUGGESTS python3-torch python3-sklearn python3-matplotlib
    CONTROL ${PROJECT_SOURCE_DIR}/cmake/debian/postinst ${PROJECT_SOURCE_DIR}/cmake/debian/prerm
    SUMMARY "test-time adaptation of classifiers - Python 3 module" DESCRIPTION
"This package contains the module for Python 3.")
endif()

if(STAD_TORCH)
  stad_package(torch NAME libstad-torch SECTION libs DEPENDS "${runtime}" CONTROL ${triggers}
    SUMMARY "test-time adaptation of classifiers - networks" DESCRIPTION
"This package contains the component that runs and adapts TorchScript networks.
It depends on libtorch, about 900 MB. Adapting embeddings does not need it.")
endif()

if(STAD_SERVER)
  set(scripts ${PROJECT_SOURCE_DIR}/deploy/debian)
  stad_package(server NAME stad-server SECTION science
    DEPENDS "${runtime}" "${evaluation}" "systemd | systemd-sysusers"
    SUGGESTS "stad (= ${version})" prometheus
    CONTROL ${scripts}/postinst ${scripts}/prerm ${scripts}/postrm ${scripts}/conffiles OVERRIDES ${service_overrides}
    SUMMARY "test-time adaptation of classifiers - service" DESCRIPTION
"This package contains the service: the Open Inference Protocol over HTTP, many
streams with persistent states, a live page, a systemd unit, alert rules for
Prometheus and a dashboard for Grafana. It must be configured before it starts.")
endif()

if(STAD_CLUSTER)
  set(scripts ${PROJECT_SOURCE_DIR}/deploy/debian/cluster)
  stad_package(cluster NAME stad-cluster SECTION science
    DEPENDS "${runtime}" "${evaluation}" "systemd | systemd-sysusers"
    SUGGESTS nats-server "stad (= ${version})" prometheus
    CONTROL ${scripts}/postinst ${scripts}/prerm ${scripts}/postrm OVERRIDES ${service_overrides}
    SUMMARY "test-time adaptation of classifiers - workers" DESCRIPTION
"This package contains workers that divide the streams among them through NATS
JetStream, and commands that publish, subscribe and show their status. A unit
for systemd runs several workers on a machine; there are examples of the
configuration for NATS and Kubernetes. Configure workers before they start.")
endif()

include(CPack)
