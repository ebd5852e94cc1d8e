// Blocks that wait for each other or hand work on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | last block done (__threadfence and atomicInc)
// FEATURE: Forward progress | scan with decoupled look-back between blocks
// FEATURE: Forward progress | hand-made barrier over the grid, few blocks
// FEATURE: Forward progress | blocks that wait for blocks of higher numbers, with a barrier in the waiting loop
// FEATURE: Forward progress | work queues: persistent threads, blocks that draw their index
#include "check.h"

// Sum whose last block adds the blocks' results; the counter is ready again afterwards.
__global__ void sum_last_block(const int* in, int n, volatile int* partial, unsigned* count,
                               int* total) {
  __shared__ int cells[1024];
  __shared__ bool last;
  const int t = check::thread_index(), threads = check::thread_count();
  int sum = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) sum += in[i];
  cells[t] = sum;
  __syncthreads();
  for (int width = threads; width > 1; width = (width + 1) / 2) {
    if (t < width / 2) cells[t] += cells[t + (width + 1) / 2];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = cells[0];
    __threadfence();
    last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
    *total = all;
  }
}

// Single-pass scan: each block looks back over its predecessors' published aggregates.
__global__ void look_back_scan(const int* in, int* out, int n, volatile int* status,
                               volatile int* aggregate, volatile int* prefix, unsigned* order) {
  __shared__ int cells[256];
  __shared__ int exclusive;
  __shared__ unsigned block;
  const int t = threadIdx.x;
  if (t == 0) block = atomicAdd(order, 1u);  // indices in the order in which blocks start
  __syncthreads();
  const int i = block * blockDim.x + t;
  cells[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < int(blockDim.x); offset *= 2) {
    const int other = t >= offset ? cells[t - offset] : 0;
    __syncthreads();
    cells[t] += other;
    __syncthreads();
  }
  if (t == 0) {
    const int total = cells[blockDim.x - 1];
    int before = 0;
    if (block == 0) {
      prefix[0] = total;
      __threadfence();
      status[0] = 2;
    } else {
      aggregate[block] = total;
      __threadfence();
      status[block] = 1;
      for (int b = static_cast<int>(block) - 1; b >= 0;) {
        const int s = status[b];
        if (s == 0) continue;  // spin
        __threadfence();
        if (s == 2) {
          before += prefix[b];
          break;
        }
        before += aggregate[b];
        --b;
      }
      prefix[block] = before + total;
      __threadfence();
      status[block] = 2;
    }
    exclusive = before;
  }
  __syncthreads();
  if (i < n) out[i] = cells[t] + exclusive;
}

