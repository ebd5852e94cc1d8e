# gridspan_llvm: LLVM 19 as Debian packages it (one shared library). Compiler half only.
if(NOT TARGET gridspan_llvm)
  find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
  add_library(gridspan_llvm INTERFACE)
  target_include_directories(gridspan_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(gridspan_llvm INTERFACE LLVM)
  target_link_directories(gridspan_llvm INTERFACE ${LLVM_LIBRARY_DIRS})
  target_compile_definitions(gridspan_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
  # LLVM's headers are not clean under -Wshadow/-Wpedantic of their includers' templates.
  target_compile_options(gridspan_llvm INTERFACE -Wno-unused-parameter)
endif()
