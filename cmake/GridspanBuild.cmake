# How every target of the project is built: standard, warnings, caches, output layout.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
option(GRIDSPAN_BUILD_TESTS "Build the tests" ON)
option(GRIDSPAN_BUILD_BENCH "Build the benchmarks" ON)
option(GRIDSPAN_BUILD_COMPILER "Build gridcc and the device compiler (needs LLVM 19)" ON)
set(GRIDSPAN_SANITIZE "" CACHE STRING "Sanitizers for the run time: address, undefined, thread")

set(GRIDSPAN_GRIDCC "" CACHE FILEPATH "A finished gridcc, for tests of builds without the compiler")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_ctime,include_file_mtime ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(LLD ld.lld-19)
if(LLD)
  add_link_options(-fuse-ld=${LLD})
endif()

# The build tree has the layout of the install tree, so that tools work in place.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# For this machine. Clang 19 does not know some newer processors by name and warns of the features it finds instead.
set(GRIDSPAN_NATIVE -march=native -Wno-invalid-feature-combination)

# A name of another file that is compiled in the same go is no shadow: compiled alone, files are checked (tidy.sh).
set(GRIDSPAN_WARNINGS -Wall -Wextra $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow> -Werror)

# gridspan_settings: what our own code compiles with (not what users' programs compile with).
add_library(gridspan_settings INTERFACE)
target_compile_options(gridspan_settings INTERFACE ${GRIDSPAN_WARNINGS} -Wpedantic)
target_include_directories(gridspan_settings INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(GRIDSPAN_SANITIZE)
  target_compile_options(gridspan_settings INTERFACE
    -fsanitize=${GRIDSPAN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(gridspan_settings INTERFACE -fsanitize=${GRIDSPAN_SANITIZE})
endif()
