// Launches that follow one another on the same data: in any order of blocks that is found for them,
// memory must end up as if each launch had run after the one before it. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | launches without a wait between them may run as a chain of blocks, with the same results
//
// A host function holds the stream until all launches of a case are queued, so that whoever groups
// launches sees all of them (tests/run/chain_counts.py asks how many were chained). Unsigned
// arithmetic: references are exact.
#include "check.h"
#include "hold.h"

#include <cuda/atomic>

#include <functional>
#include <map>

using U = unsigned;

__host__ __device__ static U mix(U a, U b) { return a * 1664525u + b * 1013904223u + 12345u; }

__global__ void stencil(const U* a, U* b, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int i = y * nx + x;
  if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
    b[i] = a[i] + 1;
  } else {
    b[i] = mix(a[i - 1] + 3 * a[i + 1], a[i - nx] + 5 * a[i + nx]);
  }
}

__global__ void periodic(const U* a, U* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
  b[i] = mix(a[left], a[i] + 7 * a[right]);
}

/// Coefficients from neighbours, then the array in place from the coefficients' neighbours.
__global__ void coefficients(const U* j, U* c, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int up = y == 0 ? y : y - 1;
  c[y * nx + x] = mix(j[y * nx + x], j[up * nx + x]);
}
__global__ void in_place(U* j, const U* c, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int down = y == ny - 1 ? y : y + 1;
  j[y * nx + x] += mix(c[y * nx + x], c[down * nx + x]);
}

__global__ void scale(U* x, U a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
}
__global__ void add(U* y, const U* x, U a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

/// Sums of rows, and of columns: each needs all of the matrix.
__global__ void across_rows(U* m, int n) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= n) return;
  for (int x = 1; x < n; ++x) m[y * n + x] = mix(m[y * n + x], m[y * n + x - 1]);
}
__global__ void down_columns(U* m, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  for (int y = 1; y < n; ++y) m[y * n + x] = mix(m[y * n + x], m[(y - 1) * n + x]);
}

__global__ void gather(const U* a, const int* at, U* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[at[i]] + i;
}
/// What it reads of `input` depends on the number of the step.
__global__ void driven(U* a, const U* b, const U* input, int step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i == 0 ? input[step] : mix(a[i], b[i] + 3 * b[i - 1] + input[2 * step]);
}
__global__ void count(const U* a, U* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[a[i] % 13], 1u);
}
__global__ void use_counts(const U* bins, U* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += bins[i % 13];
}
__device__ U device_sums[1021];
__global__ void to_variable(const U* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i < 1021) device_sums[i] += a[i];
}
__global__ void from_variable(U* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i < 1021) a[i] ^= device_sums[1020 - i];
}
__global__ void raise_flag(volatile U* flag, const U* a, int n) { *flag = n > 0 ? a[n - 1] : 0; }

/// Through pointers that lie beside the array: behind its end, before its beginning.
__global__ void reversed(const U* end, U* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mix(out[i], end[-1 - i]);
}
__global__ void from_one(const U* before, U* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i <= n) out[i - 1] = mix(out[i - 1], before[i]);
}

/// Blocks wait for all blocks of the launch.
__global__ void meet(U* arrived, U* a, int n, U blocks_so_far) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<U, cuda::thread_scope_device> all(*arrived);
    all.fetch_add(1, cuda::memory_order_relaxed);
    while (all.load(cuda::memory_order_relaxed) < blocks_so_far) {
    }
  }
  __syncthreads();
  if (i < n) a[i] = 3 * a[i] + blocks_so_far;
}

// --- the host's side

static int blocks(int n, int block) { return (n + block - 1) / block; }
static std::vector<U> words(check::Random& random, std::size_t n) {
  return random.integers<U>(n, 0, 0x7fffffff);
}

static void host_stencil(const std::vector<U>& a, std::vector<U>& b, int nx, int ny) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const int i = y * nx + x;
      const bool is_edge = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
      b[i] = is_edge ? a[i] + 1 : mix(a[i - 1] + 3 * a[i + 1], a[i - nx] + 5 * a[i + nx]);
    }
}

