// Functions of both sides with objects whose destructors are the host's, as CCCL's tracing has:
// nvcc warns, and kernels that do not come to such a destructor run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | destructors of the host in `__host__ __device__` code that no kernel comes to
#include "check.h"

static int ended = 0;
static int note_end(int how_many) { return ended += how_many; }

template <class Domain>
struct Registered {
  // Memory and functions that only the host has.
  static const Registered& get() {
    static const Registered one(7);
    return one;
  }
  explicit Registered(int of) : value(note_end(0) + of) {}
  ~Registered() { note_end(0); }
  int value;
};
template <class Domain>
struct Range {
  Range() { note_end(1); }
  ~Range() { note_end(Registered<Domain>::get().value); }
};

template <class T>
struct Optional {
  union {
    char none;
    T value;
  };
  bool is_set = false;
  __host__ __device__ Optional() : none() {}
  __host__ __device__ ~Optional() {
    if (is_set) value.~T();
  }
};

template <class T>
__host__ __device__ T twice(T x) {
  Optional<Range<int>> range;
#ifndef __CUDA_ARCH__
  new (&range.value) Range<int>();
  range.is_set = true;
#endif
  return 2 * x;
}

// One that nobody wrote calls one of the host: kernels leave that out.
struct Handle {
  int value;
  __host__ __device__ explicit Handle(int x) : value(x) {}
  ~Handle() { note_end(1000); }
};
struct Holder {
  Handle handle;
  __host__ __device__ explicit Holder(int x) : handle(x) {}
};
template <class T>
__host__ __device__ int held(int x) {
  T holder(x);
  return holder.handle.value + 1;
}

__global__ void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = twice(in[i]) + held<Holder>(in[i]);
}

int main() {
  check::Random random(58);
  constexpr int n = 1009;
  const auto in = random.integers<int>(n, -1000, 1000);
  check::Array<int> source(in), out(n);
  kernel<<<(n + 63) / 64, 64>>>(source.data(), out.data(), n);
  KERNEL_OK();
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = 3 * in[i] + 1;
  check::equal("kernel", out.get(), want);
  CHECK_EQ(ended, 0);
  CHECK_EQ(twice(21), 42);
  CHECK_EQ(ended, 9);
  CHECK_EQ(held<Holder>(4), 5);
  CHECK_EQ(ended, 1009);
  return check::finish();
}
