# Finds what the cluster is built from, beside the service's own, and sets STAD_CLUSTER. Debian's package of libnats has
# CMake files that name a static library it leaves out, hence pkg-config.
pkg_check_modules(NATS QUIET IMPORTED_TARGET libnats)
find_package(prometheus-cpp QUIET COMPONENTS core pull)

stad_missing(missing "the service (STAD_SERVER)" STAD_SERVER libnats NATS_FOUND prometheus-cpp prometheus-cpp_FOUND)
stad_optional(STAD_CLUSTER "Build the cluster, stad worker" "${missing}" "run scripts/install-packages cluster")
