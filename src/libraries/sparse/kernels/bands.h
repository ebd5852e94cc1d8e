// Systems of three and of five diagonals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gridspan::libraries::sparse {

/// Element i of diagonal k - 2 of a system is diagonals[k][i down + system right], in row i; null:
/// a diagonal of zeros. Those outside the matrix are not read.
template <typename T>
struct Bands {
  const T* diagonals[5] = {};
  std::int64_t down = 1, right = 0;
};

/// A x = x, in place, for each of `systems`: element i is x[i down + system right]. A thread each,
/// by rotations (QR): stable without pivots. `work`: of 5 size systems numbers.
template <typename T>
cudaError_t launch_bands(const Bands<T>& a, std::int64_t size, T* x, std::int64_t down,
                         std::int64_t right, std::int64_t systems, T* work, cudaStream_t stream);

}  // namespace gridspan::libraries::sparse
