// __constant__ memory and the symbol functions of the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device variables | __constant__ scalars, arrays, structs; initialised and set by cudaMemcpyToSymbol with offset
// FEATURE: Device variables | cudaMemcpyFromSymbol, cudaGetSymbolAddress, cudaGetSymbolSize, the Async forms
#include "check.h"

struct Settings {
  float scale;
  int offsets[5];
  double bias;
};

__constant__ int table[37];
__constant__ int initialised[4] = {10, 20, 30, 40};
__constant__ Settings settings = {1.5f, {1, 2, 3, 4, 5}, 0.25};
__constant__ float scalar;
__constant__ char text[] = "constant text";
__device__ int counters[16];

__global__ void read(int* out) {
  const int i = check::global_index();
  out[i] = table[i % 37] + initialised[i % 4] + text[i % 13];
}
__global__ void read_settings(double* out) {
  const int i = check::global_index();
  out[i] = settings.scale * settings.offsets[i % 5] + settings.bias + scalar;
}
__global__ void count() { atomicAdd(&counters[check::global_index() % 16], 1); }
__device__ int lookup(const int* p, int i) { return p[i]; }
__global__ void through_pointer(const int* p, int* out) {
  const int i = check::global_index();
  out[i] = lookup(p, i % 37) - lookup(table, i % 37) + lookup(initialised, i % 4);
}

int main() {
  check::Random random(71);
  auto host = random.integers<int>(37, -1000, 1000);
  CUDA_OK(cudaMemcpyToSymbol(table, host.data(), sizeof(int) * 37));
  for (dim3 block : check::few_block_shapes()) {
    const int n = check::volume(block) * 3;
    check::Array<int> out(n);
    read<<<3, block>>>(out.data());
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = host[i % 37] + (i % 4 + 1) * 10 + "constant text"[i % 13];
    check::equal(check::name("read", block), out.get(), want);

    // Part of it, in the middle; queued behind the kernel above.
    const int part[3] = {7, 8, 9};
    CUDA_OK(cudaMemcpyToSymbol(table, part, sizeof part, 5 * sizeof(int)));
    for (int k = 0; k < 3; ++k) host[5 + k] = part[k];
    read<<<3, block>>>(out.data());
    for (int i = 0; i < n; ++i) want[i] = host[i % 37] + (i % 4 + 1) * 10 + "constant text"[i % 13];
    check::equal(check::name("after offset", block), out.get(), want);
    host = random.integers<int>(37, -1000, 1000);
    CUDA_OK(cudaMemcpyToSymbolAsync(table, host.data(), sizeof(int) * 37, 0, cudaMemcpyHostToDevice,
                                    0));
    int back[37];
    CUDA_OK(cudaMemcpyFromSymbol(back, table, sizeof back));
    check::equal("read back", std::vector<int>(back, back + 37), host);

    void* address = nullptr;
    CUDA_OK(cudaGetSymbolAddress(&address, table));
    through_pointer<<<3, block>>>(static_cast<const int*>(address), out.data());
    for (int i = 0; i < n; ++i) want[i] = (i % 4 + 1) * 10;
    check::equal(check::name("through_pointer", block), out.get(), want);
  }
  {
    const float s = 4.0f;
    CUDA_OK(cudaMemcpyToSymbol(scalar, &s, sizeof s));
    check::Array<double> out(33);
    read_settings<<<1, 33>>>(out.data());
    std::vector<double> want(33);
    for (int i = 0; i < 33; ++i) want[i] = 1.5 * (i % 5 + 1) + 0.25 + 4;
    check::equal("initialised settings", out.get(), want);
    const Settings other{2.0f, {5, 4, 3, 2, 1}, 0.5};
    CUDA_OK(cudaMemcpyToSymbol(settings, &other, sizeof other));
    read_settings<<<1, 33>>>(out.data());
    for (int i = 0; i < 33; ++i) want[i] = 2.0 * (5 - i % 5) + 0.5 + 4;
    check::equal("copied settings", out.get(), want);
  }
  {
    std::size_t size = 0;
    CUDA_OK(cudaGetSymbolSize(&size, table));
    CHECK_EQ(size, sizeof(int) * 37);
    CUDA_OK(cudaGetSymbolSize(&size, settings));
    CHECK_EQ(size, sizeof(Settings));
    // Writing through the address, device to device and from the host.
    void* address = nullptr;
    CUDA_OK(cudaGetSymbolAddress(&address, counters));
    CUDA_OK(cudaMemset(address, 0, sizeof counters));
    count<<<2, 33>>>();
    int got[16];
    CUDA_OK(cudaMemcpyFromSymbolAsync(got, counters, sizeof got, 0, cudaMemcpyDeviceToHost, 0));
    CUDA_OK(cudaDeviceSynchronize());
    for (int i = 0; i < 16; ++i) CHECK_EQ(got[i], 66 / 16 + (i < 66 % 16));
    CUDA_OK(cudaMemcpyFromSymbol(got, counters, 2 * sizeof(int), 1 * sizeof(int)));
    CHECK_EQ(got[0], 5);
    CHECK_EQ(got[1], 4);
    check::Array<int> source(std::vector<int>(16, 99));
    CUDA_OK(
        cudaMemcpyToSymbol(counters, source.data(), sizeof counters, 0, cudaMemcpyDeviceToDevice));
    CUDA_OK(cudaMemcpy(got, address, sizeof got, cudaMemcpyDeviceToHost));
    CHECK_EQ(got[7], 99);
  }
  CHECK(cudaMemcpyToSymbol(table, host.data(), sizeof(int) * 38) == cudaErrorInvalidValue);
  return check::finish();
}
