# Finds pybind11 and the interpreter to build the Python package for: Debian's, whatever stands before it on the PATH.
if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
set(PYBIND11_FINDPYTHON ON)
find_package(Python QUIET COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 QUIET CONFIG)

if(pybind11_FOUND AND Python_Development.Module_FOUND)
  set(found ON)
else()
  set(found OFF)
endif()
option(STAD_PYTHON "Build the Python package" ${found})
if(STAD_PYTHON AND NOT found)
  message(FATAL_ERROR
    "STAD_PYTHON is ON but pybind11 or Python's headers were not found; install pybind11-dev and python3-dev, or set STAD_PYTHON=OFF")
endif()
