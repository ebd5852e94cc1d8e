// Warps that diverge and meet again at __syncwarp, exchanging data through memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | __syncwarp orders memory among lanes; diverged lanes reconverge at it
// FEATURE: Warp operations | __syncwarp with partial masks
// FEATURE: Warp operations | warp operations and block barriers mixed; in device functions; warps with different trip counts
#include "check.h"

// Producer lanes run long, consumers wait for them at __syncwarp.
__global__ void produce_consume(int* out) {
  __shared__ int box[1024];
  const int t = check::thread_index(), lane = t % 32, base = t - lane;
  const int present = min(32, int(check::thread_count()) - base);
  int value = 0;
  if (lane % 2 == 0) {
    for (int i = 0; i <= lane * 7; ++i) value += i;
    box[t] = value;
  }
  __syncwarp();
  if (lane % 2 == 1) {
    value = box[t - 1] * 2;
    box[t] = value;
  }
  __syncwarp();
  out[t] = box[base + (lane + 1) % present] - value;
}

// Scan in shared memory with one array and two __syncwarp per step.
__global__ void warp_scan(const int* in, int* out) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), lane = t % 32;
  cells[t] = in[t];
  __syncwarp();
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = lane >= offset ? cells[t - offset] : 0;
    __syncwarp();
    cells[t] += other;
    __syncwarp();
  }
  out[t] = cells[t];
}

// Quarters of the warp synchronise for themselves, a different number of times.
__global__ void quarters(int* out) {
  __shared__ int cells[1024];
  const int t = threadIdx.x, lane = t % 32, quarter = lane / 8;
  const unsigned mask = 0xffu << (quarter * 8);
  cells[t] = lane;
  __syncwarp(mask);
  for (int i = 0; i <= quarter; ++i) {
    const int next = cells[t / 8 * 8 + (lane + 1) % 8];
    __syncwarp(mask);
    cells[t] = next + 10;
    __syncwarp(mask);
  }
  __syncwarp();
  out[t] = cells[t / 32 * 32 + (lane + 8) % 32];
}

__device__ int warp_total(int value) {
  for (int m = 16; m > 0; m /= 2) value += __shfl_xor_sync(0xffffffffu, value, m);
  return value;
}

__device__ __noinline__ int warp_total_called(int value) { return warp_total(value); }

// Warps make different numbers of rounds of warp operations, then all meet at the block barrier.
__global__ void rounds_per_warp(int* out) {
  __shared__ int totals[32];
  const int t = check::thread_index(), lane = t % 32, warp = t / 32;
  const int warps = check::thread_count() / 32;
  int value = lane + warp;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < warp + round; ++i) value = warp_total(value) % 1000 + lane;
    if (lane == 0) totals[warp] = value;
    __syncthreads();
    value += totals[(warp + 1) % warps];
    if (warp % 2 == 0) value = warp_total_called(value) % 100 - lane;
    __syncthreads();
  }
  out[t] = value;
}

// Warp-uniform branches (also an early return of whole warps) with warp operations inside.
__global__ void warp_roles(int* out) {
  __shared__ int sums[2];
  const int t = check::thread_index(), lane = t % 32, warp = t / 32;
  if (t < 2) sums[t] = 0;
  __syncthreads();
  if (warp == 2) return;
  if (warp % 2 == 0) {
    const int total = warp_total(t);
    if (lane == 5) atomicAdd(&sums[0], total);
  } else {
    int v = t;
    for (int d = 1; d < 32; d *= 2) {
      const int u = __shfl_up_sync(0xffffffffu, v, d);
      if (lane >= d) v += u;
    }
    if (lane == 31) atomicAdd(&sums[1], v);
  }
  __syncthreads();
  out[t] = sums[warp % 2];
}

int main() {
  check::Random random(43);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block);
    {
      check::Array<int> out(n);
      produce_consume<<<1, block>>>(out.data());
      std::vector<int> want(n), box(n), value(n);
      for (int t = 0; t < n; ++t) {
        const int lane = t % 32, k = lane * 7;
        value[t] = lane % 2 == 0 ? k * (k + 1) / 2 : value[t - 1] * 2;
        box[t] = value[t];
      }
      for (int t = 0; t < n; ++t) {
        const int base = t / 32 * 32, present = n - base < 32 ? n - base : 32;
        want[t] = box[base + (t - base + 1) % present] - value[t];
      }
      check::equal(check::name("produce_consume", block), out.get(), want);
    }
    {
      const auto in = random.integers<int>(n, -1000, 1000);
      check::Array<int> source(in), out(n);
      warp_scan<<<1, block>>>(source.data(), out.data());
      auto want = in;
      for (int t = 0; t < n; ++t)
        if (t % 32 != 0) want[t] += want[t - 1];
      check::equal(check::name("warp_scan", block), out.get(), want);
    }
  }
  {
    check::Array<int> out(96);
    quarters<<<1, 96>>>(out.data());
    std::vector<int> want(96);
    for (int t = 0; t < 96; ++t) {
      const int lane = (t % 32 + 8) % 32, quarter = lane / 8;
      want[t] = quarter * 8 + (lane + quarter + 1) % 8 + 10 * (quarter + 1);
    }
    check::equal("quarters", out.get(), want);
  }
  for (int n : {32, 96, 256, 1024}) {
    check::Array<int> out(n);
    rounds_per_warp<<<1, n>>>(out.data());
    std::vector<int> value(n), totals(n / 32);
    auto warp_total = [&](int w) {
      int sum = 0;
      for (int lane = 0; lane < 32; ++lane) sum += value[w * 32 + lane];
      return sum;
    };
    for (int t = 0; t < n; ++t) value[t] = t % 32 + t / 32;
    for (int round = 0; round < 3; ++round) {
      for (int w = 0; w < n / 32; ++w) {
        for (int i = 0; i < w + round; ++i) {
          const int total = warp_total(w) % 1000;
          for (int lane = 0; lane < 32; ++lane) value[w * 32 + lane] = total + lane;
        }
        totals[w] = value[w * 32];
      }
      for (int w = 0; w < n / 32; ++w) {
        for (int lane = 0; lane < 32; ++lane) value[w * 32 + lane] += totals[(w + 1) % (n / 32)];
        if (w % 2 != 0) continue;
        const int total = warp_total(w) % 100;
        for (int lane = 0; lane < 32; ++lane) value[w * 32 + lane] = total - lane;
      }
    }
    check::equal("rounds_per_warp", out.get(), value);
  }
  for (int n : {32, 64, 96, 128, 320}) {
    check::Array<int> out(std::vector<int>(n, -1));
    warp_roles<<<1, n>>>(out.data());
    std::vector<int> want(n);
    int sums[2] = {0, 0};
    for (int t = 0; t < n; ++t)
      if (t / 32 != 2) sums[t / 32 % 2] += t;
    for (int t = 0; t < n; ++t) want[t] = t / 32 == 2 ? -1 : sums[t / 32 % 2];
    check::equal("warp_roles", out.get(), want);
  }
  return check::finish();
}
