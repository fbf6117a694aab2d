# Finds the libraries of the service and sets STAD_SERVER.
find_package(Boost 1.74 QUIET)
find_package(OpenSSL QUIET)
find_package(SQLite3 QUIET)
find_package(simdjson QUIET)
find_package(prometheus-cpp QUIET COMPONENTS core)

stad_missing(missing Boost Boost_FOUND OpenSSL OpenSSL_FOUND SQLite3 SQLite3_FOUND simdjson simdjson_FOUND
  prometheus-cpp prometheus-cpp_FOUND)
stad_optional(STAD_SERVER "Build the service, stad serve" "${missing}" "run scripts/install-packages server")