static void steps(int nx, int ny, int count, dim3 block, check::Random& random) {
  std::vector<U> a = words(random, nx * ny), b(a.size(), 0xdeadbeef);
  check::Array<U> first(a), second(b);
  U *from = first.data(), *to = second.data();
  const dim3 grid(blocks(nx, block.x), blocks(ny, block.y));
  Hold hold;
  for (int i = 0; i < count; ++i) {
    stencil<<<grid, block>>>(from, to, nx, ny);
    std::swap(from, to);
  }
  hold.go();
  for (int i = 0; i < count; ++i) {
    host_stencil(a, b, nx, ny);
    a.swap(b);
  }
  check::equal("steps", from == first.data() ? first.get() : second.get(), a);
  check::equal("steps, the other array", from == first.data() ? second.get() : first.get(), b);
}

static void test_double_buffer(check::Random& random) {
  steps(257, 131, 12, {32, 4}, random);
  steps(64, 64, 7, {16, 8}, random);  // rows are whole blocks
  steps(65, 63, 4, {16, 8}, random);  // one more, one less
  steps(5, 1031, 24, {8, 1}, random);
  steps(1, 1, 3, {32, 4}, random);
  steps(31, 3, 5, {32, 4}, random);  // less than a block
}

static void test_periodic(check::Random& random) {
  for (const int n : {1, 2, 255, 256, 257, 10007}) {
    std::vector<U> a = words(random, n), b(n, 7);
    check::Array<U> first(a), second(b);
    U *from = first.data(), *to = second.data();
    Hold hold;
    for (int i = 0; i < 9; ++i) {
      periodic<<<blocks(n, 64), 64>>>(from, to, n);
      std::swap(from, to);
    }
    hold.go();
    for (int i = 0; i < 9; ++i) {
      for (int k = 0; k < n; ++k)
        b[k] = mix(a[k == 0 ? n - 1 : k - 1], a[k] + 7 * a[k == n - 1 ? 0 : k + 1]);
      a.swap(b);
    }
    check::equal("periodic", from == first.data() ? first.get() : second.get(), a);
  }
}

static void test_in_place(check::Random& random) {
  const int nx = 67, ny = 149;
  std::vector<U> j = words(random, nx * ny), c(j.size(), 5);
  check::Array<U> image(j), factor(c);
  const dim3 block(16, 4), grid(blocks(nx, 16), blocks(ny, 4));
  Hold hold;
  for (int i = 0; i < 6; ++i) {
    coefficients<<<grid, block>>>(image.data(), factor.data(), nx, ny);
    in_place<<<grid, block>>>(image.data(), factor.data(), nx, ny);
  }
  hold.go();
  for (int i = 0; i < 6; ++i) {
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        c[y * nx + x] = mix(j[y * nx + x], j[std::max(y - 1, 0) * nx + x]);
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        j[y * nx + x] += mix(c[y * nx + x], c[std::min(y + 1, ny - 1) * nx + x]);
  }
  check::equal("in place", image.get(), j);
  check::equal("coefficients", factor.get(), c);
}

/// Blocks of other sizes, arrays that overlap in part, scalars that change.
static void test_pointwise(check::Random& random) {
  for (const int n : {1, 127, 128, 129, 20011}) {
    std::vector<U> x = words(random, n), y = words(random, n + 5);
    check::Array<U> dx(x), dy(y);
    Hold hold;
    for (U i = 1; i <= 4; ++i) {
      scale<<<blocks(n, 128), 128>>>(dx.data(), 2 * i + 1, n);
      add<<<blocks(n, 64), 64>>>(dy.data() + 5, dx.data(), i, n);
      if (n > 5) add<<<blocks(n - 5, 256), 256>>>(dx.data(), dy.data(), 3, n - 5);
    }
    hold.go();
    for (U i = 1; i <= 4; ++i) {
      for (int k = 0; k < n; ++k) x[k] *= 2 * i + 1;
      for (int k = 0; k < n; ++k) y[k + 5] += i * x[k];
      for (int k = 0; k < n - 5; ++k) x[k] += 3 * y[k];
    }
    check::equal("x", dx.get(), x);
    check::equal("y", dy.get(), y);
  }
}

