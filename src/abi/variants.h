// One object, several instruction sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object holds the code of its kernels once for each instruction-set variant it was compiled
// for, each with a complete abi::Module: pointers to device functions (tables, virtual functions)
// lie in the initial images of variables and so belong to one variant, too. What does not depend on
// the instruction set - models, containers - is there once and shared. The run time registers the
// best variant that this machine can run and never looks at the others.
#pragma once

#include "abi/module.h"

#include <cstdint>

namespace gridspan::abi {

/// Never empty; ascending; the first is for `baseline`.
struct ModuleVariants {
  std::uint32_t version;  // = abi::version
  std::uint32_t count;
  const Module* const* modules;
};

}  // namespace gridspan::abi

extern "C" {
/// gridspan_register_module for objects of several variants.
void gridspan_register_variants(const gridspan::abi::ModuleVariants* variants);
void gridspan_unregister_variants(const gridspan::abi::ModuleVariants* variants);
}
