// More data than the GPUs have: arrays, rows, atomics, symbols, copies of all kinds, frees between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     beyond_memory MB     of arrays, several times as much as is there
//
// With `beyond_memory MB expect ERROR` the allocation that does not fit is to return that.
#include "devices.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr unsigned arrays = 3;

__global__ void mix(std::uint32_t* to, const std::uint32_t* from, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) to[i] = from[i] * 2654435761u + from[n - 1 - i];
}
__global__ void count(unsigned* bins, const std::uint32_t* from, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) atomicAdd(&bins[from[i] % 1021], 1u);
}
__device__ unsigned largest;
__global__ void find_largest(const std::uint32_t* from, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) atomicMax(&largest, from[i]);
}

void ok(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void compare(const char* what, const std::vector<std::uint32_t>& found,
             const std::vector<std::uint32_t>& expected) {
  devices::result(what, found, expected);
}

std::vector<std::uint32_t> mixed(const std::vector<std::uint32_t>& from) {
  std::vector<std::uint32_t> to(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = from[i] * 2654435761u + from[from.size() - 1 - i];
  return to;
}

int expect_error(std::size_t bytes, const char* name) {
  void* memory = nullptr;
  for (unsigned i = 0; i < arrays; ++i) {
    const cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaSuccess) continue;
    if (memory == nullptr && std::strcmp(cudaGetErrorName(error), name) == 0) return 0;
    std::printf("allocation %u: %s\n", i, cudaGetErrorName(error));
    return 1;
  }
  std::printf("all allocations succeeded\n");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 24;
  if (argc == 4) return expect_error((megabytes << 20) / arrays, argv[3]);
  // Not a multiple of anything.
  const std::size_t n = (megabytes << 20) / arrays / 4 / 3 * 3 - 5;
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  std::mt19937 random(7);
  std::vector<std::uint32_t> first(n), found(n);
  for (std::uint32_t& one : first) one = random();

  std::uint32_t* memory[arrays];
  unsigned* bins;
  for (auto& one : memory) {
    ok("cudaMalloc", cudaMalloc(&one, n * 4));
    ok("cudaMemset", cudaMemset(one, 0xa5, n * 4));
  }
  ok("cudaMalloc", cudaMalloc(&bins, 1021 * 4));  // small, when the GPU is full
  ok("cudaMemset", cudaMemset(bins, 0, 1021 * 4));
  ok("copy in", cudaMemcpy(memory[2], first.data(), n * 4, cudaMemcpyHostToDevice));
  std::vector<std::uint32_t> expected = first;
  for (unsigned step = 0; step < 7; ++step) {
    mix<<<blocks, 256>>>(memory[(step + 2 + 1) % arrays], memory[(step + 2) % arrays], n);
    expected = mixed(expected);
  }
  std::uint32_t* const last = memory[(7 + 2) % arrays];
  ok("copy out", cudaMemcpy(found.data(), last, n * 4, cudaMemcpyDeviceToHost));
  compare("steps", found, expected);

  count<<<blocks, 256>>>(bins, last, n);
  find_largest<<<blocks, 256>>>(last, n);
  std::vector<std::uint32_t> counts(1021), expected_counts(1021);
  std::uint32_t most = 0, found_most = 0;
  for (const std::uint32_t one : expected) {
    ++expected_counts[one % 1021];
    most = one > most ? one : most;
  }
  ok("copy out", cudaMemcpy(counts.data(), bins, 1021 * 4, cudaMemcpyDeviceToHost));
  compare("counts", counts, expected_counts);
  ok("symbol", cudaMemcpyFromSymbol(&found_most, largest, 4));
  compare("largest", {found_most}, {most});

  // Copies inside the device, of boxes, and of a piece that lies across the border.
  ok("copy",
     cudaMemcpy(memory[0] == last ? memory[1] : memory[0], last, n * 4, cudaMemcpyDeviceToDevice));
  std::uint32_t* const twin = memory[0] == last ? memory[1] : memory[0];
  const std::size_t pitch = 4096, rows = n * 4 / pitch;
  ok("box", cudaMemcpy2D(twin, pitch, first.data(), pitch, 1000, rows, cudaMemcpyHostToDevice));
  for (std::size_t row = 0; row < rows; ++row)
    std::memcpy(&expected[row * 1024], &first[row * 1024], 1000);
  ok("copy out", cudaMemcpy(found.data(), twin, n * 4, cudaMemcpyDeviceToHost));
  compare("box", found, expected);
  for (std::size_t at = n / 7; at + 1000 < n; at += n / 7) {
    ok("piece", cudaMemcpy(found.data(), twin + at, 4000, cudaMemcpyDeviceToHost));
    compare("piece", {found.begin(), found.begin() + 1000},
            {expected.begin() + static_cast<long>(at),
             expected.begin() + static_cast<long>(at) + 1000});
  }

  // Memory that was given back is the next one's, the GPU's first.
  for (auto one : memory) ok("cudaFree", cudaFree(one));
  std::size_t free_bytes = 0, total = 0;
  ok("cudaMemGetInfo", cudaMemGetInfo(&free_bytes, &total));
  std::uint32_t* small;
  ok("cudaMalloc", cudaMalloc(&small, free_bytes / 2));
  ok("cudaMemcpy", cudaMemcpy(small, first.data(), 4096, cudaMemcpyHostToDevice));
  ok("copy out", cudaMemcpy(found.data(), small, 4096, cudaMemcpyDeviceToHost));
  compare("again", {found.begin(), found.begin() + 1024}, {first.begin(), first.begin() + 1024});
  ok("cudaFree", cudaFree(small));
  ok("cudaFree", cudaFree(bins));
  return devices::finish();
}
