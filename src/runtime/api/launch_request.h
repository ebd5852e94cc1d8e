// A kernel launch before it is a command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/cuda_api.h"
#include "runtime/api/registry.h"
#include "runtime/schedule/command.h"

#include <memory>

namespace gridspan::runtime {

enum class Cooperation : bool { no, yes };

/// A launch as the program asks for it.
struct LaunchRequest {
  const void* stub;
  dim3 grid, block;
  void** arguments;
  std::size_t shared_bytes;
  Cooperation cooperation = Cooperation::no;
};

/// What a request that may run comes to.
struct CheckedLaunch {
  std::shared_ptr<Function> function;
  SymbolTable symbols;
  LaunchShape shape;

  const abi::Kernel& kernel() const { return *function->kernel; }
};

}  // namespace gridspan::runtime
