// The code of a module's kernels for further instruction sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/variants.h"
#include "codegen/kernel_code.h"

#include "llvm/IR/Module.h"

#include <vector>

namespace gridspan::codegen {

/// An instruction set beside the baseline, and how wide its vectors should be.
struct Variant {
  abi::InstructionSet set;
  unsigned vector_bits;
};

/// What is compiled beside the baseline where the user names no CPU: of large modules less, since
/// each variant takes as long as the first.
llvm::ArrayRef<Variant> further_variants(const llvm::Module& module, bool is_large);

/// Has the function compiled for an instruction set beside the baseline.
void set_target(llvm::Function& function, const Variant& variant);

/// The variant of an instruction set beside the baseline.
Variant variant_of(abi::InstructionSet set);

/// One variant's kernels and variables, in the order of the module's.
struct VariantCode {
  abi::InstructionSet set;
  std::vector<KernelCode> kernels;
  std::vector<transforms::DeviceSymbol> symbols;
};

/// For each of `variants`, copies all functions of `module`, and the constants that hold their
/// addresses, within the module and sets the copies' target. The results name the copies;
/// everything else in them is as in `original`.
std::vector<VariantCode> make_variants(llvm::Module& module, const VariantCode& original,
                                       llvm::ArrayRef<Variant> variants);

}  // namespace gridspan::codegen
