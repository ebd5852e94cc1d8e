// What generated kernels use: defined arithmetic, safe warp operations, and the harness that runs
// them. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using u8 = unsigned char;
using i16 = short;
using i32 = int;
using u32 = unsigned;
using i64 = long long;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;

constexpr u32 full_warp = 0xffffffffu;
constexpr int input_words = 16384;
constexpr int global_cells = 16;

struct Pair {
  u32 a;
  f32 b;
  unsigned short c[4];
};
struct Arguments {
  u32 v[12];
  f64 d;
  i32 i;
  u8 tail[5];
};

__device__ inline u32 mix(u32 x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

// Everything that goes into the result passes through here; all NaNs are one.
__device__ inline u32 word(u32 x) { return x; }
__device__ inline u32 word(i32 x) { return static_cast<u32>(x); }
__device__ inline u32 word(i16 x) { return static_cast<u32>(static_cast<i32>(x)); }
__device__ inline u32 word(u8 x) { return x; }
__device__ inline u32 word(bool x) { return x ? 3u : 1u; }
__device__ inline u32 word(u64 x) { return static_cast<u32>(x) ^ mix(static_cast<u32>(x >> 32)); }
__device__ inline u32 word(i64 x) { return word(static_cast<u64>(x)); }
__device__ inline u32 word(f32 x) { return x != x ? 0x7fffffffu : __float_as_uint(x); }
__device__ inline u32 word(f64 x) {
  return x != x ? 0x7fffffffu : word(static_cast<u64>(__double_as_longlong(x)));
}
__device__ inline u32 word(const Pair& p) {
  return p.a ^ mix(word(p.b)) ^ (p.c[0] + 3u * p.c[1] + 5u * p.c[2] + 7u * p.c[3]);
}

// Signed arithmetic that wraps, division that is defined.
__device__ inline i32 add(i32 a, i32 b) { return static_cast<i32>(u32(a) + u32(b)); }
__device__ inline i32 sub(i32 a, i32 b) { return static_cast<i32>(u32(a) - u32(b)); }
__device__ inline i32 mul(i32 a, i32 b) { return static_cast<i32>(u32(a) * u32(b)); }
__device__ inline i64 add(i64 a, i64 b) { return static_cast<i64>(u64(a) + u64(b)); }
__device__ inline i64 sub(i64 a, i64 b) { return static_cast<i64>(u64(a) - u64(b)); }
__device__ inline i64 mul(i64 a, i64 b) { return static_cast<i64>(u64(a) * u64(b)); }
__device__ inline u32 quotient(u32 a, u32 b) { return b == 0 ? 0xffffffffu : a / b; }
__device__ inline u32 remainder(u32 a, u32 b) { return b == 0 ? a : a % b; }
__device__ inline i32 quotient(i32 a, i32 b) { return b == 0 || b == -1 ? sub(0, a) : a / b; }
__device__ inline i32 remainder(i32 a, i32 b) { return b == 0 || b == -1 ? 0 : a % b; }
__device__ inline u64 quotient(u64 a, u64 b) { return b == 0 ? ~0ull : a / b; }
__device__ inline u64 remainder(u64 a, u64 b) { return b == 0 ? a : a % b; }

// The thread and its warp.
__device__ inline u32 linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline u32 linear_block() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
__device__ inline u32 block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline u32 present_lanes(u32 t, u32 n) {
  const u32 left = n - t / 32 * 32;
  return left >= 32 ? full_warp : (1u << left) - 1;
}
/// The lane of the (r mod count)-th bit of mask.
__device__ inline u32 nth_lane(u32 mask, u32 r) {
  for (u32 skip = r % static_cast<u32>(__popc(mask)); skip > 0; --skip) mask &= mask - 1;
  return static_cast<u32>(__ffs(static_cast<i32>(mask))) - 1;
}

// Shuffles whose result is only used where the source lane takes part.
template <class T>
__device__ inline T from_lane(u32 mask, T v, u32 r) {
  return __shfl_sync(mask, v, static_cast<i32>(nth_lane(mask, r)));
}
template <class T>
__device__ inline T taken(u32 mask, T own, T other, u32 source) {
  return mask >> source & 1 ? other : own;
}
template <class T>
__device__ inline T shift_up(u32 mask, T v, u32 delta, int width) {
  const u32 lane = linear_thread() % 32, first = lane / width * width;
  const T other = __shfl_up_sync(mask, v, delta, width);
  return taken(mask, v, other, lane >= first + delta ? lane - delta : lane);
}
template <class T>
__device__ inline T shift_down(u32 mask, T v, u32 delta, int width) {
  const u32 lane = linear_thread() % 32, end = lane / width * width + width;
  const T other = __shfl_down_sync(mask, v, delta, width);
  return taken(mask, v, other, lane + delta < end ? lane + delta : lane);
}
template <class T>
__device__ inline T butterfly(u32 mask, T v, u32 x, int width) {
  const u32 lane = linear_thread() % 32, end = lane / width * width + width;
  const T other = __shfl_xor_sync(mask, v, static_cast<i32>(x), width);
  return taken(mask, v, other, (lane ^ x) < end ? lane ^ x : lane);
}
__device__ inline u32 match_all_flag(u32 mask, u32 v) {
  int flag = 0;
  const u32 lanes = __match_all_sync(mask, v, &flag);
  return lanes * 2 + (flag != 0);
}

/// The parameters `in` and `out`, where the analysis of kernels doesn't find them: it takes most of
/// the time to compile, and the kernels that look here are no test of it.
struct Hidden {
  const u32* in;
  u32* out;
};
static __device__ Hidden hidden;

struct Launch {
  dim3 grid, block;
};
using KernelFunction = void (*)(const u32* in, u32* out, u32* cells, u32 n, f32 f, Arguments args);
struct Kernel {
  const char* name;
  KernelFunction function;
  std::vector<Launch> launches;
};

inline void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "fuzz: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

/// PROGRAM DUMP [KERNEL]: runs all kernels (or one, by number) and writes every result to DUMP.
inline int fuzz_main(int argc, char** argv, const std::vector<Kernel>& kernels, u32 seed) {
  std::FILE* dump = std::fopen(argc > 1 ? argv[1] : "/dev/null", "wb");
  const int only = argc > 2 ? std::atoi(argv[2]) : -1;
  std::vector<u32> input(input_words);
  for (auto& x : input) x = (seed = seed * 1664525u + 1013904223u) >> (seed >> 28);
  u32* in = nullptr;
  must(cudaMalloc(&in, input_words * 4), "cudaMalloc");
  must(cudaMemcpy(in, input.data(), input_words * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
  Arguments args;
  std::memset(&args, 0, sizeof args);
  for (u32 i = 0; i < 12; ++i) args.v[i] = input[i] * 3 + i;
  for (u8& x : args.tail) x = static_cast<u8>(input[20]);
  args.d = input[14] * 0.37;
  args.i = static_cast<i32>(input[15]);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (only >= 0 && static_cast<std::size_t>(only) != k) continue;
    for (std::size_t l = 0; l < kernels[k].launches.size(); ++l) {
      const Launch& launch = kernels[k].launches[l];
      const std::size_t threads = std::size_t(launch.grid.x) * launch.grid.y * launch.grid.z *
                                  launch.block.x * launch.block.y * launch.block.z;
      const std::size_t words = threads * 2;
      std::vector<u32> result(words + global_cells);
      u32* out = nullptr;
      must(cudaMalloc(&out, (words + global_cells) * 4), "cudaMalloc");
      must(cudaMemset(out, 0xA5, words * 4), "cudaMemset");
      const Hidden pointers = {in, out};
      must(cudaMemcpyToSymbol(hidden, &pointers, sizeof pointers), "cudaMemcpyToSymbol");
      const u32 cells[global_cells] = {0, 0, ~0u, 0, ~0u, 0, 0, 0, 0, 0, 0x7fffffff, 0x80000000};
      must(cudaMemcpy(out + words, cells, sizeof cells, cudaMemcpyHostToDevice), "cudaMemcpy");
      kernels[k].function<<<launch.grid, launch.block, 1024 * 8>>>(
          in, out, out + words, input[16 + l] % 1000, 0.75f + l, args);
      must(cudaGetLastError(), kernels[k].name);
      must(cudaMemcpy(result.data(), out, result.size() * 4, cudaMemcpyDeviceToHost),
           kernels[k].name);
      std::fprintf(dump, "kernel %zu launch %zu\n", k, l);
      std::fwrite(result.data(), 4, result.size(), dump);
      std::fprintf(dump, "\n");
      must(cudaFree(out), "cudaFree");
    }
  }
  return std::fclose(dump);
}
