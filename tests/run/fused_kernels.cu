// Launches that follow one another, of which one kernel may be made: memory must end up as if each
// launch had run after the one before it. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | launches that follow one another may run as one kernel, with the same results
//
// The stream is held until all launches of a case are queued (tests/run/kernel_counts.py asks how
// many were made one kernel, and why others were not). References are exact: unsigned arithmetic,
// or single roundings.
#include "check.h"
#include "hold.h"

#include <cuda_fp16.h>

#include <cstdlib>
#include <cstring>
#include <map>

using U = unsigned;

__host__ __device__ static U mix(U a, U b) { return a * 1664525u + b * 1013904223u + 12345u; }

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void scale(U* y, const U* x, U a, int n) {
  const int i = INDEX;
  if (i < n) y[i] = a * x[i] + 1;
}
__global__ void add(U* z, const U* x, const U* y, int n) {
  const int i = INDEX;
  if (i < n) z[i] = mix(x[i], y[i]);
}
__global__ void early(U* y, const U* x, int n) {
  const int i = INDEX;
  if (i >= n) return;
  if (x[i] % 4 == 3) return;
  y[i] += x[i];
}
__global__ void odd_only(U* y, const U* x, int n) {
  const int i = INDEX;
  if (i < n && x[i] % 2) y[i] = x[i] / 2;
}
__global__ void in_strides(U* y, const U* x, U a, int n) {
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) y[i] = mix(x[i], a + i);
}
__global__ void smooth(U* y, const U* x, int n) {
  const int i = INDEX;
  if (i > 0 && i < n - 1) y[i] = mix(x[i - 1], x[i + 1]);
}
__global__ void turned(U* y, const U* x, int n) {  // within a block
  const int first = blockIdx.x * blockDim.x, i = first + blockDim.x - 1 - threadIdx.x;
  if (i < n) y[i] = x[i] + 3;
}
__global__ void plane(U* y, const U* x, U a, int nx, int ny) {
  const int i = INDEX, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) y[j * nx + i] = mix(x[j * nx + i], a);
}
/// Its sums are in the order of the rows: a loop, and more than one store of a thread.
__global__ void rows(U* y, const U* x, int nx, int ny) {
  const int j = INDEX;
  if (j >= ny) return;
  for (int i = 0; i < nx; ++i) y[j * nx + i] = mix(x[j * nx + i], i);
}

__device__ U offset = 5;
__constant__ U factors[2] = {3, 11};
__global__ void with_variables(U* y, const U* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = factors[i % 2] * x[i] + offset;
}

struct Vector {
  U* words;
  int n;
};
__global__ void scale_vector(Vector y, Vector x, U a) {
  const int i = INDEX;
  if (i < x.n) y.words[i] = a * x.words[i] + 1;
}

__global__ void masked(U* y, const U* x, const U* mask, int n) {
  const int i = INDEX;
  if (i < n) y[i] = mask ? 3 * x[i] : x[i] + 7;
}
struct Sizes {
  int n, factor;
};
__global__ void scale_sized(U* y, const U* x, Sizes sizes) {
  const int i = INDEX;
  if (i < sizes.n) y[i] = x[i] * sizes.factor;
}
/// `at` moves reads only.
__global__ void pick(U* y, const U* x, const U* table, int at, int n) {
  const int i = INDEX;
  if (i < n) y[i] = mix(x[i], table[at]);
}
/// Its pointer leads elsewhere than its array lies.
__global__ void shifted(U* y, const U* x, int distance, int n) {
  const int i = INDEX;
  if (i < n && i < distance) y[i - distance] = 3 * x[i] + 2;
}

// Other types of the same memory, and roundings.
__global__ void as_float(float* y, const U* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = static_cast<float>(x[i] % 1000) / 3;
}
__global__ void bits_of(U* y, const U* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = x[i] ^ (x[i] >> 7);
}
__global__ void narrow(unsigned char* y, const U* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = static_cast<unsigned char>(x[i]);
}
__global__ void widen(U* y, const unsigned char* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = x[i] * 3u;
}
__global__ void to_half(__half* y, const float* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = __float2half(x[i]);
}
__global__ void from_half(float* y, const __half* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = __half2float(x[i]);
}
__global__ void product(float* y, const float* a, const float* b, int n) {
  const int i = INDEX;
  if (i < n) y[i] = a[i] * b[i];
}
__global__ void sum(float* y, const float* a, const float* b, int n) {
  const int i = INDEX;
  if (i < n) y[i] = a[i] + b[i];
}
__global__ void wave(float* y, const float* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = sinf(x[i]) + expf(-x[i]);
}

