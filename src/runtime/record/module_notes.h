// Numbers the program's modules in a recording, and notes where their variables are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/api/registry.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/command.h"

#include <cstdint>
#include <set>
#include <vector>

namespace gridspan::runtime::record {

/// Used by the holder of the queue's role only.
class ModuleNotes {
 public:
  explicit ModuleNotes(Recorder& recorder) : recorder_(recorder) {}

  /// Writes what the registry has that was not written yet. `new_variables`: bases of memory that
  /// came since; those of the images written are removed.
  void update(std::set<std::uintptr_t>& new_variables);

  /// A kernel's module and its place there. A module whose variables are on several of the
  /// program's devices counts once for each.
  struct Place {
    std::uint32_t module = nowhere, kernel = 0;
  };
  static constexpr std::uint32_t nowhere = 0xffffffff;
  /// Nowhere if no module of the registry holds it.
  Place place_of(const abi::Kernel& kernel, const SymbolTable& symbols) const;

 private:
  /// Where it was: a module may be unloaded since, and must not be looked at.
  struct Known {
    const abi::Module* module;
    int device;
    abi::ModuleId id;
    const abi::Kernel* kernels;
    std::uint32_t kernel_count;
    std::vector<void*> addresses;  // as last written
  };
  std::uint32_t number(const abi::Module& module, int device);
  void note_image(const LoadedModule& loaded, int device, std::set<std::uintptr_t>& new_variables);

  Recorder& recorder_;
  std::vector<Known> known_;
};

}  // namespace gridspan::runtime::record