static void test_rows_and_columns(check::Random& random) {
  const int n = 211;
  std::vector<U> m = words(random, n * n);
  check::Array<U> matrix(m);
  Hold hold;
  for (int i = 0; i < 3; ++i) {
    across_rows<<<blocks(n, 32), 32>>>(matrix.data(), n);
    down_columns<<<blocks(n, 32), 32>>>(matrix.data(), n);
  }
  hold.go();
  for (int i = 0; i < 3; ++i) {
    for (int y = 0; y < n; ++y)
      for (int x = 1; x < n; ++x) m[y * n + x] = mix(m[y * n + x], m[y * n + x - 1]);
    for (int y = 1; y < n; ++y)
      for (int x = 0; x < n; ++x) m[y * n + x] = mix(m[y * n + x], m[(y - 1) * n + x]);
  }
  check::equal("rows and columns", matrix.get(), m);
}

static void test_data_dependent(check::Random& random) {
  const int n = 5003;
  std::vector<U> a = words(random, n), b(n, 3), bins(13, 0);
  const std::vector<int> at = random.integers<int>(n, 0, n - 1);
  check::Array<U> da(a), db(b), dbins(bins);
  check::Array<int> dat(at);
  Hold hold;
  for (int i = 0; i < 3; ++i) {
    gather<<<blocks(n, 96), 96>>>(da.data(), dat.data(), db.data(), n);
    count<<<blocks(n, 128), 128>>>(db.data(), dbins.data(), n);
    use_counts<<<blocks(n, 64), 64>>>(dbins.data(), da.data(), n);
  }
  hold.go();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < n; ++k) b[k] = a[at[k]] + k;
    for (int k = 0; k < n; ++k) ++bins[b[k] % 13];
    for (int k = 0; k < n; ++k) a[k] += bins[k % 13];
  }
  check::equal("a", da.get(), a);
  check::equal("b", db.get(), b);
  check::equal("bins", dbins.get(), bins);
}

static void test_variables(check::Random& random) {
  const int n = 1021;
  std::vector<U> a = words(random, n), sums(n, 0);
  check::Array<U> da(a);
  Hold hold;
  for (int i = 0; i < 4; ++i) {
    to_variable<<<blocks(n, 64), 64>>>(da.data(), n);
    from_variable<<<blocks(n, 64), 64>>>(da.data(), n);
  }
  hold.go();
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < n; ++k) sums[k] += a[k];
    for (int k = 0; k < n; ++k) a[k] ^= sums[1020 - k];
  }
  check::equal("array", da.get(), a);
  std::vector<U> got(n);
  CUDA_OK(cudaMemcpyFromSymbol(got.data(), device_sums, n * sizeof(U)));
  check::equal("variable", got, sums);
}

/// Copies and fills inside the device between launches: whole arrays, parts that begin at any byte,
/// rows that lie together and such that do not.
static void test_moves(check::Random& random) {
  const int n = 20011, rows = 83, width = 241;
  std::vector<U> a = words(random, n), b(n, 3), c = words(random, n);
  check::Array<U> da(a), db(b), dc(c);
  Hold hold;
  for (U i = 1; i <= 3; ++i) {
    scale<<<blocks(n, 128), 128>>>(da.data(), 2 * i + 1, n);
    CUDA_OK(cudaMemcpyAsync(db.data(), da.data(), n * sizeof(U), cudaMemcpyDeviceToDevice));
    add<<<blocks(n, 64), 64>>>(db.data(), dc.data(), i, n);
    CUDA_OK(cudaMemsetAsync(reinterpret_cast<char*>(dc.data()) + 3, 0x5a, 70001));
    add<<<blocks(n, 128), 128>>>(dc.data(), db.data(), 3, n);
    CUDA_OK(cudaMemcpy2DAsync(da.data() + 1, width * 4, dc.data() + 2, width * 4, width * 4, rows,
                              cudaMemcpyDeviceToDevice));
    add<<<blocks(n, 256), 256>>>(da.data(), dc.data(), 1, n);
    CUDA_OK(cudaMemcpy2DAsync(db.data(), width * 4, da.data(), width * 4, width * 2, rows,
                              cudaMemcpyDeviceToDevice));
    add<<<blocks(n, 128), 128>>>(db.data(), da.data(), 7, n);
  }
  hold.go();
  const auto bytes = [](std::vector<U>& words) { return reinterpret_cast<char*>(words.data()); };
  for (U i = 1; i <= 3; ++i) {
    for (int k = 0; k < n; ++k) a[k] *= 2 * i + 1;
    b = a;
    for (int k = 0; k < n; ++k) b[k] += i * c[k];
    std::fill_n(bytes(c) + 3, 70001, 0x5a);
    for (int k = 0; k < n; ++k) c[k] += 3 * b[k];
    std::copy_n(c.begin() + 2, width * rows, a.begin() + 1);
    for (int k = 0; k < n; ++k) a[k] += c[k];
    for (int y = 0; y < rows; ++y)
      std::copy_n(bytes(a) + y * width * 4, width * 2, bytes(b) + y * width * 4);
    for (int k = 0; k < n; ++k) b[k] += 7 * a[k];
  }
  check::equal("a", da.get(), a);
  check::equal("b", db.get(), b);
  check::equal("c", dc.get(), c);
}