__global__ void constant(float* y, int n) {
  const int i = INDEX;
  if (i < n) y[i] = 1.13f;
}
__global__ void less(float* y, const float* x, int n) {
  const int i = INDEX;
  if (i < n) y[i] = y[i] - 0.37f * x[i];
}

// --- the host's side

static int blocks(int n, int block) { return (n + block - 1) / block; }
static std::vector<U> words(check::Random& random, std::size_t n) {
  return random.integers<U>(n, 0, 0x7fffffff);
}
static const std::vector<int> sizes = {1, 2, 63, 64, 65, 127, 128, 10007};

/// Chains of launches whose intermediate array is read once, twice, or kept.
static void test_pointwise(check::Random& random) {
  for (const int n : sizes) {
    const std::vector<U> x = words(random, n), y = words(random, n);
    check::Array<U> one(x), other(y), t(std::vector<U>(n, 7)), z(std::vector<U>(n, 9));
    const int grid = blocks(n, 64);
    Hold hold;
    scale<<<grid, 64>>>(t.data(), one.data(), 3, n);
    add<<<grid, 64>>>(z.data(), t.data(), other.data(), n);
    early<<<grid, 64>>>(z.data(), t.data(), n);
    hold.go();
    std::vector<U> want_t(n), want_z(n);
    for (int i = 0; i < n; ++i) {
      want_t[i] = 3 * x[i] + 1;
      want_z[i] = mix(want_t[i], y[i]) + (want_t[i] % 4 == 3 ? 0 : want_t[i]);
    }
    check::equal("pointwise, t", t.get(), want_t);
    check::equal("pointwise, z", z.get(), want_z);
  }
}

/// t of each turn is written again in the next one before anything reads it; the last one stays.
static void test_dead(check::Random& random) {
  for (const int n : sizes) {
    std::vector<U> x = words(random, n), t(n, 7);
    check::Array<U> a(x), b(t);
    const int grid = blocks(n, 64);
    Hold hold;
    for (U turn = 0; turn < 4; ++turn) {
      scale<<<grid, 64>>>(b.data(), a.data(), turn + 3, n);
      add<<<grid, 64>>>(a.data(), a.data(), b.data(), n);
    }
    hold.go();
    for (U turn = 0; turn < 4; ++turn)
      for (int i = 0; i < n; ++i) {
        t[i] = (turn + 3) * x[i] + 1;
        x[i] = mix(x[i], t[i]);
      }
    check::equal("dead, a", a.get(), x);
    check::equal("dead, b", b.get(), t);
  }
}

/// Almost overwritten: all but the last element, or under a condition. What it hands on is read
/// again later, so it has to be written.
static void test_not_dead(check::Random& random) {
  for (const int n : {65, 10007}) {
    std::vector<U> x = words(random, n), t(n, 7), z(n, 1);
    check::Array<U> a(x), b(t), c(z);
    const int grid = blocks(n, 64);
    Hold hold;
    scale<<<grid, 64>>>(b.data(), a.data(), 5, n);
    add<<<grid, 64>>>(c.data(), a.data(), b.data(), n);
    scale<<<grid, 64>>>(b.data(), a.data(), 7, n - 1);
    odd_only<<<grid, 64>>>(b.data(), c.data(), n);
    hold.go();
    for (int i = 0; i < n; ++i) {
      t[i] = 5 * x[i] + 1;
      z[i] = mix(x[i], t[i]);
      if (i < n - 1) t[i] = 7 * x[i] + 1;
      if (z[i] % 2) t[i] = z[i] / 2;
    }
    check::equal("not dead, b", b.get(), t);
    check::equal("not dead, c", c.get(), z);
  }
}