// All blocks must be running at once: only a few of them.
__device__ void grid_barrier(unsigned* arrived, volatile unsigned* generation) {
  __syncthreads();
  if (check::thread_index() == 0) {
    const unsigned now = *generation;
    __threadfence();
    if (atomicAdd(arrived, 1u) == gridDim.x - 1) {
      *arrived = 0;
      __threadfence();
      *generation = now + 1;
    } else {
      while (*generation == now) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void grid_wide(volatile int* cells, int* out, unsigned* arrived, unsigned* generation,
                          int rounds) {
  const int i = check::global_index(), n = gridDim.x * check::thread_count();
  int value = i;
  for (int r = 0; r < rounds; ++r) {
    cells[i] = value;
    grid_barrier(arrived, generation);
    value = cells[(i + 1) % n] + r;
    grid_barrier(arrived, generation);
  }
  out[i] = value;
}

// Each block waits for the one after it, together: in every round some thread may get on.
__global__ void wait_for_next_block(volatile int* values, int n) {
  const int i = check::global_index();
  bool waits = i < n;
  do {
    if (waits) {
      const int after = i + check::thread_count();
      const int value = after < n ? values[after] : 1;
      if (value != 0) {
        values[i] = value * 3 % 1009 + threadIdx.x + 1;
        waits = false;
      }
    }
  } while (__syncthreads_or(waits));
}

// Threads take items until none is left.
__global__ void persistent(unsigned* next, const int* in, int* out, unsigned n) {
  for (;;) {
    const unsigned item = atomicAdd(next, 1u);
    if (item >= n) return;
    int x = in[item];
    for (int i = 0; i < x % 10; ++i) x = (x * 7 + 3) & 0xffff;
    out[item] = x;
  }
}

// A block draws items for all its threads, through shared memory.
__global__ void block_queue(unsigned* next, int* taken, unsigned n) {
  __shared__ unsigned item;
  while (true) {
    __syncthreads();
    if (check::thread_index() == 0) item = atomicAdd(next, 1u);
    __syncthreads();
    if (item >= n) break;
    atomicAdd(&taken[item], 1);
  }
}

// Warp 0 writes, warp 1 waits for the flag by polling, no barrier between.
__global__ void poll_inside_block(int* out) {
  __shared__ volatile int flag, box[32];
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    box[t] = t * t;
    __syncwarp();
    __threadfence_block();
    if (t == 0) flag = 1;
  } else {
    while (flag == 0) {
    }
    __threadfence_block();
    out[blockIdx.x * 32 + t - 32] = box[63 - t];
  }
}

int main() {
  check::Random random(47);
  for (dim3 block : {dim3(1), dim3(33), dim3(257), dim3(7, 5)}) {
    for (int n : {1, 1009, 20011}) {
      const auto in = random.integers<int>(n, -1000, 1000);
      check::Array<int> source(in), partial(13), total(1);
      check::Array<unsigned> count(std::vector<unsigned>(1, 0));
      int want = 0;
      for (int x : in) want += x;
      for (int again = 0; again < 3; ++again) {
        CUDA_OK(cudaMemset(total.data(), 0xA5, sizeof(int)));
        sum_last_block<<<13, block>>>(source.data(), n, partial.data(), count.data(), total.data());
        CHECK_EQ(total.get()[0], want);
        CHECK_EQ(count.get()[0], 0u);
      }
    }
    {
      const int n = check::volume(block), blocks = 2, rounds = 5;
      check::Array<int> cells(n * blocks), out(n * blocks);
      check::Array<unsigned> arrived(std::vector<unsigned>(1, 0)),
          generation(std::vector<unsigned>(1, 0));
      grid_wide<<<blocks, block>>>(cells.data(), out.data(), arrived.data(), generation.data(),
                                   rounds);
      std::vector<int> want(n * blocks);
      for (int i = 0; i < n * blocks; ++i) want[i] = (i + rounds) % (n * blocks) + 10;
      check::equal(check::name("grid_wide", block), out.get(), want);
    }
    {
      // All blocks are there at once: no more threads than one multiprocessor holds.
      const int threads = check::volume(block), blocks = std::min(13, 2048 / threads);
      const int n = blocks * threads - threads / 3;
      check::Array<int> values(std::vector<int>(n, 0));
      wait_for_next_block<<<blocks, block>>>(values.data(), n);
      std::vector<int> want(n);
      for (int i = n - 1; i >= 0; --i) {
        const int value = i + threads < n ? want[i + threads] : 1;
        want[i] = value * 3 % 1009 + i % threads % static_cast<int>(block.x) + 1;
      }
      check::equal(check::name("wait_for_next_block", block), values.get(), want);
    }
    for (unsigned n : {1u, 1009u}) {
      const auto in = random.integers<int>(n, 0, 1000);
      check::Array<int> source(in), out(n), taken(std::vector<int>(n, 0));
      check::Array<unsigned> next(std::vector<unsigned>(2, 0));
      persistent<<<5, block>>>(next.data(), source.data(), out.data(), n);
      block_queue<<<5, block>>>(next.data() + 1, taken.data(), n);
      std::vector<int> want(n);
      for (unsigned k = 0; k < n; ++k) {
        int x = in[k];
        // The bound is evaluated anew each time, as in the kernel.
        for (int i = 0; i < x % 10; ++i) x = (x * 7 + 3) & 0xffff;
        want[k] = x;
      }
      check::equal(check::name("persistent", block), out.get(), want);
      check::equal(check::name("block_queue", block), taken.get(),
                   std::vector<int>(n, check::volume(block)));
    }
  }
  for (int n : {1, 256, 20011}) {
    const auto in = random.integers<int>(n, -1000, 1000);
    const int blocks = (n + 255) / 256;
    check::Array<int> source(in), out(n), status(std::vector<int>(blocks, 0)), aggregate(blocks),
        prefix(blocks);
    check::Array<unsigned> order(std::vector<unsigned>(1, 0));
    look_back_scan<<<blocks, 256>>>(source.data(), out.data(), n, status.data(), aggregate.data(),
                                    prefix.data(), order.data());
    auto want = in;
    for (int i = 1; i < n; ++i) want[i] += want[i - 1];
    check::equal("look_back_scan", out.get(), want);
  }
  {
    check::Array<int> out(3 * 32);
    poll_inside_block<<<3, 64>>>(out.data());
    std::vector<int> want(3 * 32);
    for (int i = 0; i < 96; ++i) want[i] = (31 - i % 32) * (31 - i % 32);
    check::equal("poll_inside_block", out.get(), want);
  }
  return check::finish();
}
