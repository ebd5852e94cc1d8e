// Large asynchronous copies to and from page-locked memory, which devices do beside kernels, among
// all else that touches the same ranges: the results must be those of the streams' order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPU cuda:0x2 beside_kernels_copies >= 50
// GPU cuda beside_kernels_copies >= 50
// GPU cpu+cuda:0 beside_kernels_copies >= 20
#include "devices.h"

#include <array>

using namespace devices;

__global__ void mix(unsigned* a, int begin, int count, unsigned salt) {
  const int i = global_x();
  if (i < count) a[begin + i] = a[begin + i] * 5u + salt;
}

__global__ void add_shifted(unsigned* to, const unsigned* from, int begin, int source, int count) {
  const int i = global_x();
  if (i < count) to[begin + i] += from[source + i] * 3u;
}

__global__ void add_reversed(unsigned* to, const unsigned* from, int n) {
  const int i = global_x();
  if (i < n) to[i] += from[n - 1 - i];
}

constexpr int n = 786433;  // a prime

__host__ __device__ inline int scattered(int i) { return static_cast<int>(i * 7919ll % n); }

__global__ void scatter(unsigned* to, const unsigned* from, int count) {
  const int i = global_x();
  if (i < count) to[scattered(i)] = from[i];
}

constexpr int bins = 97;

__global__ void count(unsigned* to, const unsigned* from, int begin, int source, int count) {
  const int i = global_x();
  if (i < count) atomicAdd(&to[begin + from[source + i] % bins], 1u);
}

constexpr int arrays = 3;

/// What memory is, and what it should be.
struct Memory {
  unsigned* there = nullptr;
  vector<unsigned> expected;
};

struct Range {
  int begin, count;
};

Range random_range(Random& random) {
  const int count = static_cast<int>(random.integer(140000, n / 2));
  return {static_cast<int>(random.integer(0, n - count)), count};
}

int main() {
  Random random(91);
  std::array<Memory, arrays> device, host;
  for (Memory& memory : device) {
    memory.expected = random.integers<unsigned>(n, 0, 1000000);
    CUDA_OK(cudaMalloc(&memory.there, n * sizeof(unsigned)));
    CUDA_OK(cudaMemcpy(memory.there, memory.expected.data(), n * sizeof(unsigned),
                       cudaMemcpyHostToDevice));
  }
  for (Memory& memory : host) {
    memory.expected = random.integers<unsigned>(n, 0, 1000000);
    CUDA_OK(cudaMallocHost(&memory.there, n * sizeof(unsigned)));
    std::copy(memory.expected.begin(), memory.expected.end(), memory.there);
  }
  std::array<cudaStream_t, 3> streams;
  for (cudaStream_t& stream : streams)
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t event;
  CUDA_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const int block = 256;
  std::size_t last = 0;
  for (int step = 0; step < 300; ++step) {
    // Now and then another stream goes on where this one is.
    if (random.integer(0, 3) == 0) {
      const std::size_t next = random.integer(0, 2);
      CUDA_OK(cudaEventRecord(event, streams[last]));
      CUDA_OK(cudaStreamWaitEvent(streams[next], event, 0));
      last = next;
    }
    const cudaStream_t stream = streams[last];
    Memory& a = device[random.integer(0, arrays - 1)];
    Memory& b = device[random.integer(0, arrays - 1)];
    Memory& h = host[random.integer(0, arrays - 1)];
    const Range range = random_range(random);
    const int source = static_cast<int>(random.integer(0, n - range.count));
    const size_t bytes = range.count * sizeof(unsigned);
    switch (random.integer(0, 9)) {
      case 0:
      case 1:
        CUDA_OK(cudaMemcpyAsync(a.there + range.begin, h.there + source, bytes,
                                cudaMemcpyHostToDevice, stream));
        std::copy_n(h.expected.begin() + source, range.count, a.expected.begin() + range.begin);
        break;
      case 2:
      case 3:
        CUDA_OK(cudaMemcpyAsync(h.there + source, a.there + range.begin, bytes,
                                cudaMemcpyDeviceToHost, stream));
        std::copy_n(a.expected.begin() + range.begin, range.count, h.expected.begin() + source);
        break;
      case 4:
        mix<<<blocks(range.count, block), block, 0, stream>>>(a.there, range.begin, range.count,
                                                              step);
        for (int i = 0; i < range.count; ++i) {
          unsigned& one = a.expected[range.begin + i];
          one = one * 5u + step;
        }
        break;
      case 5:
        if (a.there == b.there) break;
        add_shifted<<<blocks(range.count, block), block, 0, stream>>>(a.there, b.there, range.begin,
                                                                      source, range.count);
        for (int i = 0; i < range.count; ++i)
          a.expected[range.begin + i] += b.expected[source + i] * 3u;
        break;
      case 6:
        if (a.there == b.there) break;
        add_reversed<<<blocks(n, block), block, 0, stream>>>(a.there, b.there, n);
        for (int i = 0; i < n; ++i) a.expected[i] += b.expected[n - 1 - i];
        break;
      case 7:
        if (a.there == b.there) break;
        scatter<<<blocks(range.count, block), block, 0, stream>>>(a.there, b.there, range.count);
        for (int i = 0; i < range.count; ++i) a.expected[scattered(i)] = b.expected[i];
        break;
      case 8:
        if (a.there == b.there) break;
        count<<<blocks(range.count, block), block, 0, stream>>>(a.there, b.there, range.begin,
                                                                source, range.count);
        for (int i = 0; i < range.count; ++i)
          ++a.expected[range.begin + b.expected[source + i] % bins];
        break;
      default:
        if (a.there == b.there) {
          CUDA_OK(cudaMemsetAsync(a.there + range.begin, step % 251, bytes, stream));
          std::fill_n(a.expected.begin() + range.begin, range.count, step % 251 * 0x01010101u);
        } else {
          CUDA_OK(cudaMemcpyAsync(a.there + range.begin, b.there + source, bytes,
                                  cudaMemcpyDeviceToDevice, stream));
          std::copy_n(b.expected.begin() + source, range.count, a.expected.begin() + range.begin);
        }
    }
  }
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < arrays; ++i) {
    result("host " + std::to_string(i), vector<unsigned>(host[i].there, host[i].there + n),
           host[i].expected);
    vector<unsigned> got(n);
    CUDA_OK(cudaMemcpy(got.data(), device[i].there, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    result("device " + std::to_string(i), got, device[i].expected);
    CUDA_OK(cudaFree(device[i].there));
    CUDA_OK(cudaFreeHost(host[i].there));
  }
  return finish();
}
