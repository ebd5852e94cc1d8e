// Types that ask for more alignment than their storage has: a GPU needs what an access touches, 16
// bytes at most. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Memory | objects aligned to more than 16 bytes in storage that is not (as in CUB), in shared, global and local memory
#include "check.h"

template <int Align>
struct __align__(Align) Cells {
  float values[24];
  int mark;
  __device__ Cells& doubled() {
    for (float& value : values) value *= 2;
    mark += 2;
    return *this;
  }
};

template <class T>
struct Storage {
  uint4 words[sizeof(T) / sizeof(uint4)];
  __device__ T& get() { return *reinterpret_cast<T*>(words); }
};

/// Behind 16 bytes of something else.
template <class T>
struct Behind {
  uint4 first;
  Storage<T> storage;
};

template <class T>
__global__ void turn(Behind<T>* in, unsigned char* out) {
  __shared__ Behind<T> shared[7];
  Behind<T> local;
  local.storage.get() = in[blockIdx.x * blockDim.x + threadIdx.x].storage.get();
  shared[threadIdx.x].storage.get() = local.storage.get().doubled();
  __syncthreads();
  T& other = shared[blockDim.x - 1 - threadIdx.x].storage.get();
  other.mark += other.values[threadIdx.x] > 0;
  __syncthreads();
  unsigned char* mine = out + (blockIdx.x * blockDim.x + threadIdx.x) * sizeof(T);
  *reinterpret_cast<T*>(mine) = shared[threadIdx.x].storage.get();
}

template <int Align>
static void test(int blocks, int threads) {
  using T = Cells<Align>;
  const int n = blocks * threads, plain = 25;
  std::vector<Behind<T>> in(n);
  std::memset(static_cast<void*>(in.data()), 0xa5, n * sizeof(Behind<T>));
  for (int i = 0; i < n; ++i) {
    float values[plain - 1];
    for (int k = 0; k < plain - 1; ++k) values[k] = float(i + 100 * k - 50);
    std::memcpy(in[i].storage.words, values, sizeof values);
    std::memcpy(reinterpret_cast<char*>(in[i].storage.words) + sizeof values, &i, sizeof i);
  }
  check::Array<unsigned char> from(n * sizeof(Behind<T>) + 16), to(n * sizeof(T) + 16);
  CHECK_EQ(cudaMemcpy(from.data() + 16, in.data(), n * sizeof(Behind<T>), cudaMemcpyHostToDevice),
           cudaSuccess);
  turn<T><<<blocks, threads>>>(reinterpret_cast<Behind<T>*>(from.data() + 16), to.data() + 16);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<unsigned char> bytes = to.get();
  std::vector<float> got, want;
  std::vector<int> got_marks, want_marks;
  for (int i = 0; i < n; ++i) {
    float values[plain - 1];
    int mark = 0;
    std::memcpy(values, &bytes[16 + i * sizeof(T)], sizeof values);
    std::memcpy(&mark, &bytes[16 + i * sizeof(T) + sizeof values], sizeof mark);
    got.insert(got.end(), values, values + plain - 1);
    got_marks.push_back(mark);
    const int reader = threads - 1 - i % threads;  // has looked at this one
    for (int k = 0; k < plain - 1; ++k) want.push_back(2 * float(i + 100 * k - 50));
    want_marks.push_back(i + 2 + (i + 100 * reader - 50 > 0));
  }
  check::equal(check::name("values", dim3(Align)), got, want);
  check::equal(check::name("marks", dim3(Align)), got_marks, want_marks);
}

int main() {
  test<16>(5, 7);
  test<32>(33, 7);
  test<64>(9, 5);
  test<128>(3, 7);
  return check::finish();
}
