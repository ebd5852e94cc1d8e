// Atomics with block and system scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Atomics | _block and _system variants of all operations
#include "check.h"

__global__ void block_scope(int* cells, unsigned* ucells, float* fcells, double* dcells) {
  int* c = cells + blockIdx.x * 8;  // each block has its own
  const int t = check::thread_index();
  atomicAdd_block(&c[0], t);
  atomicSub_block(&c[1], t);
  atomicMin_block(&c[2], -t);
  atomicMax_block(&c[3], t);
  atomicAnd_block(&c[4], ~(1 << t % 16));
  atomicOr_block(&c[5], 1 << t % 16);
  atomicXor_block(&c[6], t);
  int old = c[7];
  for (int seen; (seen = atomicCAS_block(&c[7], old, old + 2)) != old;) old = seen;
  atomicInc_block(&ucells[blockIdx.x * 2], 1000000u);
  atomicExch_block(&ucells[blockIdx.x * 2 + 1], 4711u);
  atomicAdd_block(&fcells[blockIdx.x], 2.0f);
  atomicAdd_block(&dcells[blockIdx.x], 0.5);
}

__global__ void system_scope(int* c, unsigned* u, unsigned long long* wide, float* f, double* d) {
  const int i = check::global_index();
  atomicAdd_system(&c[0], i);
  atomicSub_system(&c[1], i);
  atomicMin_system(&c[2], -i);
  atomicMax_system(&c[3], i);
  atomicAnd_system(&c[4], ~(1 << i % 16));
  atomicOr_system(&c[5], 1 << i % 16);
  atomicXor_system(&c[6], i);
  int old = c[7];
  for (int seen; (seen = atomicCAS_system(&c[7], old, old + 2)) != old;) old = seen;
  atomicInc_system(&u[0], 1000000u);
  atomicExch_system(&u[1], 4711u);
  atomicAdd_system(wide, 1ull << 33);
  atomicAdd_system(f, 2.0f);
  atomicAdd_system(d, 0.5);
}

std::vector<int> expected(int n) {
  std::vector<int> c(8, 0);
  c[4] = 0xffff;
  for (int i = 0; i < n; ++i) {
    c[0] += i;
    c[1] -= i;
    c[2] = -i;
    c[3] = i;
    c[4] &= ~(1 << i % 16);
    c[5] |= 1 << i % 16;
    c[6] ^= i;
    c[7] += 2;
  }
  return c;
}

int main() {
  for (dim3 block : check::few_block_shapes()) {
    const int n = check::volume(block), blocks = 4;
    std::vector<int> start(8, 0);
    start[4] = 0xffff;
    std::vector<int> starts, want;
    for (int b = 0; b < blocks; ++b) {
      starts.insert(starts.end(), start.begin(), start.end());
      const auto one = expected(n);
      want.insert(want.end(), one.begin(), one.end());
    }
    check::Array<int> cells(starts);
    check::Array<unsigned> ucells(std::vector<unsigned>(blocks * 2, 0));
    check::Array<float> fcells(std::vector<float>(blocks, 0));
    check::Array<double> dcells(std::vector<double>(blocks, 0));
    block_scope<<<blocks, block>>>(cells.data(), ucells.data(), fcells.data(), dcells.data());
    check::equal(check::name("block scope", block), cells.get(), want);
    for (int b = 0; b < blocks; ++b) {
      CHECK_EQ(ucells.get()[b * 2], static_cast<unsigned>(n));
      CHECK_EQ(ucells.get()[b * 2 + 1], 4711u);
      CHECK_EQ(fcells.get()[b], 2.0f * n);
      CHECK_EQ(dcells.get()[b], 0.5 * n);
    }
    const int total = n * blocks;
    check::Array<int> c(start);
    check::Array<unsigned> u(std::vector<unsigned>(2, 0));
    check::Array<unsigned long long> wide(std::vector<unsigned long long>(1, 0));
    check::Array<float> f(std::vector<float>(1, 0));
    check::Array<double> d(std::vector<double>(1, 0));
    system_scope<<<blocks, block>>>(c.data(), u.data(), wide.data(), f.data(), d.data());
    check::equal(check::name("system scope", block), c.get(), expected(total));
    CHECK_EQ(u.get()[0], static_cast<unsigned>(total));
    CHECK_EQ(u.get()[1], 4711u);
    CHECK_EQ(wide.get()[0], static_cast<unsigned long long>(total) << 33);
    CHECK_EQ(f.get()[0], 2.0f * total);
    CHECK_EQ(d.get()[0], 0.5 * total);
  }
  return check::finish();
}
