// Kernels whose functions, variables and classes are in other files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

#include "../check.h"

#include <numeric>

static __device__ int hidden = 7;
static __global__ void read_hidden(int* out) { *out = hidden + 2; }

static texture<int> numbers;
static __global__ void fetch(int* out, int i) { *out = tex1Dfetch(numbers, i) + 2000; }

class Cube : public Square {
 public:
  __device__ explicit Cube(int size) : Square(size) {}
  __device__ int area() const override { return 6 * Square::area(); }
};

__global__ void sums(const int* in, int* sum, int* prefix, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const int total = block_sum(value);
  if (threadIdx.x == 0) sum[blockIdx.x] = total;
  const int before = warp_prefix(value);
  if (i < n) prefix[i] = before;
}

__global__ void reverse_blocks(int* data) { reverse_dynamic(data + blockIdx.x * blockDim.x); }

__global__ void call_all(int* out) {
  const int t = threadIdx.x;
  out[t * 4 + 0] = operations[t % 3](t, 10);
  out[t * 4 + 1] = chosen_operation(t % 2)(t, 20);
  out[t * 4 + 2] = factorial(t % 8);
  out[t * 4 + 3] = cubed(t) + twice(t);
}

__device__ int describe(const Shape& shape) { return shape.area() * 10 + shape.corners(); }

__global__ void shapes(int* out) {
  const Shape shape(3);
  const Square square(4);
  const Cube cube(5);
  const Shape* all[] = {&shape, &square, &cube};
  out[threadIdx.x] = describe(*all[threadIdx.x % 3]);
}

__global__ void read_variables(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    managed_total += 5;
    *address_of_entry = 4711;
  }
  if (i < 37 && i != 11) out[i] = device_table[i] * weights[i % 5];
}

__global__ void read_constants(double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = primes[i % 5] * 3 * names::third + names::c_constant;
}

__global__ void speak(int first) { say(first + threadIdx.x); }

void check_functions() {
  const int block = 96, n = 1000, blocks = (n + block - 1) / block;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = (i * 37) % 101 - 50;
  check::Array<int> input(in), sum(blocks), prefix(n);
  sums<<<blocks, block>>>(input.data(), sum.data(), prefix.data(), n);
  KERNEL_OK();
  const std::vector<int> got_sum = sum.get(), got_prefix = prefix.get();
  for (int b = 0; b < blocks; ++b) {
    int want = 0;
    for (int i = b * block; i < std::min(n, (b + 1) * block); ++i) want += in[i];
    CHECK_EQ(got_sum[b], want);
  }
  for (int i = 0, want = 0; i < n; ++i) {
    want = (i % block) % 32 == 0 ? in[i] : want + in[i];
    CHECK_EQ(got_prefix[i], want);
  }
}

void check_dynamic_shared() {
  const int block = 33, blocks = 5;
  std::vector<int> in(block * blocks);
  std::iota(in.begin(), in.end(), 100);
  check::Array<int> data(in);
  reverse_blocks<<<blocks, block, block * sizeof(int)>>>(data.data());
  KERNEL_OK();
  const std::vector<int> got = data.get();
  for (int i = 0; i < block * blocks; ++i)
    CHECK_EQ(got[i], in[i / block * block + block - 1 - i % block]);
}

void check_pointers_and_classes() {
  const int threads = 23;
  check::Array<int> out(threads * 4), areas(threads);
  call_all<<<1, threads>>>(out.data());
  shapes<<<1, threads>>>(areas.data());
  KERNEL_OK();
  const std::vector<int> got = out.get(), got_areas = areas.get();
  const int factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  const int want_areas[] = {270, 164, 1504};
  for (int t = 0; t < threads; ++t) {
    const int by_table[] = {t + 10, t * 10, t + 10 + 3};
    CHECK_EQ(got[t * 4 + 0], by_table[t % 3]);
    CHECK_EQ(got[t * 4 + 1], t % 2 == 0 ? t * 20 : t + 20 + 3);
    CHECK_EQ(got[t * 4 + 2], factorials[t % 8]);
    CHECK_EQ(got[t * 4 + 3], t * t * t + 2 * t);
    CHECK_EQ(got_areas[t], want_areas[t % 3]);
  }
}

