// Elements of one type made into another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <cstdint>

namespace gridspan::libraries::sparse {

/// Whether there is a conversion: 16 bits and int8 to float and back (not to int8), float to
/// double, real to complex.
bool can_convert(cudaDataType from, cudaDataType to);

/// `lines` lines of `length` elements, whose starts are `from_step` and `to_step` elements apart.
cudaError_t launch_convert(const void* from, cudaDataType from_type, std::int64_t from_step,
                           void* to, cudaDataType to_type, std::int64_t to_step,
                           std::int64_t length, std::int64_t lines, cudaStream_t stream);

}  // namespace gridspan::libraries::sparse
