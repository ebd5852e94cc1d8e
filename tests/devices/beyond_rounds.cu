// Blocks that touch the same bytes again and again, of which the GPU has no room for all: rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     beyond_rounds BLOCKS MB     each of which reads a table of 4 MiB, beside so much else
//
// beyond_memory_test.py says how much memory there is, and counts the launches that ran in rounds.
#include "devices.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

constexpr int words = 1 << 20, threads = 64;

__global__ void add_up(std::uint32_t* sums, const std::uint32_t* table) {
  const int i = blockIdx.x * threads + threadIdx.x;
  std::uint32_t sum = sums[i];
  for (int k = threadIdx.x; k < words; k += threads) sum += table[k];
  sums[i] = sum;
}
__global__ void change(std::uint32_t* table, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) table[i] = table[i] * 2654435761u + 1;
}

void add_up_here(std::vector<std::uint32_t>& sums, const std::vector<std::uint32_t>& table) {
  std::uint32_t more[threads] = {};
  for (int k = 0; k < words; ++k) more[k % threads] += table[static_cast<std::size_t>(k)];
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i % threads];
}

}  // namespace

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 7;
  const std::vector<std::uint32_t> rest(
      (argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1) * (words / 4), 3);
  std::vector<std::uint32_t> table(words), sums(static_cast<std::size_t>(blocks) * threads);
  check::Random random(5);
  for (std::uint32_t& one : table) one = static_cast<std::uint32_t>(random.integer(0, 1 << 30));
  for (std::uint32_t& one : sums) one = static_cast<std::uint32_t>(random.integer(0, 1 << 30));

  // What comes first has the GPU's memory.
  devices::Array<std::uint32_t> filler(rest);
  devices::Array<std::uint32_t> on_table(table), on_sums(sums);
  cudaStream_t stream;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  cudaDeviceSynchronize();
  for (int step = 0; step < 5; ++step) {
    change<<<words / 256, 256, 0, stream>>>(on_table.data(), words);
    for (std::uint32_t& one : table) one = one * 2654435761u + 1;
    add_up<<<blocks, threads, 0, stream>>>(on_sums.data(), on_table.data());
    add_up_here(sums, table);
    cudaEventRecord(done, stream);
    cudaStreamWaitEvent(nullptr, done, 0);
    change<<<words / 256, 256>>>(on_table.data(), words);
    for (std::uint32_t& one : table) one = one * 2654435761u + 1;
    cudaEventRecord(done, nullptr);
    cudaStreamWaitEvent(stream, done, 0);
  }
  cudaDeviceSynchronize();
  devices::result("sums", on_sums, sums);
  devices::result("table", on_table, table);
  devices::result("what lies beside them", filler, rest);
  return devices::finish();
}
