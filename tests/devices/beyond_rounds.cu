// Blocks that touch the same bytes again and again, of which the GPU has no room for all: rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     beyond_rounds BLOCKS MB     for each slice of a table, beside so much other data
//
// beyond_memory_test.py says how much memory there is, and counts the launches that ran in rounds.
#include "devices.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>

using namespace devices;

namespace {

using Words = vector<std::uint32_t>;

constexpr int slices = 10, words = (1 << 19) + 5, threads = 64, most_blocks = 512;
constexpr int width = most_blocks * threads;

/// Each block goes through all of its slice.
__global__ void add_up(std::uint32_t* sums, const std::uint32_t* table) {
  const int slice = blockIdx.y;
  const int i = blockIdx.x * threads + threadIdx.x;
  std::uint32_t sum = sums[slice * width + i];
  for (int k = threadIdx.x; k < words; k += threads) sum += table[slice * words + k];
  sums[slice * width + i] = sum;
}
__global__ void change(std::uint32_t* table, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) table[i] = table[i] * 2654435761u + 1;
}

void add_up_here(Words& sums, const Words& table, int per_slice) {
  for (size_t slice = 0; slice < slices; ++slice) {
    std::uint32_t more[threads] = {};
    for (size_t k = 0; k < words; ++k) more[k % threads] += table[slice * words + k];
    for (size_t i = 0; i < static_cast<size_t>(per_slice) * threads; ++i)
      sums[slice * width + i] += more[i % threads];
  }
}
void change_here(Words& table) {
  for (std::uint32_t& one : table) one = one * 2654435761u + 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int per_slice = std::min(argc > 1 ? std::atoi(argv[1]) : 3, most_blocks);
  const size_t megabytes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  check::Random random(5);
  auto table = random.integers<std::uint32_t>(slices * words, 0, 1 << 30);
  auto sums = random.integers<std::uint32_t>(slices * width, 0, 1 << 30);
  const Words rest(megabytes << 18, 3);

  // What comes first has the GPU's memory.
  Array<std::uint32_t> beside(rest), on_table(table), on_sums(sums);
  const dim3 grid(static_cast<unsigned>(per_slice), slices);
  const unsigned changing = blocks(slices * words, 256);
  cudaStream_t stream;
  cudaEvent_t done;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_OK(cudaEventCreate(&done));
  CUDA_OK(cudaDeviceSynchronize());
  for (int step = 0; step < 5; ++step) {
    change<<<changing, 256, 0, stream>>>(on_table.data(), slices * words);
    change_here(table);
    add_up<<<grid, threads, 0, stream>>>(on_sums.data(), on_table.data());
    add_up_here(sums, table, per_slice);
    CUDA_OK(cudaEventRecord(done, stream));
    CUDA_OK(cudaStreamWaitEvent(nullptr, done, 0));
    change<<<changing, 256>>>(on_table.data(), slices * words);
    change_here(table);
    CUDA_OK(cudaEventRecord(done, nullptr));
    CUDA_OK(cudaStreamWaitEvent(stream, done, 0));
  }
  CUDA_OK(cudaDeviceSynchronize());
  result("sums", on_sums, sums);
  result("table", on_table, table);
  result("what lies beside them", beside, rest);
  return finish();
}
