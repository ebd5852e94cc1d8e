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

/// In the kernel's forms, as often as they are expected to run: more than one gather or scatter for
/// 16 other operations of vectors, and more than one for each vector that is stored as it is. (A
/// single gather for each result, as in a transposition, waits for memory in any case.)
bool gathers_much(const KernelCode& kernel);

}  // namespace gridspan::codegen
