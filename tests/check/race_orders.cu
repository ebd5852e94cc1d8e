// What orders blocks in one launch: a fence, then a flag that the other block sees. Without the fence it is a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -DFENCES=true %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_THREADS=1 GRIDSPAN_CHECK=all %t => 0
// EXPECT: finished: no error
// REFUSE: warning
// REFUSE: error:
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_THREADS=3 GRIDSPAN_CHECK=all %t => 0
// EXPECT: finished: no error
// REFUSE: warning
// REFUSE: error:
// STEP: %gridcc -DFENCES=false %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_THREADS=3 GRIDSPAN_CHECK=race %t => 0
// EXPECT: race_orders\.cu:55:\d+: warning: kernel 'last_of_one\(int\*, int\*\)', .*: reads what thread \[0,0,0\] of block \[\d,0,0\] writes at .*race_orders.cu:44:\d+, with no __threadfence in between: at 0x
// EXPECT: race_orders\.cu:55:\d+: warning: kernel 'last_of_each\(int\*, int\*\)', .* writes at .*race_orders.cu:61:\d+, with no __threadfence
// EXPECT: race_orders\.cu:87:\d+: warning: kernel 'locked\(int\*\)', .* with no __threadfence
// EXPECT: warning: kernel 'void chain<Volatile>\(int\*\)', .*: reads what .*, with no __threadfence
// EXPECT: warning: kernel 'void chain<Exchanged>\(int\*\)', .*: reads what .*, with no __threadfence
// EXPECT: warning: kernel 'void chain<Reference>\(int\*\)', .*: reads what .*, with no __threadfence
// EXPECT: warning: kernel 'void chain<Instructions>\(int\*\)', .*: reads what .*, with no __threadfence
// EXPECT: warning: kernel 'void chain<Cached>\(int\*\)', .*: reads what .*, with no __threadfence
// EXPECT: warning: kernel 'own_grid_barrier\(int\*, int\*, int\)', .*: (reads|overwrites) what .*, with no __threadfence
// EXPECT: finished: no error
// REFUSE: beside_a_flag
// REFUSE: error:
#include <cuda/atomic>

#include <cstdio>

__device__ unsigned tickets, flags[64], lock;

__device__ void fence() {
  if (FENCES) __threadfence();
}

// The last block adds up what all have written: one thread fences for its block, behind a barrier.
__device__ bool is_last_block() {
  __shared__ bool is_last;
  if (threadIdx.x == 0) is_last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
  __syncthreads();
  return is_last;
}
__device__ void write(int* part) {
  part[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + threadIdx.x;
}
__device__ int add_up(const int* part);
__global__ void last_of_one(int* part, int* out) {
  write(part);
  __syncthreads();
  if (threadIdx.x == 0) fence();
  if (is_last_block()) out[threadIdx.x] = add_up(part);
}
__device__ int add_up(const int* part) {
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += part[b * blockDim.x + threadIdx.x];
  return sum;
}
// Each thread fences, and then comes the barrier.
__device__ void write_too(int* part) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  part[i] = blockIdx.x ^ threadIdx.x;
}
__global__ void last_of_each(int* part, int* out) {
  write_too(part);
  fence();
  __syncthreads();
  if (is_last_block()) out[threadIdx.x] = add_up(part);
}
// The first lane tells of what its warp has written.
__global__ void warps(int* part, int* out) {
  const unsigned lane = threadIdx.x % 32, warp = blockIdx.x * blockDim.x / 32 + threadIdx.x / 32;
  part[warp * 32 + lane] = warp + lane;
  __syncwarp();
  unsigned before = 0;
  if (lane == 0) {
    __threadfence();
    before = atomicAdd(&tickets, 1u);
  }
  before = __shfl_sync(~0u, before, 0);
  if (before == gridDim.x * blockDim.x / 32 - 1)
    out[lane] = part[lane] + part[32 * (warp / 2) + lane];
}
__global__ void locked(int* a) {
  if (threadIdx.x % 32 != 5) return;
  while (atomicCAS(&lock, 0u, 1u) != 0u) continue;
  fence();
  a[0] += 3;
  a[1] = a[0] * 2;
  fence();
  atomicExch(&lock, 0u);
}

