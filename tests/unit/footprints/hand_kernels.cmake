# gridspan_hand_kernels: models written by hand, as code in memory. For these tests and bench/footprint.
include_guard(GLOBAL)
add_library(gridspan_hand_kernels OBJECT
  ${CMAKE_CURRENT_LIST_DIR}/compiled_model.cpp
  ${CMAKE_CURRENT_LIST_DIR}/hand_kernel.cpp)
gridspan_precompile(gridspan_hand_kernels standard model llvm)
target_include_directories(gridspan_hand_kernels PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(gridspan_hand_kernels PUBLIC gridspan_codegen)