/// Commands between launches, another stream: each ends a group.
static void test_interrupted(check::Random& random) {
  const int n = 4099;
  std::vector<U> x = words(random, n), y = words(random, n);
  check::Array<U> dx(x), dy(y);
  cudaStream_t other;
  cudaEvent_t between;
  CUDA_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CUDA_OK(cudaEventCreate(&between));
  Hold hold(other);
  const int grid = blocks(n, 128);
  for (U i = 0; i < 3; ++i) {
    scale<<<grid, 128, 0, other>>>(dx.data(), 3, n);
    add<<<grid, 128, 0, other>>>(dy.data(), dx.data(), 5, n);
    CUDA_OK(
        cudaMemcpyAsync(dx.data(), dy.data(), n * sizeof(U) / 2, cudaMemcpyDeviceToDevice, other));
    add<<<grid, 128, 0, other>>>(dx.data(), dy.data(), 9, n);
    CUDA_OK(cudaMemsetAsync(dy.data() + 7, 1, 11 * sizeof(U), other));
    CUDA_OK(cudaEventRecord(between, other));
    CUDA_OK(cudaStreamWaitEvent(nullptr, between));
    scale<<<grid, 128>>>(dy.data(), 7, n);
    CUDA_OK(cudaEventRecord(between, nullptr));
    CUDA_OK(cudaStreamWaitEvent(other, between));
  }
  hold.go();
  for (U i = 0; i < 3; ++i) {
    for (int k = 0; k < n; ++k) x[k] *= 3;
    for (int k = 0; k < n; ++k) y[k] += 5 * x[k];
    std::memcpy(x.data(), y.data(), n * sizeof(U) / 2);
    for (int k = 0; k < n; ++k) x[k] += 9 * y[k];
    std::memset(y.data() + 7, 1, 11 * sizeof(U));
    for (int k = 0; k < n; ++k) y[k] *= 7;
  }
  check::equal("x", dx.get(), x);
  check::equal("y", dy.get(), y);
  CUDA_OK(cudaEventDestroy(between));
  CUDA_OK(cudaStreamDestroy(other));
}

/// The same launches on memory that is smaller, then another kind, at what may be the same address.
static void test_memory_changes(check::Random& random) {
  for (const int n : {3001, 701, 3001, 1}) {
    for (const bool managed : {false, true}) {
      std::vector<U> x = words(random, n), y = words(random, n);
      U *dx, *dy;
      for (U** one : {&dx, &dy}) {
        if (managed)
          CUDA_OK(cudaMallocManaged(one, n * sizeof(U)));
        else
          CUDA_OK(cudaMalloc(one, n * sizeof(U)));
      }
      CUDA_OK(cudaMemcpy(dx, x.data(), n * sizeof(U), cudaMemcpyDefault));
      CUDA_OK(cudaMemcpy(dy, y.data(), n * sizeof(U), cudaMemcpyDefault));
      Hold hold;
      for (int i = 0; i < 4; ++i) {
        add<<<blocks(n, 64), 64>>>(dx, dy, 3, n);
        add<<<blocks(n, 64), 64>>>(dy, dx, 5, n);
      }
      hold.go();
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < n; ++k) x[k] += 3 * y[k];
        for (int k = 0; k < n; ++k) y[k] += 5 * x[k];
      }
      std::vector<U> got(n, 0);
      CUDA_OK(cudaMemcpy(got.data(), dx, n * sizeof(U), cudaMemcpyDefault));
      check::equal("x", got, x);
      CUDA_OK(cudaMemcpy(got.data(), dy, n * sizeof(U), cudaMemcpyDefault));
      check::equal("y", got, y);
      CUDA_OK(cudaFree(dx));
      CUDA_OK(cudaFree(dy));
    }
  }
}

