// A thread's own arrays, element by element beside other threads'.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     int mine[4];  mine[i] of thread t      as it is          frames + t * 16 + i * 4
//                                            by elements       frames + i * 4 * threads + t * 4
//
// Where threads ask for the same element, as with the counter of a loop, neighbours find theirs
// beside each other, and a vector of threads loads it at once.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <cstdint>

namespace gridspan::transforms {

/// Bytes of an element of the array, if all that is done with it is to load and store whole
/// elements at addresses computed from its own; else 0.
std::uint64_t bytes_of_elements(llvm::AllocaInst& array);

/// In the copies that `map` leads to: elements of `array`, of so many bytes, lie `spacing` (i64)
/// times as far apart.
void space_elements(llvm::AllocaInst& array, std::uint64_t element, llvm::Value* spacing,
                    const llvm::ValueToValueMapTy& map);

}  // namespace gridspan::transforms
