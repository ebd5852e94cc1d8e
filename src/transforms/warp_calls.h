// Functions of the device library that work on all lanes of a warp at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers and inline PTX call
//
//     void __gridspan_warp_NAME(i32 membermask, ptr data)
//
// where the lane's data begins with room for an abi::WarpCall. The library defines
//
//     void __gridspan_lanes_NAME(ptr lanes)
//
// which gets the data of 32 lanes, changes it, and touches no other memory. In between lies a sync
// point: the lanes of the mask meet, one call is made, and all go on.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Makes sync points of the calls.
void lower_warp_calls(llvm::Module& module);

/// The library's half.
bool is_lanes_function(const llvm::Function& function);

/// Adds a call of __gridspan_warp_`name`.
void call_warp_function(llvm::IRBuilder<>& builder, llvm::StringRef name, llvm::Value* mask,
                        llvm::Value* data);

}  // namespace gridspan::transforms
