// Loops in which threads take turns (`for (i = threadIdx.x; i < n; i += blockDim.x)`): vectors go
// round together for as long as all their threads do. Guards and numbers that wrap in the middle of
// a loop, loops that only some threads enter, that run backwards, that read what they stored.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | loops whose threads take turns, of any length
#include "check.h"

namespace {

/// What a kernel's thread sees; on the host, too.
struct Thread {
  int t, dim, n;
  const int* in;
  int* out;
};

struct Guarded {
  static __host__ __device__ void run(Thread k) {
    for (int i = k.t; i < k.n; i += k.dim) {
      int at = i + 3;
      if (at < k.n - 2) k.out[at] += k.in[at] * 3 + i;
    }
  }
};

/// The guard's number wraps for the first threads of the first round.
struct Wrapping {
  static __host__ __device__ void run(Thread k) {
    for (int i = k.t; i < k.n; i += k.dim) {
      unsigned at = static_cast<unsigned>(i) - 5u;
      if (at < static_cast<unsigned>(k.n)) k.out[at] += k.in[at] - i;
    }
  }
};

/// The loop's own number does.
struct Starting {
  static __host__ __device__ void run(Thread k) {
    for (unsigned i = static_cast<unsigned>(k.t) - 5u; static_cast<int>(i) < k.n;
         i += static_cast<unsigned>(k.dim))
      if (i < static_cast<unsigned>(k.n)) k.out[i] += k.in[i] + 2;
  }
};

/// A byte that wraps between two threads, in later rounds.
struct Bytes {
  static __host__ __device__ void run(Thread k) {
    for (int i = k.t; i < k.n; i += k.dim) {
      auto at = static_cast<unsigned char>(i + 200);
      k.out[(i & ~255) + at] += k.in[at] + i;
    }
  }
};

struct Chain {
  static __host__ __device__ void run(Thread k) {
    for (int i = k.t; i + k.dim < k.n; i += k.dim) k.out[i + k.dim] = k.out[i] * 3 + k.in[i];
  }
};

struct Clamped {
  static __host__ __device__ void run(Thread k) {
    for (int i = k.t; i < k.n; i += k.dim) {
      int west = i > 0 ? i - 1 : 0, east = i < k.n - 1 ? i + 1 : k.n - 1;
      k.out[i] = 2 * k.in[i] + k.in[west] - k.in[east];
    }
  }
};

struct Backwards {
  static __host__ __device__ void run(Thread k) {
    for (int i = k.n - 1 - k.t; i >= 0; i -= k.dim) k.out[i] = k.in[i] + i;
  }
};

struct Sums {
  static __host__ __device__ void run(Thread k) {
    float sum = 0, squares = 1;
    double most = -1e9;
    for (int i = k.t; i < k.n; i += k.dim) {
      auto value = static_cast<float>(k.in[i]);
      sum += value;
      squares += value * value;
      most = value > most ? value : most;
    }
    if (k.n > 0 && k.t < 1024) k.out[k.t] = static_cast<int>(sum + squares) + (most > 0 ? 7 : 0);
  }
};

struct Nested {
  static __host__ __device__ void run(Thread k) {
    for (int row = 0; row < 3; ++row) {
      int last = k.n - row * 7;
      for (int i = k.t; i < last; i += k.dim) k.out[i] += k.in[(i + row) % 1024] << row;
      for (int i = k.t; i < last; i += k.dim) k.out[i] ^= k.in[i] + row;
    }
  }
};

/// No guard in front: each thread does one round at least.
struct AtLeastOne {
  static __host__ __device__ void run(Thread k) {
    int i = k.t;
    do {
      k.out[i] += k.in[i] + 1;
      i += k.dim;
    } while (i < k.n);
  }
};

struct SomeOnly {
  static __host__ __device__ void run(Thread k) {
    if (k.in[k.t] % 3 == 0) return;
    k.out[k.t] = 1;
    for (int i = k.t; i < k.n; i += k.dim) k.out[i] += k.in[i] * 5;
    for (int i = k.t; i < k.n; i += k.dim)
      if (k.in[i] > 0) k.out[i] -= 2;
  }
};

/// Threads of a vector begin at different rounds, and not side by side.
struct Ragged {
  static __host__ __device__ void run(Thread k) {
    for (int i = k.t * 2; i < k.n; i += 2 * k.dim) k.out[i] += k.in[i];
    int last = k.n - (k.in[k.t] + 9) % 5;
    for (int i = k.t; i < last; i += k.dim) k.out[1024 + i] += 1000;
  }
};

template <class Body>
__global__ void plain(int n, const int* in, int* out) {
  Body::run({static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x), n, in, out});
}

