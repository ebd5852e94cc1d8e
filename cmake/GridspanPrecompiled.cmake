# Headers that most files of a target include, compiled once for it.
#
# gridspan_precompile(TARGET GROUP... ["header.h"...]): GROUP is standard, llvm or tests. A file includes what it needs all
# the same: this is for time alone. ccache keeps such objects, since two rules are relaxed for it: macros that the precompiled
# headers may hold, and __TIME__, which nothing here uses (CCACHE_SLOPPINESS in GridspanBuild.cmake).
set(GRIDSPAN_PRECOMPILED_standard <algorithm> <array> <cstdint> <cstring> <functional> <map> <memory> <mutex> <optional>
  <set> <span> <string> <string_view> <utility> <vector>)
set(GRIDSPAN_PRECOMPILED_tests <gmock/gmock.h> <gtest/gtest.h> <random> <sstream>)
set(GRIDSPAN_PRECOMPILED_llvm
  <llvm/ADT/DenseMap.h>
  <llvm/ADT/STLExtras.h>
  <llvm/ADT/SetVector.h>
  <llvm/ADT/SmallVector.h>
  <llvm/Analysis/LoopInfo.h>
  <llvm/IR/Constants.h>
  <llvm/IR/DebugInfoMetadata.h>
  <llvm/IR/Dominators.h>
  <llvm/IR/IRBuilder.h>
  <llvm/IR/InstIterator.h>
  <llvm/IR/Instructions.h>
  <llvm/IR/IntrinsicInst.h>
  <llvm/IR/IntrinsicsNVPTX.h>
  <llvm/IR/Module.h>
  <llvm/Transforms/Utils/BasicBlockUtils.h>
  <llvm/Transforms/Utils/Cloning.h>
  <llvm/Transforms/Utils/ValueMapper.h>)

function(gridspan_precompile target)
  set(headers)
  foreach(word IN LISTS ARGN)
    if(DEFINED GRIDSPAN_PRECOMPILED_${word})
      list(APPEND headers ${GRIDSPAN_PRECOMPILED_${word}})
    else()
      list(APPEND headers ${word})
    endif()
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Else it is another one each time, and so is what is made with it.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endfunction()
