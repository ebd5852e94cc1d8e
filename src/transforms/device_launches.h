// Kernels that launch kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang compiles `child<<<grid, block>>>(x)` in device code to the protocol of the host's side,
// with a direct call of the kernel (cuda_headers/gridspan/device_launch.h brings it to that):
//
//     if (__cudaPushCallConfiguration(grid, block, 0, 0) == 0) child(x);
//
// and this becomes
//
//     if (gridspan_device_configure(&grid, &block, 0, 0) == 0)
//       gridspan_device_launch("child", {&x});
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// A function of the run-time API that device code may call.
bool is_device_runtime(llvm::StringRef name);

/// Lowers launches and cudaDeviceSynchronize. Reports kernels whose address is taken: nothing could
/// launch them.
void lower_device_launches(llvm::Module& module, UserErrors& errors);

}  // namespace gridspan::transforms