/// The same kernels with other pairs of equal arguments: out of place, in place, all in one array.
static void test_aliases(check::Random& random) {
  const int n = 1031, grid = blocks(n, 64);
  for (int kind = 0; kind < 4; ++kind) {
    std::vector<std::vector<U>> host;
    for (int i = 0; i < 3; ++i) host.push_back(words(random, n));
    check::Array<U> a(host[0]), b(host[1]), c(host[2]);
    U* const device[] = {a.data(), b.data(), c.data()};
    const int t = kind == 0   ? 1
                  : kind == 1 ? 0
                  : kind == 2 ? 1
                              : 0,
              z = kind == 0   ? 2
                  : kind == 1 ? 2
                              : 0;
    Hold hold;
    scale<<<grid, 64>>>(device[t], device[0], 3, n);
    add<<<grid, 64>>>(device[z], device[t], device[0], n);
    hold.go();
    for (int i = 0; i < n; ++i) {
      host[t][i] = 3 * host[0][i] + 1;
      host[z][i] = mix(host[t][i], host[0][i]);
    }
    check::equal("aliases, a", a.get(), host[0]);
    check::equal("aliases, b", b.get(), host[1]);
    check::equal("aliases, c", c.get(), host[2]);
  }
}

/// Parts of one allocation: apart, and with elements in common, also within one block.
static void overlap(int n, check::Random& random) {
  const int grid = blocks(n, 64);
  for (const int distance : {n, 1, n / 2}) {
    std::vector<U> x = words(random, 3 * n), z(n, 3);
    check::Array<U> all(x), out(z);
    Hold hold;
    scale<<<grid, 64>>>(all.data() + distance, all.data() + 2 * n, 3, n);
    add<<<grid, 64>>>(out.data(), all.data(), all.data() + distance, n);
    hold.go();
    std::vector<U> want = x;
    for (int i = 0; i < n; ++i) want[distance + i] = 3 * x[2 * n + i] + 1;
    for (int i = 0; i < n; ++i) z[i] = mix(want[i], want[distance + i]);
    check::equal("overlaps, all", all.get(), want);
    check::equal("overlaps, out", out.get(), z);
  }
}
static void test_overlaps(check::Random& random) {
  overlap(1000, random);
  overlap(50, random);
}

/// The producer leaves out an element that the consumer reads, or writes under a condition.
static void test_not_covered(check::Random& random) {
  const int n = 1031, grid = blocks(n, 64);
  const std::vector<U> x = words(random, n);
  std::vector<U> t = words(random, n), z(n, 3);
  check::Array<U> a(x), b(t), c(z);
  Hold hold;
  scale<<<grid, 64>>>(b.data(), a.data(), 3, n - 1);
  add<<<grid, 64>>>(c.data(), a.data(), b.data(), n);
  odd_only<<<grid, 64>>>(b.data(), c.data(), n);
  add<<<grid, 64>>>(c.data(), c.data(), b.data(), n);
  hold.go();
  for (int i = 0; i < n; ++i) {
    if (i < n - 1) t[i] = 3 * x[i] + 1;
    z[i] = mix(x[i], t[i]);
    if (z[i] % 2) t[i] = z[i] / 2;
    z[i] = mix(z[i], t[i]);
  }
  check::equal("not covered, b", b.get(), t);
  check::equal("not covered, c", c.get(), z);
}

