// The variable that a pointer leads into, where the code shows it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"

#include <cstdint>
#include <optional>

namespace gridspan::transforms {

/// Addresses of structs that a kernel got by value, and how large these are.
using ParameterBytes = llvm::DenseMap<const llvm::Value*, std::uint64_t>;

/// A variable of a function, of shared memory or of the module.
struct KnownVariable {
  llvm::Value* base;
  std::uint64_t bytes;  // 0: the run time knows
  bool is_symbol;       // a __device__ or __constant__ variable
  bool may_change;      // by other threads
};

/// Nothing if `pointer` may lead into different variables, or anywhere.
std::optional<KnownVariable> known_variable(llvm::Value* pointer, const ParameterBytes& parameters);

/// `size` bytes at `pointer`, a place in `variable` that is a fixed number of bytes from its
/// beginning, are all in it.
bool is_always_inside(const KnownVariable& variable, const llvm::Value* pointer,
                      const llvm::Value* size, const llvm::DataLayout& layout);

}  // namespace gridspan::transforms
