// Objects in shared memory: of classes with constructors, which nvcc leaves uninitialised, and over
// the block's dynamic memory whatever their type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | __shared__ objects of classes with constructors and destructors, also host-only ones: dim3, std::complex, arrays of them, in templates, with file scope; left uninitialised, as by nvcc
// FEATURE: Shared memory | extern __shared__ of structs, scalars and arrays with a length, which lie over dynamic shared memory
#include "check.h"

#include <complex>

struct HostOnly {
  int value;
  HostOnly() {}
  ~HostOnly() {}
};
struct OnlyInKernel {
  int value;
  OnlyInKernel() {}
  ~OnlyInKernel() {}
};
struct ByTemplate {
  int value;
  template <class... Any>
  ByTemplate(Any...) {}
};
struct WithWork {  // neither may run
  int value, more;
  __device__ WithWork(int start = 3) : value(start), more(0) { __trap(); }
  __device__ ~WithWork() { __trap(); }
};
struct Virtual {
  int value;
  __host__ __device__ Virtual() : value(1) {}
  __host__ __device__ virtual int twice() const { return 2 * value; }
};
template <class T, int N>
struct Pair {
  T first;
  WithWork second[N];
  __device__ T sum() const {
    T all = first;
    for (const WithWork& one : second) all += T(one.value);
    return all;
  }
};

static __shared__ HostOnly of_file;
namespace inside {
__shared__ dim3 sizes[3];
}

__device__ void write_by_one(int block) {
  if (check::thread_index() != 0) return;
  of_file.value = block + 5;
  inside::sizes[1] = blockDim;
  inside::sizes[2].y = 9;
}

__global__ void plain(int* out) {
  __shared__ HostOnly host_only;
  __shared__ dim3 size;
  __shared__ WithWork several[2][3];
  __shared__ std::complex<float> number;
  __shared__ Virtual object;
  __shared__ OnlyInKernel only_here;
  __shared__ ByTemplate by_template[2];
  __shared__ Pair<std::complex<double>, 2> first_named_here[2];
  if (check::thread_index() == 0) {
    host_only.value = 17;
    size = gridDim;
    several[1][2].value = blockIdx.x;
    number = {1.5f, 2.5f};
    object.value = 4;
    first_named_here[1].second[1].value = 6;
    only_here.value = 20;
    by_template[1].value = 30;
  }
  write_by_one(blockIdx.x);
  __syncthreads();
  const int sum = host_only.value + size.x * 100 + several[1][2].value + int(number.imag() * 2) +
                  object.value + first_named_here[1].second[1].value + only_here.value +
                  by_template[1].value;
  out[check::global_index()] = sum * 1000 + of_file.value + int(inside::sizes[1].x) +
                               int(inside::sizes[2].y) + int(check::thread_index());
}

template <class T, int N>
__global__ void instance(T* out) {
  __shared__ T alone;
  __shared__ Pair<T, N> pair;
  __shared__ WithWork fixed;
  if (check::thread_index() == check::thread_count() - 1) {
    alone = T(2);
    pair.first = T(10);
    for (int i = 0; i < N; ++i) pair.second[i].value = i + 1;
    fixed.value = N;
  }
  __syncthreads();
  out[check::global_index()] = alone + pair.sum() + T(fixed.value) + T(check::thread_index());
}

// Bytes of a class that nothing but the variable instantiates.
template <class T>
struct alignas(16) Cell {
  T value, more[6];
};
template <class T>
struct Bytes {
  struct type {
    unsigned char data[sizeof(Cell<T>)];
  };
};
template <class T>
__global__ void in_bytes(T* out) {
  __shared__ __align__(16) typename Bytes<T>::type bytes[19];
  __shared__ T behind[19];
  Cell<T>* cells = reinterpret_cast<Cell<T>*>(bytes);
  const int t = check::thread_index();
  for (int i = t; i < 19; i += check::thread_count()) {
    behind[i] = T(100 + i);
    cells[i].value = T(i);
    for (T& one : cells[i].more) one = T(-1);
  }
  __syncthreads();
  out[check::global_index()] = cells[t % 19].value + behind[18 - t % 19];
}

// Over dynamic memory.
struct Work {
  int count;
  double scale;
  float data[64];
};
extern __shared__ Work work;
extern __shared__ int words[96];
extern __shared__ long long single;

__device__ float pick(int i) { return work.data[i] * float(work.scale); }
__global__ void over_struct(float* out) {
  __shared__ int other[33];
  const int t = check::thread_index();
  if (t < 33) other[t] = t;
  if (t == 0) {
    work.count = 64;
    work.scale = 0.25;
  }
  for (int i = t; i < 64; i += check::thread_count()) work.data[i] = i * 3.0f;
  __syncthreads();
  out[check::global_index()] = pick(work.count - 1 - t % 64) + other[t % 33];
}
__global__ void over_array(int* out) {
  const int t = check::thread_index();
  for (int i = t; i < 200; i += check::thread_count()) words[i] = i * 7;  // beyond its length
  __syncthreads();
  out[check::global_index()] = words[199 - t % 200];
}
__global__ void over_number(long long* out) {
  if (check::thread_index() == 0) single = blockIdx.x * 10000000000ll;
  __syncthreads();
  out[check::global_index()] = single + check::thread_index();
}

template <class T, class Want>
void compare(const char* name, check::Array<T>& out, dim3 block, Want want) {
  std::vector<T> expected(out.size());
  for (unsigned i = 0; i < out.size(); ++i)
    expected[i] = want(int(i % check::volume(block)), int(i / check::volume(block)));
  check::equal(check::name(name, block), out.get(), expected);
}

int main() {
  cudaFuncAttributes attributes;
  CHECK_EQ(cudaFuncGetAttributes(&attributes, in_bytes<float>), cudaSuccess);
  const std::size_t bytes = 19 * (sizeof(Cell<float>) + sizeof(float));
  CHECK(attributes.sharedSizeBytes >= bytes && attributes.sharedSizeBytes < bytes + 16);
  const int blocks = 3;
  for (dim3 block : {dim3(1), dim3(33), dim3(257), dim3(3, 5, 7)}) {
    const int n = blocks * check::volume(block);
    const int bx = block.x;
    check::Array<int> out(n);
    plain<<<blocks, block>>>(out.data());
    compare("plain", out, block, [&](int t, int b) {
      return (17 + 300 + b + 5 + 4 + 6 + 50) * 1000 + b + 5 + bx + 9 + t;
    });
    check::Array<float> reals(n);
    instance<float, 3><<<blocks, block>>>(reals.data());
    compare("float", reals, block, [](int t, int) { return 2.0f + 16 + 3 + t; });
    check::Array<long long> longs(n);
    instance<long long, 5><<<blocks, block>>>(longs.data());
    compare("long", longs, block, [](int t, int) { return 2ll + 25 + 5 + t; });
    in_bytes<<<blocks, block>>>(reals.data());
    compare("bytes", reals, block, [](int t, int) { return float(t % 19 + 118 - t % 19); });
    over_struct<<<blocks, block, sizeof(Work)>>>(reals.data());
    compare("struct", reals, block, [](int t, int) { return (63 - t % 64) * 3 * 0.25f + t % 33; });
    over_array<<<blocks, block, 200 * sizeof(int)>>>(out.data());
    compare("array", out, block, [](int t, int) { return (199 - t % 200) * 7; });
    over_number<<<blocks, block, sizeof(long long)>>>(longs.data());
    compare("number", longs, block, [](int t, int b) { return b * 10000000000ll + t; });
  }
  return check::finish();
}