/// A flag that the host polls must not be up before what was launched ahead of it is done.
static void test_host_looks_on(check::Random& random) {
  const int n = 20011;
  std::vector<U> x = words(random, n);
  check::Array<U> dx(x);
  U* flag;
  CUDA_OK(cudaMallocHost(&flag, sizeof(U)));
  *flag = 0;
  Hold hold;
  scale<<<blocks(n, 64), 64>>>(dx.data(), 3, n);
  raise_flag<<<1, 1>>>(flag, dx.data(), n);
  scale<<<blocks(n, 64), 64>>>(dx.data(), 5, n);
  hold.go();
  for (U& one : x) one *= 3;
  CHECK_EQ(*flag, x[n - 1]);
  for (U& one : x) one *= 5;
  check::equal("x", dx.get(), x);
  CUDA_OK(cudaFreeHost(flag));
}

static void test_beside(check::Random& random) {
  for (const int n : {64, 4096, 65536, 100003}) {
    std::vector<U> values[3];
    U* memory[3];
    for (int k = 0; k < 3; ++k) {
      values[k] = words(random, n);
      CUDA_OK(cudaMalloc(&memory[k], n * sizeof(U)));
      CUDA_OK(cudaMemcpy(memory[k], values[k].data(), n * sizeof(U), cudaMemcpyHostToDevice));
    }
    const int grid = blocks(n, 128);
    Hold hold;
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 3; ++k) {
        scale<<<grid, 128>>>(memory[k], 2 * i + 3, n);
        reversed<<<grid, 128>>>(memory[k] + n, memory[(k + 1) % 3], n);
        from_one<<<grid, 128>>>(memory[(k + 1) % 3] - 1, memory[(k + 2) % 3], n);
      }
    hold.go();
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 3; ++k) {
        std::vector<U>&a = values[k], &b = values[(k + 1) % 3], &c = values[(k + 2) % 3];
        for (U& one : a) one *= 2 * i + 3;
        for (int j = 0; j < n; ++j) b[j] = mix(b[j], a[n - 1 - j]);
        for (int j = 0; j < n; ++j) c[j] = mix(c[j], b[j]);
      }
    for (int k = 0; k < 3; ++k) {
      std::vector<U> got(n, 9);
      CUDA_OK(cudaMemcpy(got.data(), memory[k], n * sizeof(U), cudaMemcpyDeviceToHost));
      check::equal("beside", got, values[k]);
      CUDA_OK(cudaFree(memory[k]));
    }
  }
}

static void test_waiting(check::Random& random) {
  const int n = 8 * 64 - 5;
  std::vector<U> a = words(random, n);
  check::Array<U> da(a), arrived(std::vector<U>(1, 0));
  Hold hold;
  for (U i = 1; i <= 4; ++i) meet<<<8, 64>>>(arrived.data(), da.data(), n, 8 * i);
  hold.go();
  for (U i = 1; i <= 4; ++i)
    for (U& one : a) one = 3 * one + 8 * i;
  check::equal("waiting", da.get(), a);
}

/// The same launches again and again: one group.
static void test_again(check::Random& random) {
  const int n = 1009;
  std::vector<U> x = words(random, n), y = words(random, n);
  check::Array<U> dx(x), dy(y);
  for (int round = 0; round < 10; ++round) {
    Hold hold;
    for (int i = 0; i < 3; ++i) {
      add<<<blocks(n, 64), 64>>>(dx.data(), dy.data(), 3, n);
      add<<<blocks(n, 64), 64>>>(dy.data(), dx.data(), 5, n);
    }
    hold.go();
  }
  for (int i = 0; i < 30; ++i) {
    for (int k = 0; k < n; ++k) x[k] += 3 * y[k];
    for (int k = 0; k < n; ++k) y[k] += 5 * x[k];
  }
  check::equal("x", dx.get(), x);
  check::equal("y", dy.get(), y);
}

