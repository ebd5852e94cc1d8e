# CUDA programs that tests run: compiled with gridcc by a test of their own, not by a plain build.

include(ProcessorCount)

# gridspan_test_programs(SUITE SOURCES file.cu... [RECIPES folder/build.sh...] [HEADERS file.h...]
#                        [TIMEOUT seconds])
#
# The test SUITE.build (ninja, in parallel) compiles them, and so does `ninja SUITE_tests`; tests that need
# them say FIXTURES_REQUIRED SUITE_programs. A recipe builds a program of several files. Sets in the caller,
# for each NAME (of the file or the recipe's folder):
#   SUITE_names     all of them
#   SUITE_sources   the file or folder each was made from, in the same order
#   SUITE_binaries  where each is
#   SUITE_stamps    what to depend on
function(gridspan_test_programs suite)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;RECIPES;HEADERS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 2400)
  endif()
  set(script ${CMAKE_SOURCE_DIR}/tests/run/run_test.py)
  file(GLOB_RECURSE cuda_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cuda_headers/*.h
    ${CMAKE_SOURCE_DIR}/cuda_headers/*.hpp)
  set(names)
  set(sources)
  set(binaries)
  set(stamps)
  foreach(source IN LISTS arg_SOURCES arg_RECIPES)
    get_filename_component(file ${source} NAME)
    if(file STREQUAL build.sh)
      get_filename_component(source ${source} DIRECTORY)
      file(GLOB inputs CONFIGURE_DEPENDS ${source}/*)
      get_filename_component(name ${source} NAME)
      set(binary ${CMAKE_CURRENT_BINARY_DIR}/${name}/program)
    else()
      set(inputs ${source})
      get_filename_component(name ${source} NAME_WE)
      set(binary ${CMAKE_CURRENT_BINARY_DIR}/programs/${name})
    endif()
    set(stamp ${CMAKE_CURRENT_BINARY_DIR}/stamps/${name})
    add_custom_command(OUTPUT ${stamp}
      COMMAND ${GRIDSPAN_PYTHON} ${script} compile ${CMAKE_BINARY_DIR}/bin/gridcc ${CMAKE_CXX_COMPILER}
              ${source} ${binary}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/stamps
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${inputs} ${arg_HEADERS} ${CMAKE_SOURCE_DIR}/tests/run/check.h ${script} ${cuda_headers}
              gridcc gridspan gridspan_static gridspan_device_library
      COMMENT "gridcc ${name}"
      VERBATIM)
    list(APPEND names ${name})
    list(APPEND sources ${source})
    list(APPEND binaries ${binary})
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(${suite}_tests DEPENDS ${stamps})
  ProcessorCount(processors)
  add_test(NAME ${suite}.build
    COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target ${suite}_tests --parallel ${processors})
  set_tests_properties(${suite}.build PROPERTIES
    FIXTURES_SETUP ${suite}_programs PROCESSORS ${processors} TIMEOUT ${arg_TIMEOUT})
  foreach(list names sources binaries stamps)
    set(${suite}_${list} ${${list}} PARENT_SCOPE)
  endforeach()
endfunction()