/// The same between barriers.
template <class Body>
__global__ void with_barriers(int n, const int* in, int* out) {
  __shared__ int copy[1024];
  int t = static_cast<int>(threadIdx.x), dim = static_cast<int>(blockDim.x);
  for (int i = t; i < 1024; i += dim) copy[i] = in[i];
  __syncthreads();
  Body::run({t, dim, n, copy, out});
  __syncthreads();
  if (t == 0) out[2047] = n;
}

/// A warp for each row.
__global__ void rows(const int* in, int* out, int count, int n) {
  int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  if (row >= count) return;
  int sum = warp;
  for (int i = lane; i < n; i += 32) sum += in[row * n + i] * (i + 1);
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) out[row] = sum;
  int all = __shfl_sync(0xffffffff, sum, 0);
  for (int i = lane; i < n; i += 32) out[count + row * n + i] = in[row * n + i] + all;
}

/// What the first warp does after a barrier, with numbers found before it.
__global__ void two_levels(const int* in, int* out, int n) {
  __shared__ int partial[32];
  int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32), sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    sum += in[i];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) partial[warp] = sum + warp;
  __syncthreads();
  if (warp > 0) return;
  sum = lane < static_cast<int>(blockDim.x / 32) ? partial[lane] : 0;
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) out[0] = sum;
}

const std::vector<int> lengths = {0,   1,   5,   31,  32,  33,   64,  100,
                                  127, 255, 256, 257, 500, 1000, 1024};

template <class Body>
void test(const char* name) {
  const auto in = check::Random(3).integers<int>(1024, -9, 99);
  for (int dim : {1, 7, 16, 24, 32, 33, 64, 100, 128, 256})
    for (int n : lengths) {
      std::vector<int> want(2048, 11);
      for (int t = 0; t < dim; ++t) Body::run({t, dim, n, in.data(), want.data()});
      const std::string what =
          std::string(name) + " " + std::to_string(dim) + " " + std::to_string(n);
      check::Array<int> from(in), to(std::vector<int>(2048, 11));
      plain<Body><<<1, dim>>>(n, from.data(), to.data());
      check::equal(what, to.get(), want);
      check::Array<int> again(std::vector<int>(2048, 11));
      with_barriers<Body><<<1, dim>>>(n, from.data(), again.data());
      want[2047] = n;
      check::equal(what + " between barriers", again.get(), want);
    }
}

void test_rows(int count, int n, int dim) {
  const auto in = check::Random(5).integers<int>(static_cast<std::size_t>(count * n) + 1, -99, 99);
  std::vector<int> want(static_cast<std::size_t>(count * (n + 1)));
  for (int row = 0; row < count; ++row) {
    int sum = row % (dim / 32) * 32;
    for (int i = 0; i < n; ++i) sum += in[row * n + i] * (i + 1);
    want[row] = sum;
    for (int i = 0; i < n; ++i) want[count + row * n + i] = in[row * n + i] + sum;
  }
  check::Array<int> from(in), to(std::vector<int>(want.size(), -1));
  rows<<<(32 * count + dim - 1) / dim, dim>>>(from.data(), to.data(), count, n);
  check::equal("rows " + std::to_string(n), to.get(), want);

  int sum = dim / 32 * (dim / 32 - 1) / 2;
  for (int i = 0; i < n; ++i) sum += in[i];
  check::Array<int> one(std::vector<int>(1, 0));
  two_levels<<<1, dim>>>(from.data(), one.data(), n);
  check::equal("two levels " + std::to_string(n), one.get(), std::vector<int>(1, sum));
}

}  // namespace

int main() {
  test<Guarded>("guarded");
  test<Wrapping>("wrapping");
  test<Starting>("starting");
  test<Bytes>("bytes");
  test<Chain>("chain");
  test<Clamped>("clamped");
  test<Backwards>("backwards");
  test<Sums>("sums");
  test<Nested>("nested");
  test<AtLeastOne>("at least one");
  test<SomeOnly>("some only");
  test<Ragged>("ragged");
  for (int n : lengths)
    for (int dim : {32, 128, 224}) test_rows(37, n, dim);
  return check::finish();
}
