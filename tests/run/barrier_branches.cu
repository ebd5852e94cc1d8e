// Barriers in branches the whole block takes, and at odd places of a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Barriers | in block-uniform if/else and switch
// FEATURE: Barriers | as first or last statement, twice in a row, alone in a kernel
#include "check.h"

__global__ void uniform_branches(int* out, int flag) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int value = t + flag;
  if (flag > 0) {
    cells[t] = value * 2;
    __syncthreads();
    value = cells[n - 1 - t];
    if (blockIdx.x % 2 == 0) {
      __syncthreads();
      cells[t] = value + 5;
      __syncthreads();
      value -= cells[(t + 1) % n];
    }
  } else {
    cells[t] = value * 3;
    __syncthreads();
    value = cells[(t + 1) % n];
    __syncthreads();
  }
  out[blockIdx.x * n + t] = value;
}

__global__ void uniform_switch(int* out) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int value = t;
  switch (blockIdx.x % 5) {
    case 0:
      cells[t] = value;
      __syncthreads();
      value += cells[(t + 1) % n];
      __syncthreads();
      break;
    case 1:
      value += 11;
      [[fallthrough]];
    case 2:
      cells[t] = value;
      __syncthreads();
      value *= cells[(t + 2) % n];
      __syncthreads();
      break;
    case 3:
      __syncthreads();
      value = -value;
      break;
    default:
      value = 99;
  }
  cells[t] = value;
  __syncthreads();
  out[blockIdx.x * n + t] = cells[(t + n / 2) % n];
}

// A barrier for all in the middle of a branch that differs per thread is not allowed; but a barrier
// after divergent work of different length is.
__global__ void after_divergence(int* out) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int value = 1;
  if (t % 3 == 0) {
    for (int i = 0; i < t % 17; ++i) value += i;
  } else if (t % 3 == 1) {
    value = t;
  }
  cells[t] = value;
  __syncthreads();
  out[t] = cells[n - 1 - t];
}

__global__ void first_and_last(int* out) {
  __syncthreads();
  out[check::global_index()] = check::thread_index();
  __syncthreads();
}

__global__ void several_in_a_row(int* out) {
  __shared__ int cell;
  if (check::thread_index() == 0) cell = blockIdx.x + 40;
  __syncthreads();
  __syncthreads();
  __syncthreads();
  out[check::global_index()] = cell;
}

__global__ void only_a_barrier() { __syncthreads(); }
__global__ void empty() {}

__global__ void barrier_then_loop_exit(int* out, int n) {
  for (int i = 0;; ++i) {
    __syncthreads();
    if (i == n) break;
  }
  __syncthreads();
  out[check::global_index()] = n;
}

int main() {
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block), blocks = 5;
    for (int flag : {-3, 4}) {
      check::Array<int> out(blocks * n);
      uniform_branches<<<blocks, block>>>(out.data(), flag);
      std::vector<int> want(blocks * n);
      for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < n; ++t) {
          const auto reversed = [&](int u) { return (n - 1 - u + flag) * 2; };
          int value;
          if (flag > 0) {
            value = reversed(t);
            if (b % 2 == 0) value -= reversed((t + 1) % n) + 5;
          } else {
            value = ((t + 1) % n + flag) * 3;
          }
          want[b * n + t] = value;
        }
      check::equal(check::name("uniform_branches", block), out.get(), want);
    }
    {
      check::Array<int> out(blocks * n);
      uniform_switch<<<blocks, block>>>(out.data());
      std::vector<int> want(blocks * n);
      for (int b = 0; b < blocks; ++b) {
        std::vector<int> value(n);
        for (int t = 0; t < n; ++t) {
          const int plus = b == 1 ? 11 : 0;
          if (b == 0) value[t] = t + (t + 1) % n;
          if (b == 1 || b == 2) value[t] = (t + plus) * ((t + 2) % n + plus);
          if (b == 3) value[t] = -t;
          if (b == 4) value[t] = 99;
        }
        for (int t = 0; t < n; ++t) want[b * n + t] = value[(t + n / 2) % n];
      }
      check::equal(check::name("uniform_switch", block), out.get(), want);
    }
    {
      check::Array<int> out(n);
      after_divergence<<<1, block>>>(out.data());
      std::vector<int> want(n);
      for (int u = 0; u < n; ++u) {
        const int t = n - 1 - u;
        want[u] = t % 3 == 0 ? 1 + (t % 17) * (t % 17 - 1) / 2 : t % 3 == 1 ? t : 1;
      }
      check::equal(check::name("after_divergence", block), out.get(), want);
    }
    {
      check::Array<int> out(blocks * n);
      first_and_last<<<blocks, block>>>(out.data());
      std::vector<int> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i) want[i] = i % n;
      check::equal(check::name("first_and_last", block), out.get(), want);
      several_in_a_row<<<blocks, block>>>(out.data());
      for (int i = 0; i < blocks * n; ++i) want[i] = i / n + 40;
      check::equal(check::name("several_in_a_row", block), out.get(), want);
      barrier_then_loop_exit<<<blocks, block>>>(out.data(), 3);
      check::equal(check::name("barrier_then_loop_exit", block), out.get(),
                   std::vector<int>(blocks * n, 3));
    }
    only_a_barrier<<<blocks, block>>>();
    KERNEL_OK();
    empty<<<blocks, block>>>();
    KERNEL_OK();
  }
  return check::finish();
}
