// Gathers and scatters get one address for all lanes and a small number for each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     places = (a + {0, -128, -256, ...}) + row * 132 + column * 4
//     gather places                             ►  gather (a + row * 132 + column * 4)[{0, -128,
//     ...}]
//
// CPUs add a scalar and lanes' offsets for nothing, and offsets of 32 bits gather twice as many
// lanes at once as addresses. LLVM takes such sums apart as suits its loops: it moves what is the
// same in all rounds out of them, be it a vector of addresses. So this runs last.
//
// What belongs to shared memory lies within 2^31 bytes of its beginning, so offsets from there
// may be computed modulo 2^32, whatever the lanes' subscripts are made of.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

/// Says that a load returns the beginning of a block's shared memory.
void mark_shared_memory(llvm::LoadInst& load);

/// Returns whether anything changed.
bool split_gather_addresses(llvm::Function& function);

}  // namespace gridspan::transforms
