// The home image of a module's __device__ and __constant__ variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/memory/home_memory.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace gridspan::runtime {

/// Where the host object keeps managed variable i of a module; null for the others.
using ManagedVariables = std::vector<void*>;

/// Writes what host code finds in a managed variable before the program begins.
void initialise_managed(const abi::Symbol& symbol, void* variable);

/// Writes a module's variables as they are before their first use, symbol i at `addresses[i]`, in
/// memory that the host reaches. Managed ones are left alone: the program may have
/// used them already.
void initialise_symbols(const abi::Module& module, const std::vector<void*>& addresses);

/// All symbols of one module in one piece of device memory; managed ones, and those that the home
/// device has at places of its own, where they are. Managed ones that no host code has (of modules
/// that the program loads) are in memory of the host if devices have memories of their own. Each is
/// at its own entry of the allocation table, so that pointers into them are as good as pointers
/// from cudaMalloc.
class ModuleImage {
 public:
  /// Allocates and initialises, on the program's `device`; nothing if there is no room.
  static std::optional<ModuleImage> create(const abi::Module& module,
                                           const ManagedVariables& managed, HomeMemory& memory,
                                           int device = 0);

  /// Whether managed variables, which all devices' images share, go with this one.
  enum class Managed : bool { stay, go };
  /// Removes the symbols from the table and gives the memory back.
  void destroy(HomeMemory& memory, Managed managed = Managed::go);

  /// Home address of each symbol, in the module's order; LaunchContext::symbols points here.
  void* const* addresses() const { return addresses_.data(); }

 private:
  bool place(const abi::Module& module, std::uint32_t index, void* managed, char* usual,
             HomeMemory& memory, int device);

  std::vector<void*> addresses_;
  std::optional<Allocation> storage_;
  std::vector<std::pair<void*, std::size_t>> pinned_;  // managed variables of host code
  std::vector<Allocation> loaded_;                     // managed variables of nobody else's
};

}  // namespace gridspan::runtime
