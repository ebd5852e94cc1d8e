// Sparse matrices in blocks: kernels over indices alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/blocks.h"
#include "libraries/sparse/kernels/heap_sort.h"
#include "libraries/sparse/kernels/widths.h"

namespace gridspan::libraries::sparse {
namespace {

__global__ void count_blocks(TypedRows<char, int, int> a, Blocks made, long long* keys,
                             int* offsets) {
  const long long own = own_number();
  if (own >= made.rows) return;
  const long long last = (own + 1) * made.height < a.rows ? (own + 1) * made.height : a.rows;
  const long long start = a.start(own * made.height), end = a.start(last);
  for (long long k = start; k < end; ++k) keys[k] = a.column(k) / made.width;
  sort(keys + start, end - start);
  int different = 0;
  for (long long k = start; k < end; ++k) different += k == start || keys[k] != keys[k - 1];
  offsets[own + 1] = different;
  if (own == 0) offsets[0] = 0;
}

__global__ void write_pair(int* pair, int first, int second) {
  pair[0] = first;
  pair[1] = second;
}

}  // namespace

cudaError_t launch_count_blocks(const Rows& a, const Blocks& made, std::int64_t* keys, int* offsets,
                                cudaStream_t stream) {
  if (made.rows == 0) return cudaMemsetAsync(offsets, 0, sizeof(int), stream);
  return start_kernel(count_blocks, blocks_of(made.rows), dim3(block), stream,
                      TypedRows<char, int, int>(a), made, reinterpret_cast<long long*>(keys),
                      offsets);
}

cudaError_t launch_pair(int* pair, int first, int second, cudaStream_t stream) {
  return start_kernel(write_pair, dim3(1), dim3(1), stream, pair, first, second);
}

}  // namespace gridspan::libraries::sparse
