// Shared and device variables become offsets and symbol indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No compiled kernel refers to a process-wide image of a __device__ or __constant__ variable: each
// device has its own, reached through LaunchContext::symbols. Static __shared__ variables get fixed
// offsets such that variables of one kernel do not overlap.
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::transforms {

struct SymbolRelocation {
  std::uint64_t offset;
  std::uint32_t target;  // index in the list of symbols
  std::int64_t addend;
};

/// A __device__ or __constant__ variable of the module.
struct DeviceSymbol {
  std::string name;
  std::uint64_t size;
  std::uint32_t align;
  bool is_constant;               // __constant__
  bool is_managed;                // __managed__
  llvm::GlobalVariable* initial;  // image with null where relocations apply; null = zeros
  std::vector<SymbolRelocation> relocations;
};

/// Variables with an annotation of our headers' __managed__.
llvm::SmallPtrSet<const llvm::GlobalVariable*, 8> managed_variables(const llvm::Module& module);

/// Replaces uses of __shared__ variables by @gridspan.shared / @gridspan.dynamic_shared and of
/// device variables by @gridspan.symbol. Constant tables that no host code can reach stay plain
/// constants.
std::vector<DeviceSymbol> lower_globals(llvm::Module& module, UserErrors& errors);

/// What is known of the variable behind a call of @gridspan.symbol.
struct SymbolNote {
  std::uint64_t size;
  bool is_constant;
};
std::optional<SymbolNote> symbol_note(const llvm::CallInst& symbol);

/// Bytes of static shared memory the kernel and everything it may call refer to, rounded up to the
/// alignment of the dynamic shared memory behind it.
std::uint64_t static_shared_bytes(llvm::Function& kernel);

}  // namespace gridspan::transforms