/// Variables of another file, set and read by the host code of this one.
void check_variables() {
  int table[37];
  CUDA_OK(cudaMemcpyFromSymbol(table, device_table, sizeof table));
  CHECK_EQ(table[0], 1);
  CHECK_EQ(table[2], 3);
  CHECK_EQ(table[36], 0);
  fill_table<<<1, 64>>>(-20);
  const float own[5] = {1, -2, 4, -8, 16};
  CUDA_OK(cudaMemcpyToSymbol(weights, own, sizeof own));
  check::Array<float> out(37);
  CHECK_EQ(managed_total, 1000);
  managed_total = 2000;
  read_variables<<<3, 16>>>(out.data());
  KERNEL_OK();
  CHECK_EQ(managed_total, 2005);
  const std::vector<float> got = out.get();
  for (int i = 0; i < 37; ++i)
    if (i != 11) CHECK_EQ(got[i], static_cast<float>(-20 + i * i * i) * own[i % 5]);
  int* address = nullptr;
  CUDA_OK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), device_table));
  int entry = 0;
  CUDA_OK(cudaMemcpy(&entry, address + 11, sizeof entry, cudaMemcpyDeviceToHost));
  CHECK_EQ(entry, 4711);
}

/// Two files have a static kernel and a static variable of one name.
void check_private_names() {
  check::Array<int> out(1);
  read_hidden<<<1, 1>>>(out.data());
  KERNEL_OK();
  CHECK_EQ(out.get()[0], 9);
  CHECK_EQ(hidden_of_variables(), 101);
  set_hidden_of_variables(500);
  const int value = 70;
  CUDA_OK(cudaMemcpyToSymbol(hidden, &value, sizeof value));
  read_hidden<<<1, 1>>>(out.data());
  KERNEL_OK();
  CHECK_EQ(out.get()[0], 72);
  CHECK_EQ(hidden_of_variables(), 501);
}

/// Clang leaves the names of static texture references as they are, in every file.
void check_private_textures() {
  check::Array<int> own(std::vector<int>{10, 11, 12}), others(std::vector<int>{20, 21, 22});
  check::Array<int> out(1);
  CUDA_OK(cudaBindTexture(nullptr, numbers, own.data(), 3 * sizeof(int)));
  CHECK_EQ(fetch_of_variables(others.data(), 3, 2), 1022);
  fetch<<<1, 1>>>(out.data(), 1);
  CHECK_EQ(out.get()[0], 2011);
}

void check_shared_instance() {
  const int n = 777;
  std::vector<float> in(n);
  std::iota(in.begin(), in.end(), 0.0f);
  check::Array<float> data(in);
  scale_all<<<2, 50>>>(data.data(), n, 3.0f);
  scale_elsewhere(data.data(), n, 0.5f);
  KERNEL_OK();
  const std::vector<float> got = data.get();
  for (int i = 0; i < n; ++i) CHECK_EQ(got[i], (in[i] * 3.0f + 2.0f) * 0.5f + 2.0f);
}

void check_attributes() {
  cudaFuncAttributes attributes{};
  CUDA_OK(cudaFuncGetAttributes(&attributes, fill_table));
  CHECK_EQ(attributes.maxThreadsPerBlock, 64);
  CUDA_OK(cudaFuncGetAttributes(&attributes, sums));
  CHECK_EQ(attributes.sharedSizeBytes, std::size_t{256 * sizeof(int)});
  fill_table<<<1, 65>>>(0);
  CHECK(cudaGetLastError() != cudaSuccess);
}

void check_printf_and_assert() {
  const check::Outcome good = check::in_child([] {
    speak<<<1, 3>>>(1);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
  });
  CHECK_EQ(good.exit_code, 0);
  for (const char* line : {"said 1\n", "said 2\n", "said 3\n"})
    CHECK(good.output.find(line) != std::string::npos);
  const check::Outcome bad = check::in_child([] {
    speak<<<1, 1>>>(0);
    return cudaDeviceSynchronize() == cudaErrorAssert ? 0 : 1;
  });
  CHECK_EQ(bad.exit_code, 0);
  CHECK(bad.output.find("functions.cu:") != std::string::npos);
  CHECK(bad.output.find("value > 0") != std::string::npos);
}

/// Constants whose values only another file sees.
void check_constants() {
  check::Array<double> out(37);
  read_constants<<<2, 32>>>(out.data(), 37);
  KERNEL_OK();
  const std::vector<double> got = out.get();
  for (int i = 0; i < 37; ++i) CHECK_EQ(got[i], (i % 5 == 4 ? 11 : i % 5 * 2 + 1 + !(i % 5)) + 9.5);
  int copied[5] = {};
  CUDA_OK(cudaMemcpyFromSymbol(copied, primes, sizeof copied));
  CHECK_EQ(copied[3], 7);
  void* address = nullptr;
  CUDA_OK(cudaGetSymbolAddress(&address, names::third));
}

int main() {
  check_printf_and_assert();  // in processes of their own: before this one touches CUDA
  check_functions();
  check_dynamic_shared();
  check_pointers_and_classes();
  check_variables();
  check_constants();
  check_private_names();
  check_private_textures();
  check_shared_instance();
  check_attributes();
  return check::finish();
}
