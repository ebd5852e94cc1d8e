// Factors of ranks: ncclRedOpCreatePreMulSum.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace gridspan::libraries::nccl {

/// The lowest `bytes` (1, 2, 4 or 8) of a number, into device memory. A kernel: a graph keeps the
/// number.
cudaError_t write_factor(void* to, std::uint64_t number, std::size_t bytes, cudaStream_t stream);

}  // namespace gridspan::libraries::nccl
