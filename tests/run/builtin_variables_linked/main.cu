// Built-in variables whose references cross files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

__global__ void kernel(unsigned* out) {
  unsigned* mine = out + 6 * check::global_index();
  const auto copy = where();
  mine[0] = code(copy) + code(where());
  mine[1] = code(*shape(threadIdx.x % 2));
  mine[2] = taken(where(), gridDim) + taken(blockIdx, blockDim);
  mine[3] = View().value();
  mine[4] = own_lanes() + 100 * warpSize;
  auto other = threadIdx;
  other.x ^= 1;
  mine[5] = taken(other, dim3(where()));
}

int main() {
  CHECK_EQ(host_lanes(), 32);
  const dim3 grid(3, 2);
  for (dim3 block : {dim3(1), dim3(33), dim3(3, 5, 7)}) {
    const unsigned threads = check::volume(block), all = threads * check::volume(grid);
    check::Array<unsigned> out(6 * all);
    kernel<<<grid, block>>>(out.data());
    std::vector<unsigned> want(6 * all);
    for (unsigned i = 0; i < all; ++i) {
      const unsigned lane = i % threads, b = i / threads;
      uint3 t = {lane % block.x, lane / block.x % block.y, lane / block.x / block.y};
      const uint3 at = {b % grid.x, b / grid.x, 0};
      unsigned* mine = &want[6 * i];
      mine[0] = 2 * code(t);
      mine[1] = code(t.x % 2 ? grid : block);
      mine[2] = code(t) + 3 * code(grid) + code(at) + 3 * code(block);
      mine[3] = code(at) + 7 * code(grid);
      mine[4] = 32 + lane % 32 + 3200;
      mine[5] = 3 * code(t);
      t.x ^= 1;
      mine[5] += code(t);
    }
    check::equal(check::name("across files", block), out.get(), want);
  }
  return check::finish();
}
