// Dynamic shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | extern __shared__ arrays, several types carved from one, several names for one
// FEATURE: Shared memory | dynamic beside static shared memory; in device functions and templates
// FEATURE: Shared memory | more than 48 KiB after cudaFuncSetAttribute
#include "check.h"

__global__ void carve(double* out) {
  extern __shared__ double numbers[];
  const int t = check::thread_index(), n = check::thread_count();
  int* counts = reinterpret_cast<int*>(numbers + n);
  short* halves = reinterpret_cast<short*>(counts + n);
  char* letters = reinterpret_cast<char*>(halves + n);
  numbers[t] = t * 0.5;
  counts[t] = -t;
  halves[t] = static_cast<short>(t * 2);
  letters[t] = static_cast<char>(t % 100);
  __syncthreads();
  const int u = (t + n / 2) % n;
  out[blockIdx.x * n + t] = numbers[u] + counts[u] * 3 + halves[u] * 5 + letters[u] * 7;
}

// All extern arrays of a kernel begin at the same address.
__global__ void two_names(int* out) {
  extern __shared__ int words[];
  extern __shared__ unsigned char bytes[];
  const int t = check::thread_index(), n = check::thread_count();
  words[t] = 0x01020304 + t * 0x01000000;
  __syncthreads();
  out[blockIdx.x * n + t] = bytes[4 * ((t + 1) % n)] + 256 * bytes[4 * ((t + 1) % n) + 3];
}

__device__ float* dynamic_floats() {
  extern __shared__ float from_function[];
  return from_function;
}
template <class T>
struct Dynamic {
  __device__ operator T*() const {
    extern __shared__ __align__(16) char raw[];
    return reinterpret_cast<T*>(raw);
  }
};

template <class T>
__global__ void beside_static(T* out) {
  __shared__ T fixed[1024];
  T* moving = Dynamic<T>();
  const int t = check::thread_index(), n = check::thread_count();
  fixed[t] = static_cast<T>(t);
  moving[t] = static_cast<T>(1000 + t);
  __syncthreads();
  out[blockIdx.x * n + t] = static_cast<T>(fixed[n - 1 - t] + moving[(t + 1) % n]);
}

__global__ void in_function(float* out) {
  float* cells = dynamic_floats();
  const int t = check::thread_index(), n = check::thread_count();
  cells[t] = t;
  __syncthreads();
  out[blockIdx.x * n + t] = dynamic_floats()[n - 1 - t];
}

__global__ void large(int* out, int count) {
  extern __shared__ int everything[];
  const int t = check::thread_index(), n = check::thread_count();
  for (int i = t; i < count; i += n) everything[i] = i * 3;
  __syncthreads();
  for (int i = t; i < count; i += n) out[i] = everything[count - 1 - i];
}

__global__ void unused(int* out) { out[check::global_index()] = 1; }

int main() {
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block), blocks = 3;
    {
      check::Array<double> out(blocks * n);
      carve<<<blocks, block, n * 15>>>(out.data());
      std::vector<double> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i) {
        const int u = (i % n + n / 2) % n;
        want[i] = u * 0.5 - u * 3 + u * 10 + u % 100 * 7;
      }
      check::equal(check::name("carve", block), out.get(), want);
    }
    {
      check::Array<int> out(blocks * n);
      two_names<<<blocks, block, n * 4>>>(out.data());
      std::vector<int> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i) want[i] = 4 + 256 * ((1 + (i % n + 1) % n) & 255);
      check::equal(check::name("two_names", block), out.get(), want);
      unused<<<blocks, block, 1000>>>(out.data());
      check::equal(check::name("unused", block), out.get(), std::vector<int>(blocks * n, 1));
    }
    {
      check::Array<int> ints(blocks * n);
      check::Array<double> doubles(blocks * n);
      beside_static<int><<<blocks, block, n * sizeof(int)>>>(ints.data());
      beside_static<double><<<blocks, block, n * sizeof(double)>>>(doubles.data());
      std::vector<int> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i) want[i] = n - 1 - i % n + 1000 + (i % n + 1) % n;
      check::equal(check::name("beside_static int", block), ints.get(), want);
      check::equal(check::name("beside_static double", block), doubles.get(),
                   std::vector<double>(want.begin(), want.end()));
    }
    {
      check::Array<float> out(blocks * n);
      in_function<<<blocks, block, n * sizeof(float)>>>(out.data());
      std::vector<float> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i) want[i] = n - 1 - i % n;
      check::equal(check::name("in_function", block), out.get(), want);
    }
  }
  {
    cudaDeviceProp properties;
    CUDA_OK(cudaGetDeviceProperties(&properties, 0));
    const int bytes = static_cast<int>(properties.sharedMemPerBlockOptin), count = bytes / 4;
    CHECK(bytes >= 48 * 1024);
    CUDA_OK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    check::Array<int> out(count);
    large<<<1, 257, bytes>>>(out.data(), count);
    std::vector<int> want(count);
    for (int i = 0; i < count; ++i) want[i] = (count - 1 - i) * 3;
    check::equal("large", out.get(), want);
  }
  return check::finish();
}
