# Finds pybind11 and the interpreter for which the Python package is built: Debian's, also if PATH has another one
# first.
if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
set(PYBIND11_FINDPYTHON ON)
find_package(Python QUIET COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 QUIET CONFIG)

stad_missing(missing pybind11 pybind11_FOUND "Python's headers" Python_Development.Module_FOUND)
stad_optional(STAD_PYTHON "Build the Python package" "${missing}" "install pybind11-dev and python3-dev")
