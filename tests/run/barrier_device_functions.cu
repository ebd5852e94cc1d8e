// Barriers reached through device functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Barriers | in device functions, nested calls, called in loops
// FEATURE: Barriers | in functions that are not inlined, in recursive functions, through function pointers
// FEATURE: Barriers | in device functions with return values, references and arrays by pointer
#include "check.h"

__device__ int exchange(int* cells, int t, int n, int value) {
  __syncthreads();
  cells[t] = value;
  __syncthreads();
  return cells[(t + 1) % n];
}

__device__ int exchange_twice(int* cells, int t, int n, int value) {
  const int first = exchange(cells, t, n, value);
  return exchange(cells, t, n, first * 2) + first;
}

__device__ void exchange_in_place(int* cells, int t, int n, int& value, int* local, int count) {
  for (int i = 0; i < count; ++i) {
    local[i] = exchange(cells, t, n, value + i);
    value += local[i];
  }
}

__device__ __noinline__ int block_sum(int* cells, int t, int n, int value) {
  cells[t] = value;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int other = t >= offset ? cells[t - offset] : 0;
    __syncthreads();
    cells[t] += other;
    __syncthreads();
  }
  const int total = cells[n - 1];
  __syncthreads();
  return total;
}

__global__ void inlined_calls(int* out) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  out[blockIdx.x * n + t] = exchange_twice(cells, t, n, t + blockIdx.x);
}

__global__ void call_in_loop(int* out, int rounds) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int value = t, local[4] = {0, 0, 0, 0};
  for (int i = 0; i < rounds; ++i) exchange_in_place(cells, t, n, value, local, 3);
  out[blockIdx.x * n + t] = value + local[0] * 3 + local[(t + 1) % 3];
}

__global__ void not_inlined(int* out) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int total = 0;
  for (int i = 1; i <= 3; ++i) total += i * block_sum(cells, t, n, t * i);
  out[blockIdx.x * n + t] = total;
}

__device__ __noinline__ int recurse(int* cells, int t, int n, int depth) {
  if (depth == 0) return t;
  const int below = recurse(cells, t, n, depth - 1);
  return exchange(cells, t, n, below + depth) + 1;
}

__global__ void recursive(int* out, int depth) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  out[blockIdx.x * n + t] = recurse(cells, t, n, depth);
}

using Operation = int (*)(int*, int, int, int);
__device__ int reverse(int* cells, int t, int n, int value) {
  __syncthreads();
  cells[t] = value;
  __syncthreads();
  return cells[n - 1 - t];
}

__global__ void through_pointer(int* out, int which) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  Operation operation = which == 0 ? exchange : reverse;
  int value = t * 5;
  for (int i = 0; i < 2; ++i) value = operation(cells, t, n, value + i);
  out[blockIdx.x * n + t] = value;
}

// Early exit of a function, then a barrier by those who stayed and by those who left it.
__device__ int leave_function(int t, int limit) {
  if (t > limit) return -1;
  int sum = 0;
  for (int i = 0; i < t; ++i) {
    if (i == 10) return sum;
    sum += i;
  }
  return sum + 1000;
}

__global__ void barrier_after_function_exit(int* out, int limit) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  out[blockIdx.x * n + t] = exchange(cells, t, n, leave_function(t, limit));
}

int main() {
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block), blocks = 3;
    std::vector<int> want(blocks * n);
    {
      check::Array<int> out(blocks * n);
      inlined_calls<<<blocks, block>>>(out.data());
      for (int i = 0; i < blocks * n; ++i) {
        const int b = i / n, t = i % n;
        want[i] = ((t + 2) % n + b) * 2 + (t + 1) % n + b;
      }
      check::equal(check::name("inlined_calls", block), out.get(), want);
    }
    {
      check::Array<int> out(blocks * n);
      call_in_loop<<<blocks, block>>>(out.data(), 2);
      std::vector<int> value(n), next(n);
      std::vector<std::vector<int>> local(3, std::vector<int>(n));
      for (int t = 0; t < n; ++t) value[t] = t;
      for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 3; ++i) {
          for (int t = 0; t < n; ++t) next[t] = value[(t + 1) % n] + i;
          local[i] = next;
          for (int t = 0; t < n; ++t) value[t] += next[t];
        }
      for (int i = 0; i < blocks * n; ++i) {
        const int t = i % n;
        want[i] = value[t] + local[0][t] * 3 + local[(t + 1) % 3][t];
      }
      check::equal(check::name("call_in_loop", block), out.get(), want);
    }
    {
      check::Array<int> out(blocks * n);
      not_inlined<<<blocks, block>>>(out.data());
      const int sum = n * (n - 1) / 2;
      check::equal(check::name("not_inlined", block), out.get(),
                   std::vector<int>(blocks * n, sum * (1 + 4 + 9)));
    }
    {
      check::Array<int> out(blocks * n);
      recursive<<<blocks, block>>>(out.data(), 4);
      for (int i = 0; i < blocks * n; ++i) want[i] = (i % n + 4) % n + 4 + 1 + 2 + 3 + 4;
      check::equal(check::name("recursive", block), out.get(), want);
    }
    for (int which : {0, 1}) {
      check::Array<int> out(blocks * n);
      through_pointer<<<blocks, block>>>(out.data(), which);
      for (int i = 0; i < blocks * n; ++i) {
        const int t = i % n;
        want[i] = (which == 0 ? (t + 2) % n : t) * 5 + 1;
      }
      check::equal(check::name("through_pointer", block), out.get(), want);
    }
    {
      check::Array<int> out(blocks * n);
      const int limit = n * 2 / 3;
      barrier_after_function_exit<<<blocks, block>>>(out.data(), limit);
      for (int i = 0; i < blocks * n; ++i) {
        const int t = (i % n + 1) % n;
        want[i] = t > limit ? -1 : t > 10 ? 45 : t * (t - 1) / 2 + 1000;
      }
      check::equal(check::name("barrier_after_function_exit", block), out.get(), want);
    }
  }
  return check::finish();
}
