# Headers that many files include, compiled once.
#
# gridspan_precompile(TARGET GROUP... ["header.h"...]): GROUP is standard, model, runtime, llvm or tests. All targets that name
# the same groups and no header share one precompiled file; a target with headers of its own has its own.
#
# A file includes what it needs all the same: this is for time alone, and CMAKE_DISABLE_PRECOMPILE_HEADERS=ON compiles without
# it. List what is slow to parse and seldom changes. ccache keeps such objects, since two rules are relaxed for it: macros that the
# precompiled headers may hold, and __TIME__, which nothing here uses (CCACHE_SLOPPINESS in GridspanBuild.cmake).
set(GRIDSPAN_PRECOMPILED_standard <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable> <cstdint>
  <cstdio> <cstring> <deque> <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric> <optional> <set>
  <shared_mutex> <span> <sstream> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
  <tl/expected.hpp>)
set(GRIDSPAN_PRECOMPILED_model <model/kernel.h>)
set(GRIDSPAN_PRECOMPILED_runtime <runtime/api/cuda_api.h> <runtime/api/runtime_state.h>)
set(GRIDSPAN_PRECOMPILED_tests <gmock/gmock.h> <gtest/gtest.h> <random>)
set(GRIDSPAN_PRECOMPILED_llvm
  <llvm/ADT/DenseMap.h>
  <llvm/ADT/MapVector.h>
  <llvm/ADT/PostOrderIterator.h>
  <llvm/ADT/STLExtras.h>
  <llvm/ADT/SetVector.h>
  <llvm/ADT/SmallPtrSet.h>
  <llvm/ADT/SmallVector.h>
  <llvm/ADT/StringExtras.h>
  <llvm/ADT/StringSwitch.h>
  <llvm/Analysis/LoopInfo.h>
  <llvm/Analysis/PostDominators.h>
  <llvm/Analysis/ScalarEvolutionExpressions.h>
  <llvm/Analysis/ValueTracking.h>
  <llvm/Analysis/VectorUtils.h>
  <llvm/IR/Constants.h>
  <llvm/IR/DebugInfoMetadata.h>
  <llvm/IR/Dominators.h>
  <llvm/IR/GetElementPtrTypeIterator.h>
  <llvm/IR/IRBuilder.h>
  <llvm/IR/InlineAsm.h>
  <llvm/IR/InstIterator.h>
  <llvm/IR/Instructions.h>
  <llvm/IR/IntrinsicInst.h>
  <llvm/IR/IntrinsicsNVPTX.h>
  <llvm/IR/MDBuilder.h>
  <llvm/IR/Module.h>
  <llvm/IR/PatternMatch.h>
  <llvm/Transforms/Utils/BasicBlockUtils.h>
  <llvm/Transforms/Utils/Cloning.h>
  <llvm/Transforms/Utils/Local.h>
  <llvm/Transforms/Utils/LoopUtils.h>
  <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
  <llvm/Transforms/Utils/ValueMapper.h>)

# What a group's headers are compiled with.
set(GRIDSPAN_PRECOMPILED_LIBRARIES_model gridspan_isl)
set(GRIDSPAN_PRECOMPILED_LIBRARIES_runtime gridspan_cuda_headers Threads::Threads)
set(GRIDSPAN_PRECOMPILED_LIBRARIES_llvm gridspan_llvm)
set(GRIDSPAN_PRECOMPILED_LIBRARIES_tests GTest::gtest)

# The target that compiles these groups' headers for a library or a program (TYPE), which are different code for clang.
function(gridspan_shared_headers result type)
  list(JOIN ARGN _ name)
  set(name gridspan_headers_${name})
  if(type STREQUAL EXECUTABLE)
    string(APPEND name _program)
  endif()
  set(${result} ${name} PARENT_SCOPE)
  if(TARGET ${name})
    return()
  endif()
  set(headers)
  set(libraries gridspan_settings)
  foreach(group IN LISTS ARGN)
    list(APPEND headers ${GRIDSPAN_PRECOMPILED_${group}})
    list(APPEND libraries ${GRIDSPAN_PRECOMPILED_LIBRARIES_${group}})
  endforeach()
  set(source ${CMAKE_BINARY_DIR}/headers/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// CMake precompiles headers for sources only.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE ${libraries})
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIE)
  endif()
  gridspan_precompile(${name} ${headers})
endfunction()

function(gridspan_precompile target)
  set(groups)
  set(headers)
  set(has_own_headers NO)
  foreach(word IN LISTS ARGN)
    if(DEFINED GRIDSPAN_PRECOMPILED_${word})
      list(APPEND groups ${word})
      list(APPEND headers ${GRIDSPAN_PRECOMPILED_${word}})
    else()
      set(has_own_headers YES)
      list(APPEND headers ${word})
    endif()
  endforeach()
  if(has_own_headers)
    target_precompile_headers(${target} PRIVATE ${headers})
  else()
    get_target_property(type ${target} TYPE)
    gridspan_shared_headers(shared ${type} ${groups})
    target_precompile_headers(${target} REUSE_FROM ${shared})
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Else it is another one each time, and so is what is made with it.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endfunction()
