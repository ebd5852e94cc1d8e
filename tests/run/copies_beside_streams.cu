// A plain copy from pageable memory, then a kernel in a stream that does not wait for the legacy
// stream: it sees what was copied. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Host memory functions | what a plain copy brought is there for kernels in all streams, also in those that do not wait for the legacy stream
#include "check.h"

#include <vector>

static constexpr int most = 16 << 10;  // of 4 bytes: up to there copies are snapshots

__global__ void twice(unsigned* to, const unsigned* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 2 * from[i];
}

struct Arrays {
  Arrays() {
    CUDA_OK(cudaMalloc(&from, most * sizeof(unsigned)));
    CUDA_OK(cudaMalloc(&to, most * sizeof(unsigned)));
  }
  ~Arrays() {
    CUDA_OK(cudaFree(from));
    CUDA_OK(cudaFree(to));
  }
  void fill(int n, unsigned seed) {
    for (int i = 0; i < n; ++i) values[i] = seed + i;
    CUDA_OK(cudaMemcpy(from, values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  }
  void use(cudaStream_t stream, int n, unsigned seed) {
    twice<<<(n + 127) / 128, 128, 0, stream>>>(to, from, n);
    std::vector<unsigned> results(n, 7);
    CUDA_OK(
        cudaMemcpyAsync(results.data(), to, n * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; ++i) CHECK_EQ(results[i], 2 * (seed + i));
  }
  unsigned *from = nullptr, *to = nullptr;
  std::vector<unsigned> values = std::vector<unsigned>(most);
};

/// The stream is made when the copy has been called.
static void first_stream() {
  Arrays arrays;
  cudaStream_t stream;
  arrays.fill(most, 5);
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  arrays.use(stream, most, 5);
  CUDA_OK(cudaStreamDestroy(stream));
}

static void again_and_again() {
  Arrays arrays;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (unsigned turn = 0; turn < 300; ++turn) {
    const int n = turn % 3 == 0 ? most : 1 + static_cast<int>(turn * 977 % most);
    arrays.fill(n, turn * 1000003u);
    arrays.use(stream, n, turn * 1000003u);
  }
  CUDA_OK(cudaStreamDestroy(stream));
}

int main() {
  first_stream();
  again_and_again();
  return check::finish();
}
