// What the parameters of a three-dimensional copy mean.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"
#include "runtime/memory/copy.h"

namespace gridspan::runtime {

/// Finds the boxes of both sides and the extent in bytes. If the extent is empty the boxes mean
/// nothing.
Status resolve_copy_3d(Runtime& state, const cudaMemcpy3DParms& parameters, Pitched& to,
                       Pitched& from, Extent& extent);

}  // namespace gridspan::runtime
