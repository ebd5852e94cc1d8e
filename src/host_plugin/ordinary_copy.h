// A copy of the host functions that launch, reduced to what shows their launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     CHECK(cudaMalloc(&a, n));                         a = made()
//     step(a, b);  // k<<<(n + 255) / 256, 256>>>(a, b)   launch(k, (n + 255) / 256, 256, a, b)
//     std::swap(a, b);                                  (values in registers: one is the other's)
//
// In it, calls of CUDA's succeed, nothing throws, no way leads to exit(), small functions and those
// that launch are inlined, and variables are registers as far as they can be.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <vector>

namespace gridspan::host_plugin {

/// What the call of `launch_marker` says: its first argument is an index of these, then follow the
/// kernel's stub, the sizes as they were passed, shared memory, stream, and arguments. Of structs
/// in memory all members were loaded.
struct MarkedLaunch {
  bool is_cooperative = false;
  unsigned size_words = 0;      // that grid and block take each
  bool has_arguments = false;   // else nobody knows them
  bool by_parameter = false;    // the kernel's parameters, not the stub's arguments
  std::vector<unsigned> words;  // of each argument
};
inline constexpr const char* launch_marker = "gridspan.launch";
/// Gives new memory, or an unknown value.
inline constexpr const char *memory_marker = "gridspan.memory", *value_marker = "gridspan.value";

struct OrdinaryCopy {
  std::unique_ptr<llvm::Module> module;
  std::vector<llvm::Function*> functions;  // not called by others here; in the source's order
  std::vector<MarkedLaunch> launches;
};

/// Without functions if `source` launches nothing. `source` is as clang made it.
OrdinaryCopy copy_ordinary(const llvm::Module& source);

}  // namespace gridspan::host_plugin
