// What the generated affine kernels use: memory that is filled, launched on, and dumped as hashes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Cell {
  float a;
  int b;
  float c[3];
  short d, e;
};

__device__ inline float sum4(float4 v) { return v.x + v.y * 2.0f + v.z * 4.0f + v.w * 8.0f; }
__device__ inline float4 spread4(float v) { return make_float4(v, v, v, v); }
__device__ inline Cell cell_of(float v) { return Cell{v, 3, {v, v, 1.0f}, 7, 9}; }
template <class T>
__device__ __noinline__ void put(T* place, T value) {
  *place = value;
}
template <class T>
__device__ __noinline__ float take(const T* p, long long i) {
  return (float)p[i];
}
template <class T>
__device__ inline float peek(const T* p, int i) {
  return (float)p[i];
}
/// A value that follows from where it is stored: then it does not matter who stores it last.
__device__ inline float value_at(long long place) { return (float)(place & 0xffff) * 0.25f; }

inline void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "affine: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

struct Run {
  std::FILE* dump;
  const char* kernel = "";
  int launch = 0;
  void finish(const char* name, int number) {
    kernel = name, launch = number;
    must(cudaGetLastError(), name);
    must(cudaDeviceSynchronize(), name);
  }
};

enum class Fill { floats, doubles, cells, ints, shorts, bytes };

inline void fill(void* memory, size_t bytes, Fill how, int low, int high) {
  unsigned state = 12345;
  auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  auto number = [&] { return low + (int)(next() % (unsigned)(high - low + 1)); };
  auto small = [&] { return (float)(next() % 4096u) / 256.0f; };
  auto each = [&](auto* items, auto make) {
    for (size_t i = 0; i < bytes / sizeof *items; ++i) items[i] = make();
  };
  switch (how) {
    case Fill::floats:
      return each((float*)memory, small);
    case Fill::doubles:
      return each((double*)memory, [&] { return (double)small(); });
    case Fill::cells:
      return each((Cell*)memory, [&] {
        return Cell{small(), number(), {small(), small(), small()}, (short)number(), 0};
      });
    case Fill::ints:
      return each((int*)memory, number);
    case Fill::shorts:
      return each((short*)memory, [&] { return (short)number(); });
    case Fill::bytes:
      return each((unsigned char*)memory, [&] { return (unsigned char)number(); });
  }
}

inline void print_hash(const Run& run, const char* array, const void* memory, size_t bytes) {
  unsigned long long hash = 1469598103934665603ull;
  for (size_t i = 0; i + 4 <= bytes; i += 4)
    hash = (hash ^ *(const unsigned*)((const char*)memory + i)) * 1099511628211ull;
  std::fprintf(run.dump, "%s launch %d array %s: %016llx\n", run.kernel, run.launch, array, hash);
}

struct Buffer {
  char* memory = nullptr;
  size_t bytes;
  Buffer(size_t size, Fill how, int low, int high) : bytes((size + 15) / 16 * 16) {
    void* host = std::calloc(1, bytes);
    fill(host, bytes, how, low, high);
    must(cudaMalloc(&memory, bytes), "cudaMalloc");
    must(cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    std::free(host);
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { must(cudaFree(memory), "cudaFree"); }
  template <class T>
  T* at(size_t element) const {
    return (T*)memory + element;
  }
  void dump(const Run& run, const char* array) const {
    void* host = std::malloc(bytes);
    must(cudaMemcpy(host, memory, bytes, cudaMemcpyDeviceToHost), run.kernel);
    print_hash(run, array, host, bytes);
    std::free(host);
  }
};

struct Symbol {
  const void* symbol;
  size_t bytes;
  Symbol(const void* which, size_t size, Fill how, int low, int high) : symbol(which), bytes(size) {
    void* host = std::calloc(1, bytes + 32);
    fill(host, bytes, how, low, high);
    must(cudaMemcpyToSymbol(symbol, host, bytes), "cudaMemcpyToSymbol");
    std::free(host);
  }
  void dump(const Run& run, const char* array) const {
    void* host = std::calloc(1, bytes + 32);
    must(cudaMemcpyFromSymbol(host, symbol, bytes), run.kernel);
    print_hash(run, array, host, bytes);
    std::free(host);
  }
};

/// PROGRAM DUMP [KERNEL]: runs all kernels, or one by number; writes hashes of what they wrote.
inline int affine_main(int argc, char** argv, void (*const* kernels)(Run&), int count) {
  Run run{std::fopen(argc > 1 ? argv[1] : "/dev/null", "w")};
  if (!run.dump) return 4;
  const int only = argc > 2 ? std::atoi(argv[2]) : -1;
  for (int k = 0; k < count; ++k)
    if (only < 0 || only == k) kernels[k](run);
  return std::fclose(run.dump);
}
