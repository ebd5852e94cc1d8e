// __managed__ variables: host and device code use one variable, before, between and after launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device variables | __managed__ variables: initial values, host and device reads and writes, arrays, structs, pointers, static ones
// FEATURE: Device variables | cudaGetSymbolAddress, cudaMemcpyToSymbol, cudaMemcpyFromSymbol, cudaMemPrefetchAsync, cudaPointerGetAttributes on __managed__ variables
#include "check.h"

struct Settings {
  int offset = 3;
  double factor = 0.5;
};

__managed__ int counter = 5;
static __device__ __managed__ float values[257];
__managed__ Settings settings;
__managed__ int* place;
__managed__ unsigned long long big = 0x123456789abcdefull;
namespace inside {
__managed__ int table[3] = {10, 20, 30};
}

__global__ void add(int n) {
  const int i = check::global_index();
  if (i < n) values[i] = values[i] * float(settings.factor) + settings.offset;
  if (i < n) atomicAdd(&counter, 1);
  if (i == 0) {
    inside::table[1] += inside::table[0];
    big += 1;
  }
}
__global__ void through_pointer(int n) {
  const int i = check::global_index();
  if (i < n) place[i] = i * i + counter;
}

void check_rounds(dim3 block) {
  const int n = 257, blocks = (n + check::volume(block) - 1) / check::volume(block);
  counter = 0;
  std::vector<float> want(n);
  for (int i = 0; i < n; ++i) want[i] = values[i] = float(i);
  for (int round = 0; round < 4; ++round) {
    settings.offset = round;
    settings.factor = 0.25 * round;
    add<<<blocks, block>>>(n);
    KERNEL_OK();
    for (float& x : want) x = x * float(settings.factor) + settings.offset;
    CHECK_EQ(counter, n * (round + 1));
    check::equal("values", std::vector<float>(values, values + n), want);
    values[round * 7] += 1;  // the host writes between launches
    want[round * 7] += 1;
  }
}

void check_pointer(dim3 block) {
  const int n = 101, blocks = (n + check::volume(block) - 1) / check::volume(block);
  check::Array<int> out(n);
  place = out.data();
  counter = 17;
  through_pointer<<<blocks, block>>>(n);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = i * i + 17;
  check::equal("through a managed pointer", out.get(), want);
}

void check_symbol_calls() {
  void* address = nullptr;
  CUDA_OK(cudaGetSymbolAddress(&address, counter));
  CHECK_EQ(address, (void*)&counter);
  const int number = 99;
  CUDA_OK(cudaMemcpyToSymbol(counter, &number, sizeof number));
  CHECK_EQ(counter, 99);
  counter = 98;
  int back = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&back, counter, sizeof back));
  CHECK_EQ(back, 98);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, values));
  CHECK_EQ(int(attributes.type), int(cudaMemoryTypeManaged));
  CHECK_EQ(int(cudaFree(values)), int(cudaErrorInvalidValue));
  cudaGetLastError();
}

int main() {
  CHECK_EQ(inside::table[2], 30);
  CHECK_EQ(counter, 5);
  CHECK_EQ(settings.offset, 3);
  CHECK_EQ(settings.factor, 0.5);
  CHECK_EQ(big, 0x123456789abcdefull);
  CUDA_OK(cudaMemPrefetchAsync(values, sizeof values, 0));  // before any launch
  const cudaMemLocation host = {cudaMemLocationTypeHost, 0},
                        device = {cudaMemLocationTypeDevice, 0};
  CUDA_OK(cudaMemPrefetchAsync(values, sizeof values, device, 0));
  CUDA_OK(cudaMemAdvise(values, sizeof values, cudaMemAdviseSetPreferredLocation, host));
  CHECK_EQ(
      cudaMemPrefetchAsync(values, sizeof values, cudaMemLocation{cudaMemLocationTypeDevice, 3}, 0),
      cudaErrorInvalidDevice);
  (void)cudaGetLastError();
  int rounds = 0;
  for (dim3 block : {dim3(1), dim3(32), dim3(100), dim3(7, 5)}) {
    check_rounds(block);
    check_pointer(block);
    ++rounds;
  }
  CHECK_EQ(inside::table[1], 20 + 10 * 4 * rounds);
  CHECK_EQ(big, 0x123456789abcdefull + 4 * rounds);
  check_symbol_calls();
  return check::finish();
}
