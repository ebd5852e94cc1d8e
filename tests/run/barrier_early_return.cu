// Threads that returned early do not hold a barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Barriers | early return before a barrier (part of the block, one thread, whole warps)
// FEATURE: Barriers | early return between and inside loops of barriers
#include "check.h"

// Only the first `alive` threads take part in the shared-memory rotation.
__global__ void guard_then_barrier(int* out, int alive) {
  __shared__ int values[1024];
  const int t = check::thread_index();
  if (t >= alive) return;
  values[t] = t * 3 + 1;
  __syncthreads();
  out[blockIdx.x * alive + t] = values[alive - 1 - t];
}

// One thread alone goes, and which one differs from block to block.
__global__ void one_leaves(int* out) {
  __shared__ int values[1024];
  const unsigned t = check::thread_index(), n = check::thread_count();
  values[t] = t;
  __syncthreads();
  if (t == blockIdx.x % n) {
    out[blockIdx.x * n + t] = -1;
    return;
  }
  const int next = values[(t + 1) % n];
  __syncthreads();
  values[t] = next + 100;
  __syncthreads();
  out[blockIdx.x * n + t] = values[t];
}

// Whole warps go before the barrier: odd warps return at once.
__global__ void odd_warps_leave(int* out) {
  __shared__ int sum;
  const unsigned t = check::thread_index();
  if ((t / 32) % 2 == 1) return;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  __syncthreads();
  out[t] = sum;
}

// Threads drop out one after the other while the rest keeps meeting at the barrier.
__global__ void leave_in_turn(int* out) {
  __shared__ int left;
  const unsigned t = check::thread_index();
  if (t == 0) left = 0;
  __syncthreads();
  int seen = 0;
  for (unsigned round = 0;; ++round) {
    __syncthreads();
    seen = left;
    __syncthreads();
    if (t % 40 == round) {
      atomicAdd(&left, 1);
      out[t] = seen * 1000 + static_cast<int>(round);
      return;
    }
  }
}

// Return from the middle of a nest, before, between and after barriers.
__global__ void return_in_nest(const int* limits, int* out, int n) {
  __shared__ int scratch[1024];
  const int t = check::thread_index();
  if (t >= n) return;
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    scratch[t] = sum + t + i;
    __syncthreads();
    for (int j = 0; j < 3; ++j) {
      if (i * 3 + j == limits[t]) {
        out[t] = sum;
        return;
      }
      sum += scratch[t] ^ j;
      __syncthreads();
    }
  }
  out[t] = -sum;
}

int main() {
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block);
    for (int alive : {1, n / 3 + 1, n - 1, n}) {
      if (alive < 1) continue;
      const int blocks = 3;
      check::Array<int> out(blocks * alive);
      guard_then_barrier<<<blocks, block>>>(out.data(), alive);
      std::vector<int> want(blocks * alive);
      for (int i = 0; i < blocks * alive; ++i) want[i] = (alive - 1 - i % alive) * 3 + 1;
      check::equal(check::name("guard_then_barrier", block), out.get(), want);
    }
    {
      const int blocks = 5;
      check::Array<int> out(blocks * n);
      one_leaves<<<blocks, block>>>(out.data());
      std::vector<int> want(blocks * n);
      for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < n; ++t) want[b * n + t] = t == b % n ? -1 : (t + 1) % n + 100;
      check::equal(check::name("one_leaves", block), out.get(), want);
    }
    {
      check::Array<int> out(std::vector<int>(n, -7));
      odd_warps_leave<<<1, block>>>(out.data());
      int count = 0;
      for (int t = 0; t < n; ++t) count += t / 32 % 2 == 0;
      std::vector<int> want(n);
      for (int t = 0; t < n; ++t) want[t] = t / 32 % 2 == 0 ? count : -7;
      check::equal(check::name("odd_warps_leave", block), out.get(), want);
    }
    {
      check::Array<int> out(n);
      leave_in_turn<<<1, block>>>(out.data());
      std::vector<int> want(n);
      for (int t = 0; t < n; ++t) {
        const int round = t % 40;
        int gone = 0;
        for (int u = 0; u < n; ++u) gone += u % 40 < round;
        want[t] = gone * 1000 + round;
      }
      check::equal(check::name("leave_in_turn", block), out.get(), want);
    }
    {
      check::Random random(n);
      const auto limits = random.integers<int>(n, 0, 14);
      check::Array<int> device_limits(limits), out(n);
      return_in_nest<<<1, block>>>(device_limits.data(), out.data(), n);
      std::vector<int> want(n);
      for (int t = 0; t < n; ++t) {
        int sum = 0, cell = 0;
        bool returned = false;
        for (int k = 0; k < 12 && !returned; ++k) {
          if (k % 3 == 0) cell = sum + t + k / 3;
          if (k == limits[t]) {
            returned = true;
            break;
          }
          sum += cell ^ (k % 3);
        }
        want[t] = returned ? sum : -sum;
      }
      check::equal(check::name("return_in_nest", block), out.get(), want);
    }
  }
  return check::finish();
}
