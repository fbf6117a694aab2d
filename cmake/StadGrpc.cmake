# Finds the libraries of gRPC and sets STAD_GRPC. An option of the service that is OFF by default: gRPC brings 40
# libraries with it, and REST offers the same.
pkg_check_modules(GRPC QUIET IMPORTED_TARGET grpc++ protobuf)
find_program(STAD_PROTOC protoc)
mark_as_advanced(STAD_PROTOC)

option(STAD_GRPC "Build the gRPC interface of the service" OFF)
if(STAD_GRPC)
  stad_missing(missing "the service (STAD_SERVER)" STAD_SERVER grpc++ GRPC_FOUND protoc STAD_PROTOC)
  if(missing)
    list(JOIN missing ", " missing)
    message(FATAL_ERROR
      "STAD_GRPC is ON but ${missing} was not found; run scripts/install-packages grpc, or set STAD_GRPC=OFF")
  endif()
endif()