/// The number of a step changes with each launch: one group if nobody writes what it moves reads
/// of.
static void test_steps(check::Random& random) {
  const int n = 1021;
  std::vector<U> a = words(random, n), b = words(random, n);
  const std::vector<U> input = words(random, 120);
  check::Array<U> da(a), db(b), dinput(input);
  for (int step = 0; step < 60;) {
    Hold hold;
    for (const int end = step + 6; step < end; ++step) {
      driven<<<blocks(n, 64), 64>>>(da.data(), db.data(), dinput.data(), step, n);
      add<<<blocks(n, 64), 64>>>(db.data(), da.data(), 5, n);
    }
    hold.go();
  }
  for (int step = 0; step < 60; ++step) {
    for (int i = n - 1; i > 0; --i) a[i] = mix(a[i], b[i] + 3 * b[i - 1] + input[2 * step]);
    a[0] = input[step];
    for (int i = 0; i < n; ++i) b[i] += 5 * a[i];
  }
  check::equal("a", da.get(), a);
  check::equal("b", db.get(), b);
}

/// The same, but launches of the group write it, by another pointer to the same memory.
static void test_steps_of_written(check::Random& random) {
  const int n = 1021;
  std::vector<U> a = words(random, n), b = words(random, n), input = words(random, 2 * n + 7);
  check::Array<U> da(a), db(b), dinput(input);
  for (const int step : {0, n - 3, 1, n / 2, n - 1, 0}) {
    const int written = 2 * n;
    Hold hold;
    for (int turn = 0; turn < 3; ++turn) {
      scale<<<blocks(written, 64), 64>>>(dinput.data() + 7, 2 * turn + 3, written);
      driven<<<blocks(n, 64), 64>>>(da.data(), db.data(), dinput.data(), step + turn, n);
      add<<<blocks(n, 64), 64>>>(db.data(), da.data(), 5, n);
    }
    hold.go();
    for (int turn = 0; turn < 3; ++turn) {
      for (int i = 0; i < written; ++i) input[i + 7] *= 2 * turn + 3;
      for (int i = n - 1; i > 0; --i)
        a[i] = mix(a[i], b[i] + 3 * b[i - 1] + input[2 * (step + turn)]);
      a[0] = input[step + turn];
      for (int i = 0; i < n; ++i) b[i] += 5 * a[i];
    }
  }
  check::equal("a", da.get(), a);
  check::equal("b", db.get(), b);
  check::equal("input", dinput.get(), input);
}

/// Larger than caches: chained if that is faster (chain_counts.py), else one after the other.
static void test_large(check::Random& random) {
  const int nx = 509, ny = 521;
  const std::vector<U> a = words(random, nx * ny);
  check::Array<U> one(a), other(a), one_alone(a), other_alone(a);
  const dim3 block(32, 8), grid(blocks(nx, block.x), blocks(ny, block.y));
  const auto step = [&](int number, check::Array<U>& even, check::Array<U>& odd) {
    const bool is_odd = number % 2 != 0;
    stencil<<<grid, block>>>((is_odd ? odd : even).data(), (is_odd ? even : odd).data(), nx, ny);
  };
  const int steps = 12 * 40;
  for (int i = 0; i < steps; ++i) step(i, one, other);
  for (int i = 0; i < steps; ++i) {
    step(i, one_alone, other_alone);
    KERNEL_OK();
  }
  check::equal("large", one.get(), one_alone.get());
}

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(check::Random&)> cases = {
      {"double_buffer", test_double_buffer},
      {"periodic", test_periodic},
      {"in_place", test_in_place},
      {"pointwise", test_pointwise},
      {"rows_and_columns", test_rows_and_columns},
      {"data_dependent", test_data_dependent},
      {"variables", test_variables},
      {"moves", test_moves},
      {"interrupted", test_interrupted},
      {"memory_changes", test_memory_changes},
      {"host_looks_on", test_host_looks_on},
      {"beside", test_beside},
      {"waiting", test_waiting},
      {"again", test_again},
      {"steps", test_steps},
      {"steps_of_written", test_steps_of_written},
      {"large", test_large},
  };
  check::Random random(2026);
  check::Array<U> one(std::vector<U>(1, 0));
  scale<<<1, 1>>>(one.data(), 1, 1);  // loads the kernels: a GPU may wait for held streams to do so
  KERNEL_OK();
  for (const auto& [name, test] : cases)
    if (argc == 1 ? name != "large" : argv[1] == name) test(random);
  return check::finish();
}
