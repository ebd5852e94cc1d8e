// Arrays of several ranks combined into one, element by element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nccl.h>

#include <cstddef>
#include <vector>

namespace gridspan::libraries::nccl {

/// out[i] = in[0][i] op in[1][i] op ..., in this order, divided by the number of arrays for
/// ncclAvg. Types of less than 32 bits are combined as float and rounded once for each eight
/// arrays. `out` may be one of the arrays. `op`: one of NCCL's own. With `factors`, in device
/// memory, it is a sum of the arrays' elements, each times the array's factor. Linear in all
/// elements; a launch for each eight arrays.
cudaError_t combine(const std::vector<const void*>& in, void* out, std::size_t count,
                    ncclDataType_t type, ncclRedOp_t op, const void* factors, cudaStream_t stream);

}  // namespace gridspan::libraries::nccl
