# gridspan_isl: the integer set library, static and private to what links it.
#
# Debian's libLLVM exports Polly's copy of isl. Whichever library comes first on the link line would
# win, so ours does not stand in line: whole-archive makes every isl symbol a definition of the
# program, which no shared library overrides; --exclude-libs keeps it from being exported, so that
# libLLVM's calls stay with its own copy. model/isl.h declares isl's functions hidden, which makes a
# link that would bind them to a shared library fail. `check_isl_version` looks again when a context
# is made.
if(NOT TARGET gridspan_isl)
  find_path(ISL_INCLUDE_DIR isl/cpp.h)
  find_library(ISL_LIBRARY NAMES libisl.a)
  find_library(GMP_LIBRARY NAMES gmp)
  if(NOT ISL_INCLUDE_DIR OR NOT ISL_LIBRARY OR NOT GMP_LIBRARY)
    message(FATAL_ERROR
      "isl or GMP not found; install libisl-dev and libgmp-dev (scripts/setup.sh)")
  endif()
  add_library(gridspan_isl INTERFACE)
  target_include_directories(gridspan_isl SYSTEM INTERFACE ${ISL_INCLUDE_DIR})
  target_link_libraries(gridspan_isl INTERFACE
    "$<LINK_LIBRARY:WHOLE_ARCHIVE,${ISL_LIBRARY}>" ${GMP_LIBRARY})
  target_link_options(gridspan_isl INTERFACE "LINKER:--exclude-libs,libisl.a")
endif()