/// What may not be one kernel: neighbours' elements, threads that change places.
static void test_neighbours(check::Random& random) {
  const int n = 1031, grid = blocks(n, 64);
  const std::vector<U> x = words(random, n);
  std::vector<U> t(n), z(n, 3);
  check::Array<U> a(x), b(std::vector<U>(n, 5)), c(z);
  {
    Hold hold;
    scale<<<grid, 64>>>(b.data(), a.data(), 3, n);
    smooth<<<grid, 64>>>(c.data(), b.data(), n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) t[i] = 3 * x[i] + 1;
  for (int i = 1; i < n - 1; ++i) z[i] = mix(t[i - 1], t[i + 1]);
  check::equal("neighbours", c.get(), z);
  {
    Hold hold;
    scale<<<grid, 64>>>(b.data(), a.data(), 5, n);
    turned<<<grid, 64>>>(c.data(), b.data(), n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) z[i] = 5 * x[i] + 1 + 3;
  check::equal("threads in another order", c.get(), z);
}

/// Shapes: strides, planes, loops; other grids; threads along an axis that nobody asks for.
static void test_shapes(check::Random& random) {
  const int nx = 37, ny = 29, n = nx * ny;
  std::vector<U> x = words(random, n), y(n, 2), z(n, 3);
  check::Array<U> a(x), b(y), c(z);
  {
    Hold hold;
    in_strides<<<3, 64>>>(b.data(), a.data(), 3, n);
    in_strides<<<3, 64>>>(c.data(), b.data(), 4, n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) z[i] = mix(y[i] = mix(x[i], 3 + i), 4 + i);
  check::equal("strides", c.get(), z);
  {
    const dim3 grid(blocks(nx, 16), blocks(ny, 4)), block(16, 4);
    Hold hold;
    plane<<<grid, block>>>(b.data(), c.data(), 9, nx, ny);
    plane<<<grid, block>>>(a.data(), b.data(), 9, nx, ny);
    hold.go();
  }
  for (int i = 0; i < n; ++i) x[i] = mix(y[i] = mix(z[i], 9), 9);
  check::equal("planes", a.get(), x);
  {
    Hold hold;
    rows<<<2, 16>>>(b.data(), a.data(), nx, ny);
    rows<<<2, 16>>>(c.data(), b.data(), nx, ny);
    hold.go();
  }
  for (int i = 0; i < n; ++i) z[i] = mix(y[i] = mix(x[i], i % nx), i % nx);
  check::equal("rows", c.get(), z);
  {
    Hold hold;
    scale<<<blocks(n, 64), 64>>>(b.data(), a.data(), 3, n);
    scale<<<blocks(n, 32), 32>>>(c.data(), b.data(), 3, n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) z[i] = 3 * (y[i] = 3 * x[i] + 1) + 1;
  check::equal("other grids", c.get(), z);
  {
    // Four threads do the same: one's second part comes before another's first one.
    Hold hold;
    scale<<<blocks(n, 16), dim3(16, 4)>>>(b.data(), a.data(), 3, n);
    scale<<<blocks(n, 16), dim3(16, 4)>>>(a.data(), b.data(), 3, n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) x[i] = 3 * (3 * x[i] + 1) + 1;
  check::equal("threads that do the same", a.get(), x);
}

static void test_arguments(check::Random& random) {
  const int n = 513, grid = blocks(n, 64);
  const std::vector<U> x = words(random, n);
  std::vector<U> z(n);
  check::Array<U> a(x), b(std::vector<U>(n, 5)), c(std::vector<U>(n, 6));
  {
    Hold hold;
    with_variables<<<grid, 64>>>(b.data(), a.data(), n);
    with_variables<<<grid, 64>>>(c.data(), b.data(), n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) {
    const U factor = i % 2 ? 11 : 3;
    z[i] = factor * (factor * x[i] + 5) + 5;
  }
  check::equal("variables", c.get(), z);
  {
    // Pointers in structs are values of their own, so arrays may be the same by other names.
    Hold hold;
    scale_vector<<<grid, 64>>>(Vector{b.data(), n}, Vector{a.data(), n}, 3);
    scale_vector<<<grid, 64>>>(Vector{c.data(), n}, Vector{b.data(), n}, 3);
    hold.go();
  }
  for (int i = 0; i < n; ++i) z[i] = 3 * (3 * x[i] + 1) + 1;
  check::equal("structs", c.get(), z);
}

/// Arguments that the model does not ask for are equal at first, and then not.
static void test_equal_by_chance(check::Random& random) {
  const int n = 1031, grid = blocks(n, 64);
  const std::vector<U> x = words(random, n);
  std::vector<U> z(n);
  check::Array<U> a(x), b(std::vector<U>(n, 5)), c(std::vector<U>(n, 6)), d(x);
  for (int masks = 0; masks < 4; ++masks) {
    const bool first = masks & 1, second = masks & 2;
    Hold hold;
    masked<<<grid, 64>>>(b.data(), a.data(), first ? d.data() : nullptr, n);
    masked<<<grid, 64>>>(c.data(), b.data(), second ? d.data() : nullptr, n);
    hold.go();
    for (int i = 0; i < n; ++i) {
      const U t = first ? 3 * x[i] : x[i] + 7;
      z[i] = second ? 3 * t : t + 7;
    }
    check::equal("masks", c.get(), z);
  }
  for (const int factor : {3, 9}) {
    Hold hold;
    scale_sized<<<grid, 64>>>(b.data(), a.data(), Sizes{n, 3});
    scale_sized<<<grid, 64>>>(c.data(), b.data(), Sizes{n, factor});
    hold.go();
    for (int i = 0; i < n; ++i) z[i] = 3 * x[i] * factor;
    check::equal("sizes", c.get(), z);
  }
}

/// Numbers that only move reads: equal at first, to each other and to a size.
static void test_movers(check::Random& random) {
  const int n = 40'009, grid = blocks(n, 64);
  const std::vector<U> x = words(random, n), table = words(random, n + 1);
  std::vector<U> t(n), z(n);
  check::Array<U> a(x), b(std::vector<U>(n, 5)), c(std::vector<U>(n, 6)), d(table);
  for (const auto& [first, second] : {std::pair{n, n}, {3, 3}, {3, 9}, {9, n}, {0, 1}}) {
    Hold hold;
    pick<<<grid, 64>>>(b.data(), a.data(), d.data(), first, n);
    pick<<<grid, 64>>>(c.data(), b.data(), d.data(), second, n);
    hold.go();
    for (int i = 0; i < n; ++i) {
      t[i] = mix(x[i], table[first]);
      z[i] = mix(t[i], table[second]);
    }
    check::equal("picked once", b.get(), t);
    check::equal("picked twice", c.get(), z);
  }
}

/// What is dead lies where the pointer leads, what lives lies where its array is.
static void test_beside(check::Random& random) {
  const int n = 4096;
  const std::vector<U> x = words(random, n), y = words(random, n);
  std::vector<U> want(n);
  check::Array<U> a(x), b(std::vector<U>(n, 5)), c(std::vector<U>(n, 6)), d(y);
  U *low = b.data(), *high = c.data();
  if (low > high) std::swap(low, high);
  const std::ptrdiff_t distance = high - low;
  if (distance > 2 * n) return;  // only what lies beside it shows it
  Hold hold;
  shifted<<<n / 64, 64>>>(high, a.data(), static_cast<int>(distance), n);
  scale<<<n / 64, 64>>>(high, a.data(), 1, n);
  scale<<<n / 128, 128>>>(high, d.data(), 1, n);
  hold.go();
  for (int i = 0; i < n; ++i) want[i] = 3 * x[i] + 2;
  check::equal("beside, low", low == b.data() ? b.get() : c.get(), want);
  for (int i = 0; i < n; ++i) want[i] = y[i] + 1;
  check::equal("beside, high", low == b.data() ? c.get() : b.get(), want);
}

/// Memory of other types: what is handed on is rounded, cut off and taken as other bits.
static void test_types(check::Random& random) {
  const int n = 777, grid = blocks(n, 64);
  const std::vector<U> x = words(random, n);
  std::vector<U> z(n);
  std::vector<float> f(n), g(n);
  check::Array<U> a(x), b(std::vector<U>(n, 5)), c(std::vector<U>(n, 6));
  check::Array<unsigned char> bytes(std::vector<unsigned char>(n, 1));
  check::Array<float> r(std::vector<float>(n, 1)), s(std::vector<float>(n, 2));
  check::Array<__half> h(n);
  {
    Hold hold;
    as_float<<<grid, 64>>>(reinterpret_cast<float*>(b.data()), a.data(), n);
    bits_of<<<grid, 64>>>(c.data(), b.data(), n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) {
    f[i] = static_cast<float>(x[i] % 1000) / 3;
    U bits;
    std::memcpy(&bits, &f[i], sizeof bits);
    z[i] = bits ^ (bits >> 7);
  }
  check::equal("bits", c.get(), z);
  {
    Hold hold;
    narrow<<<grid, 64>>>(bytes.data(), a.data(), n);
    widen<<<grid, 64>>>(c.data(), bytes.data(), n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) z[i] = (x[i] & 0xff) * 3;
  check::equal("bytes", c.get(), z);
  {
    Hold hold;
    as_float<<<grid, 64>>>(r.data(), a.data(), n);
    to_half<<<grid, 64>>>(h.data(), r.data(), n);
    from_half<<<grid, 64>>>(s.data(), h.data(), n);
    hold.go();
  }
  for (int i = 0; i < n; ++i) g[i] = __half2float(__float2half(f[i]));
  check::equal("half", s.get(), g);
}

/// A product and then a sum are two roundings, also where one kernel does both.
static void test_roundings(check::Random& random) {
  const int n = 4099, grid = blocks(n, 64);
  const std::vector<float> x = random.reals<float>(n, -3, 3), y = random.reals<float>(n, -3, 3);
  std::vector<float> t(n), z(n);
  check::Array<float> a(x), b(y), c(std::vector<float>(n, 5)), d(std::vector<float>(n, 6));
  Hold hold;
  product<<<grid, 64>>>(c.data(), a.data(), b.data(), n);
  sum<<<grid, 64>>>(d.data(), c.data(), b.data(), n);
  wave<<<grid, 64>>>(c.data(), d.data(), n);
  hold.go();
  for (int i = 0; i < n; ++i) {
    const volatile float rounded = x[i] * y[i];
    z[i] = rounded + y[i];
    t[i] = std::sin(z[i]) + std::exp(-z[i]);
  }
  check::equal("roundings", d.get(), z);
  check::near("waves", c.get(), t, 1e-5);
}

/// Of a product that the compiler can compute no sum is made otherwise than of one that it cannot.
static void test_constants(check::Random& random) {
  const int n = 4099, grid = blocks(n, 64);
  const std::vector<float> y = random.reals<float>(n, -3, 3);
  check::Array<float> a(std::vector<float>(n, 7)), b(y), known(std::vector<float>(n, 1.13f)), c(y);
  less<<<grid, 64>>>(c.data(), known.data(), n);
  KERNEL_OK();
  Hold hold;
  constant<<<grid, 64>>>(a.data(), n);
  less<<<grid, 64>>>(b.data(), a.data(), n);
  hold.go();
  check::equal("constants", b.get(), c.get());
}

static unsigned turns = 12;
static int elements = 40'009;

/// So many threads, and so often (if asked for by name), that launches are made one kernel by
/// default if one is there.
static void test_again(check::Random& random) {
  const int n = elements, grid = blocks(n, 256);
  std::vector<U> x = words(random, n), t(n, 7);
  check::Array<U> a(x), b(t);
  for (U turn = 0; turn < turns; ++turn) {
    Hold hold;
    scale<<<grid, 256>>>(b.data(), a.data(), turn, n);
    add<<<grid, 256>>>(a.data(), a.data(), b.data(), n);
    hold.go();
    // Plans are made beside the launches, which are short here.
    if (turn % 50 == 49) std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  for (U turn = 0; turn < turns; ++turn)
    for (int i = 0; i < n; ++i) {
      t[i] = turn * x[i] + 1;
      x[i] = mix(x[i], t[i]);
    }
  check::equal("again, a", a.get(), x);
  check::equal("again, b", b.get(), t);
}

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(check::Random&)> cases = {
      {"pointwise", test_pointwise},   {"dead", test_dead},
      {"not_dead", test_not_dead},     {"aliases", test_aliases},
      {"overlaps", test_overlaps},     {"not_covered", test_not_covered},
      {"neighbours", test_neighbours}, {"shapes", test_shapes},
      {"arguments", test_arguments},   {"types", test_types},
      {"roundings", test_roundings},   {"again", test_again},
      {"beside", test_beside},         {"equal_by_chance", test_equal_by_chance},
      {"constants", test_constants},   {"movers", test_movers},
  };
  check::Random random(2026);
  check::Array<U> one(std::vector<U>(1, 0));
  scale<<<1, 1>>>(one.data(), one.data(), 1, 1);  // loads the kernels
  KERNEL_OK();
  if (argc > 1) turns = 500;
  if (argc > 2) elements = std::atoi(argv[2]);
  for (const auto& [name, test] : cases)
    if (argc == 1 || argv[1] == name) test(random);
  return check::finish();
}