// Each block goes on with what the one before has written, and says so.
struct Volatile {
  static __device__ unsigned get(unsigned* flag) {
    const unsigned value = *static_cast<volatile unsigned*>(flag);
    fence();
    return value;
  }
  static __device__ void set(unsigned* flag) {
    fence();
    *static_cast<volatile unsigned*>(flag) = 1;
  }
};
struct Exchanged {
  static __device__ unsigned get(unsigned* flag) {
    const unsigned value = atomicAdd(flag, 0u);
    fence();
    return value;
  }
  static __device__ void set(unsigned* flag) {
    fence();
    atomicExch(flag, 1u);
  }
};
struct Reference {
  using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  static __device__ unsigned get(unsigned* flag) {
    return Flag(*flag).load(FENCES ? cuda::memory_order_acquire : cuda::memory_order_relaxed);
  }
  static __device__ void set(unsigned* flag) {
    Flag(*flag).store(1, FENCES ? cuda::memory_order_release : cuda::memory_order_relaxed);
  }
};
struct Instructions {
  static __device__ unsigned get(unsigned* flag) {
    unsigned value = 0;
    if (FENCES)
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    else
      asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
  }
  static __device__ void set(unsigned* flag) {
    if (FENCES)
      asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    else
      asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
  }
};
struct Cached {  // past the caches of multiprocessors, as in CUB
  static __device__ unsigned get(unsigned* flag) {
    unsigned value = 0;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    fence();
    return value;
  }
  static __device__ void set(unsigned* flag) {
    fence();
    asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
  }
};
template <class Flag>
__global__ void chain(int* sums) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  if (b > 0)
    while (Flag::get(&flags[b - 1]) == 0) continue;
  sums[b] = (b > 0 ? sums[b - 1] : 0) + b + 1;
  Flag::set(&flags[b]);
}
// Value and flag in one word need no fence.
__global__ void beside_a_flag(unsigned long long* words) {
  if (threadIdx.x != 0) return;
  unsigned long long word = 0;
  if (blockIdx.x > 0) {
    do asm volatile("ld.cg.u64 %0, [%1];" : "=l"(word) : "l"(words + blockIdx.x - 1) : "memory");
    while (word == 0);
  }
  asm volatile("st.cg.u64 [%0], %1;" ::"l"(words + blockIdx.x), "l"(word + 0x100000001) : "memory");
}
__global__ void own_grid_barrier(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned half = 0; half < 6; ++half) {
    if (half % 2 == 0)
      b[i] = a[(i + 33) % n] + 1;
    else
      a[i] = b[(i + 65) % n];
    __syncthreads();
    if (threadIdx.x == 0) {
      fence();
      atomicAdd(&tickets, 1u);
      while (*static_cast<volatile unsigned*>(&tickets) < (half + 1) * gridDim.x) continue;
      fence();
    }
    __syncthreads();
  }
}

template <class Kernel, class... Arguments>
void launch(Kernel kernel, int blocks, int threads, Arguments... arguments) {
  const unsigned none[64] = {};
  cudaMemcpyToSymbol(flags, none, sizeof none);
  cudaMemcpyToSymbol(tickets, none, sizeof tickets);
  kernel<<<blocks, threads>>>(arguments...);
}

int main() {
  int *a = nullptr, *b = nullptr;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  cudaMemset(b, 0, 4096);
  launch(last_of_one, 9, 33, a, b);
  launch(last_of_each, 7, 65, a, b);
  launch(warps, 5, 96, a, b);
  launch(locked, 5, 70, a);
  launch(chain<Volatile>, 9, 33, a);
  launch(chain<Exchanged>, 9, 1, a);
  launch(chain<Reference>, 9, 32, a);
  launch(chain<Instructions>, 9, 32, a);
  launch(chain<Cached>, 9, 32, a);
  cudaMemset(a, 0, 4096);
  launch(beside_a_flag, 9, 32, reinterpret_cast<unsigned long long*>(a));
  launch(own_grid_barrier, 4, 96, a, b, 384);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  cudaFree(a);
  cudaFree(b);
  return error != cudaSuccess;
}
