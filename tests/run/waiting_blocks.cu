// Threads and blocks that wait in loops without volatile exchanges: such kernels need no fibers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | blocks that wait for all others, or for later ones, as many as run together
// FEATURE: Forward progress | chains of threads, of warps and of blocks, each waiting for the one before
#include "check.h"

/// Thread 0 of each block waits for all blocks, in each round.
__global__ void meet(unsigned* sums, unsigned* arrived, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    atomicAdd(&sums[(blockIdx.x + round) % gridDim.x],
              blockIdx.x * check::thread_count() + check::thread_index());
    __threadfence();
    __syncthreads();
    if (check::thread_index() == 0) {
      atomicAdd(arrived, 1u);
      while (*static_cast<volatile unsigned*>(arrived) < gridDim.x * (round + 1)) {
      }
    }
    __syncthreads();
  }
}

/// Each block waits for the next one; the last has nobody to wait for.
__global__ void wait_for_later(volatile int* flags, int* values) {
  if (check::thread_index() != 0) return;
  int after = 0;
  if (blockIdx.x + 1 < gridDim.x) {
    while (flags[blockIdx.x + 1] == 0) {
    }
    __threadfence();
    after = values[blockIdx.x + 1];
  }
  values[blockIdx.x] = after * 3 % 1009 + blockIdx.x;
  __threadfence();
  atomicExch(const_cast<int*>(&flags[blockIdx.x]), 1);
}

/// Each thread waits for the one before it, of its own warp or another, in its block or another.
__global__ void chain(int n, int* ready, int* values) {
  const int i = check::global_index();
  if (i >= n) return;
  int before = 1;
  if (i > 0) {
    while (atomicAdd(&ready[i - 1], 0) == 0) {
    }
    __threadfence();
    before = atomicAdd(&values[i - 1], 0);
  }
  atomicExch(&values[i], before * 5 % 10007 + i);
  __threadfence();
  atomicExch(&ready[i], 1);
}

/// Warps take turns, the last one first, by a word in shared memory; then all meet.
__global__ void turns(int* order) {
  __shared__ volatile int turn;
  const int t = check::thread_index(), warps = (check::thread_count() + 31) / 32, warp = t / 32;
  if (t == 0) turn = 0;
  __syncthreads();
  if (t % 32 == 0) {
    while (turn != warps - 1 - warp) {
    }
    order[blockIdx.x * warps + warp] = atomicAdd(const_cast<int*>(&turn), 1);
  }
  __syncthreads();
  if (t == 0) order[gridDim.x * warps + blockIdx.x] = turn;
}

/// Every lane wants the lock, and keeps it for a while; the others of its warp wait meanwhile.
__global__ void locked(int* lock, int* count, int* most) {
  bool waits = true;
  while (waits) {
    if (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    const int now = atomicAdd(count, 1) + 1;
    if (now > *most) *most = now;
    __threadfence();
    atomicExch(lock, 0);
    waits = false;
  }
}

/// Blocks that certainly run together, also where one core is in the place of a GPU.
static int most_blocks(const void* kernel, int threads) {
  int each = 0, multiprocessors = 0;
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, 0));
  CUDA_OK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return std::min(each * multiprocessors, 8);
}

static void check_meetings(int blocks, dim3 block, int rounds) {
  check::Array<unsigned> sums(std::vector<unsigned>(blocks, 0)),
      arrived(std::vector<unsigned>(1, 0));
  meet<<<blocks, block>>>(sums.data(), arrived.data(), rounds);
  const unsigned threads = check::volume(block);
  std::vector<unsigned> want(blocks, 0);
  for (int round = 0; round < rounds; ++round)
    for (int b = 0; b < blocks; ++b)
      want[(b + round) % blocks] += b * threads * threads + threads * (threads - 1) / 2;
  check::equal(check::name("meet", block), sums.get(), want);
}

static void check_later(int blocks, dim3 block) {
  check::Array<int> flags(std::vector<int>(blocks, 0)), values(blocks);
  wait_for_later<<<blocks, block>>>(flags.data(), values.data());
  std::vector<int> want(blocks);
  for (int b = blocks - 1, after = 0; b >= 0; --b) want[b] = after = after * 3 % 1009 + b;
  check::equal(check::name("wait_for_later", block), values.get(), want);
}

static void check_chain(int n, dim3 block) {
  check::Array<int> ready(std::vector<int>(n, 0)), values(n);
  const int threads = check::volume(block);
  chain<<<(n + threads - 1) / threads, block>>>(n, ready.data(), values.data());
  std::vector<int> want(n);
  for (int i = 0, before = 1; i < n; ++i) want[i] = before = before * 5 % 10007 + i;
  check::equal(check::name("chain", block), values.get(), want);
}

static void check_turns(int blocks, dim3 block) {
  const int warps = (check::volume(block) + 31) / 32;
  check::Array<int> order(blocks * (warps + 1));
  turns<<<blocks, block>>>(order.data());
  std::vector<int> want(blocks * (warps + 1), warps);
  for (int b = 0; b < blocks; ++b)
    for (int w = 0; w < warps; ++w) want[b * warps + w] = warps - 1 - w;
  check::equal(check::name("turns", block), order.get(), want);
}

static void check_locked(int blocks, dim3 block) {
  check::Array<int> lock(std::vector<int>(1, 0)), count(std::vector<int>(1, 0)),
      most(std::vector<int>(1, 0));
  locked<<<blocks, block>>>(lock.data(), count.data(), most.data());
  CHECK_EQ(count.get()[0], blocks * check::volume(block));
  CHECK_EQ(most.get()[0], blocks * check::volume(block));
}

int main() {
  for (dim3 block : {dim3(1), dim3(97), dim3(7, 5), dim3(256)}) {
    const int threads = check::volume(block);
    for (int blocks : {1, 2, 7, most_blocks(reinterpret_cast<const void*>(meet), threads)})
      check_meetings(blocks, block, 5);
    for (int blocks :
         {1, 2, 7, most_blocks(reinterpret_cast<const void*>(wait_for_later), threads)})
      check_later(blocks, block);
    check_chain(1009, block);
    check_turns(5, block);
    check_locked(3, block);
  }
  return check::finish();
}
