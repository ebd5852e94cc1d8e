// Device code that is compiled when the program is linked (-rdc=true).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   a.cu ─► a.o   host code + container (bitcode, options) in section .gridspan.rdc
//   b.cu ─► b.o   host code + container
//                    └─ device link of both containers ─► linked.o   kernels + one abi::Module
//
// The host code of an object made so calls a function of its own name, made of `unit_prefix`, its
// source's name and its module id, which the object does not define: linked.o does. A program that
// lacks the device link therefore does not link, as with nvcc and under the name that nvcc's
// users know. The section is dropped by the linker that makes a program or library.
#pragma once

#include "abi/module.h"
#include "abi/variants.h"

namespace gridspan::abi {

/// Containers of objects that hold the kernels themselves.
inline constexpr char kernel_section[] = ".gridspan";
/// Containers of objects whose device code is still to be linked; back to back likewise.
inline constexpr char relocatable_section[] = ".gridspan.rdc";

inline constexpr char unit_prefix[] = "__cudaRegisterLinkedBinary_";

}  // namespace gridspan::abi

extern "C" {
/// Called by linked.o on behalf of one object's host code: `register_globals` is that object's
/// function which names its kernels and variables to the run time. In `module` the names that are
/// private to the object end in `suffix`. Any number of objects share the module, and their
/// constructors may run before the module's own.
void gridspan_register_linked_unit(const gridspan::abi::Module* module, const char* suffix,
                                   void (*register_globals)(void** handle));
/// The same for code in several variants.
void gridspan_register_linked_unit_of_variants(const gridspan::abi::ModuleVariants* variants,
                                               const char* suffix,
                                               void (*register_globals)(void** handle));
}
