# GRIDSPAN_PYTHON: the Python that runs tests. They start it some 2 000 times, so it is the interpreter itself, not a script
# that looks for one (pyenv's takes 60 ms), and leaves out site-packages (40 ms): tests need the standard library alone.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
  OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(GRIDSPAN_PYTHON ${python} -S)
