// Writes abi::Module and everything below it as constants, and the constructor that registers it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"
#include "codegen/variants.h"

#include "abi/module.h"

#include "llvm/IR/Module.h"

namespace gridspan::codegen {

/// Bytes of containers; empty: none.
struct Containers {
  std::string ordinary;  // in section .gridspan
  std::string fused;     // of kernels made of several
};

/// Adds the descriptor of each variant (the first is the baseline's), the containers' bytes, and a
/// constructor and destructor that register and unregister them.
/// `registrations`: by which the host code of device-linked units finds it (abi/relocatable.h).
void add_descriptors(llvm::Module& module, abi::ModuleId id,
                     const std::vector<VariantCode>& variants, const Containers& containers,
                     llvm::ArrayRef<UnitRegistration> registrations);

/// The descriptor of a recording build (abi/recording.h): exported, not registered.
void export_recording(llvm::Module& module, abi::ModuleId id, const VariantCode& code,
                      unsigned sites);

/// The descriptor of a specialised build (abi/specialise.h): exported, not registered. `bytes`: its
/// container; empty: none.
void export_specialised(llvm::Module& module, abi::ModuleId id, const VariantCode& code,
                        llvm::StringRef bytes);

}  // namespace gridspan::codegen
