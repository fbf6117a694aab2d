# Finds the additional libraries of the cluster and sets STAD_CLUSTER. Uses pkg-config for libnats, because the CMake
# files of Debian's package refer to a static library that it does not contain.
pkg_check_modules(NATS QUIET IMPORTED_TARGET libnats)
find_package(prometheus-cpp QUIET COMPONENTS core pull)

stad_missing(missing "the service (STAD_SERVER)" STAD_SERVER libnats NATS_FOUND prometheus-cpp prometheus-cpp_FOUND)
stad_optional(STAD_CLUSTER "Build the cluster, stad worker" "${missing}" "run scripts/install-packages cluster")
