// Kernels whose vectors gather a lot, for CPUs on which that is slow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVX-512 gathers and scatters for 16 lanes at once. AMD's CPUs take some 50 cycles for that, where
// 16 loads take eight; so code for vectors of half that length, which loads lane by lane, is
// several times as fast there. On Intel's CPUs it is the other way round. Both are in the object: a
// launch takes the forms that its CPU is for (abi::needs_fast_gathers).
#pragma once

#include "codegen/kernel_code.h"

namespace gridspan::codegen {

/// More than one gather or scatter for 16 other operations of vectors, as often as they are
/// expected to run, in the kernel's forms.
bool gathers_much(const KernelCode& kernel);

}  // namespace gridspan::codegen
