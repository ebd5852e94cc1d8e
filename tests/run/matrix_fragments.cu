// nvcuda::wmma: every shape and type of fragment, against products on the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Matrices | nvcuda::wmma fragments of half and bfloat16 (16x16x16, 32x8x16, 8x32x16), tf32, double, 8-bit, 4-bit and single-bit integers: load_matrix_sync, fill_fragment, mma_sync, bmma_sync, store_matrix_sync in rows and columns
// FEATURE: Matrices | fragment::x and num_elements: element-wise work on fragments, accumulators combined element by element
// FEATURE: Matrices | satf: integer sums saturate
#include "check.h"

#include <mma.h>

namespace wmma = nvcuda::wmma;
namespace packed = nvcuda::wmma::experimental::precision;

// How an element gets into memory, and what it is worth there.
template <class T>
struct Memory {
  using Stored = T;
  static T make(int n) { return T(n); }
  static double worth(T x) { return double(x); }
};
template <>
struct Memory<__half> {
  using Stored = __half;
  static __half make(int n) { return __float2half(float(n) / 4); }
  static double worth(__half x) { return __half2float(x); }
};
template <>
struct Memory<__nv_bfloat16> {
  using Stored = __nv_bfloat16;
  static __nv_bfloat16 make(int n) { return __float2bfloat16(float(n) / 2); }
  static double worth(__nv_bfloat16 x) { return __bfloat162float(x); }
};
template <>
struct Memory<wmma::precision::tf32> {
  using Stored = float;
  static float make(int n) { return float(n) / 8; }
  static double worth(float x) { return x; }
};

template <class T>
bool is_row_major = false;
template <>
bool is_row_major<wmma::row_major> = true;

// D = 2 (A B + C) + (A B + C'), where C' is C read in the other order: warp `w` of the grid works
// on matrices of its own.
template <int m, int n, int k, class T, class ALayout, class BLayout, class C, class D>
__global__ void multiply(const typename Memory<T>::Stored* a, unsigned a_pitch, unsigned a_size,
                         const typename Memory<T>::Stored* b, unsigned b_pitch, unsigned b_size,
                         const C* c, unsigned c_pitch, unsigned c_size, D* d,
                         wmma::layout_t layout) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  wmma::fragment<wmma::matrix_a, m, n, k, T, ALayout> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, BLayout> fb;
  wmma::fragment<wmma::accumulator, m, n, k, C> fc;
  wmma::fragment<wmma::accumulator, m, n, k, D> once, twice;
  wmma::load_matrix_sync(fa, a + warp * a_size, a_pitch);
  wmma::load_matrix_sync(fb, b + warp * b_size, b_pitch);
  wmma::load_matrix_sync(fc, c + warp * c_size, c_pitch, layout);
  wmma::mma_sync(once, fa, fb, fc);
  // The factor, doubled element by element, doubles the product.
  for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = fa.x[i] + fa.x[i];
  wmma::fill_fragment(fc, C(0.0f));
  wmma::mma_sync(twice, fa, fb, fc);
  for (int i = 0; i < once.num_elements; ++i) once.x[i] = once.x[i] + twice.x[i];
  wmma::store_matrix_sync(d + warp * c_size, once, c_pitch, layout);
}

template <int m, int n, int k, class T, class ALayout, class BLayout, class C, class D>
void run(const char* name, int range, wmma::layout_t layout) {
  using Stored = typename Memory<T>::Stored;
  const unsigned warps = 6;  // 3 blocks of 2
  check::Random random(m * 100 + n + k + layout);
  const bool a_rows = is_row_major<ALayout>, b_rows = is_row_major<BLayout>;
  const bool c_rows = layout == wmma::mem_row_major;
  const unsigned a_pitch = (a_rows ? k : m) + 16, b_pitch = (b_rows ? n : k) + 32;
  const unsigned c_pitch = (c_rows ? n : m) + 8;
  const unsigned a_size = a_pitch * (a_rows ? m : k), b_size = b_pitch * (b_rows ? k : n);
  const unsigned c_size = c_pitch * (c_rows ? m : n);
  auto some = [&](unsigned count) {
    std::vector<Stored> made(count);
    for (Stored& x : made) {
      const int low = std::is_unsigned_v<Stored> ? 0 : -range;
      x = Memory<T>::make(int(random.integer(low, range)));
    }
    return made;
  };
  const auto a = some(warps * a_size), b = some(warps * b_size);
  std::vector<C> c(warps * c_size);
  for (C& x : c) x = Memory<C>::make(int(random.integer(-range, range)));
  check::Array<Stored> da(a), db(b);
  check::Array<C> dc(c);
  check::Array<D> dd(warps * c_size);
  const auto before = dd.get();
  multiply<m, n, k, T, ALayout, BLayout, C, D><<<3, 64>>>(da.data(), a_pitch, a_size, db.data(),
                                                          b_pitch, b_size, dc.data(), c_pitch,
                                                          c_size, dd.data(), layout);
  auto want = std::vector<double>(warps * c_size), got = want;
  const auto result = dd.get();
  for (unsigned i = 0; i < want.size(); ++i) {  // the pitch's rest stays as it was
    const bool kept = std::memcmp(&result[i], &before[i], sizeof(D)) == 0;
    want[i] = 0;
    got[i] = kept ? 0 : 1;
  }
  for (unsigned w = 0; w < warps; ++w)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const unsigned at = w * c_size + (c_rows ? i * c_pitch + j : j * c_pitch + i);
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += Memory<T>::worth(a[w * a_size + (a_rows ? i * a_pitch + l : l * a_pitch + i)]) *
                 Memory<T>::worth(b[w * b_size + (b_rows ? l * b_pitch + j : j * b_pitch + l)]);
        want[at] = 3 * sum + Memory<C>::worth(c[at]);
        got[at] = Memory<D>::worth(result[at]);
      }
  check::equal(name, got, want);
}

template <int m, int n, int k, class T, class C, class D>
void all_layouts(const char* name, int range) {
  using R = wmma::row_major;
  using L = wmma::col_major;
  for (auto layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    run<m, n, k, T, R, R, C, D>(name, range, layout);
    run<m, n, k, T, R, L, C, D>(name, range, layout);
    run<m, n, k, T, L, R, C, D>(name, range, layout);
    run<m, n, k, T, L, L, C, D>(name, range, layout);
  }
}

template <int m, int n, int k>
void large_shape() {
  // Numbers small enough that every sum is exact.
  all_layouts<m, n, k, __half, float, float>("half, float sums", 60);
  all_layouts<m, n, k, __half, __half, __half>("half", 8);
  all_layouts<m, n, k, __half, __half, float>("half, half to float", 8);
  all_layouts<m, n, k, __half, float, __half>("half, float to half", 8);
  all_layouts<m, n, k, __nv_bfloat16, float, float>("bfloat16", 60);
  all_layouts<m, n, k, signed char, int, int>("signed char", 60);
  all_layouts<m, n, k, unsigned char, int, int>("unsigned char", 120);
}

// --- elements of less than a byte ----------------------------------------------------------------

template <class T, int bits, bool is_signed, int k>
__global__ void packed_product(const void* a, const void* b, const int* c, int* d, int mode) {
  wmma::fragment<wmma::matrix_a, 8, 8, k, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, k, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, k, int> fc;
  wmma::load_matrix_sync(fa, (const int*)nullptr + ((const int*)a - (const int*)nullptr), 2 * k);
  wmma::load_matrix_sync(fb, (const int*)b, k);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  if constexpr (bits == 1)
    wmma::bmma_sync(
        fc, fa, fb, fc,
        mode == 0 ? wmma::experimental::bmmaBitOpXOR : wmma::experimental::bmmaBitOpAND);
  else
    wmma::mma_sync(fc, fa, fb, fc, mode != 0);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}

template <class T, int bits, bool is_signed, int k>
void packed_shape(const char* name, int mode) {
  check::Random random(k + mode);
  const auto words = [&](int count) {
    std::vector<unsigned> made(count);
    for (unsigned& x : made) x = unsigned(random.bits() >> 20);
    return made;
  };
  const auto a = words(8 * 2 * k * bits / 32), b = words(8 * k * bits / 32);
  auto c = random.integers<int>(64, -1000, 1000);
  if (mode != 0 && bits > 1) {
    c[3] = 0x7fffffff;
    c[9] = -0x7fffffff - 1;
    c[20] = 0x7ffffff0;
  }
  check::Array<unsigned> da(a), db(b);
  check::Array<int> dc(c), dd(64);
  packed_product<T, bits, is_signed, k>
      <<<1, 32>>>(da.data(), db.data(), dc.data(), dd.data(), mode);
  auto element = [](const std::vector<unsigned>& words, int index) {
    const unsigned raw = words[index * bits / 32] >> (index * bits % 32) & ((1u << bits) - 1);
    return is_signed && (raw >> (bits - 1)) ? int(raw) - (1 << bits) : int(raw);
  };
  std::vector<int> want(64);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      long long sum = c[8 * i + j];
      for (int l = 0; l < k; ++l) {
        const int x = element(a, i * 2 * k + l), y = element(b, j * k + l);
        sum += bits > 1 ? x * y : mode == 0 ? x ^ y : x & y;
      }
      if (mode != 0 && bits > 1) sum = std::max(std::min(sum, 0x7fffffffLL), -0x80000000LL);
      want[8 * j + i] = int(sum);
    }
  check::equal(name, dd.get(), want);
}

// --- accuracy and saturation ---------------------------------------------------------------------

__global__ void real_products(const __half* a, const __half* b, float* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(fc, 0.0f);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}

void reals() {
  check::Random random(77);
  std::vector<__half> a(256), b(256);
  for (auto& x : a) x = __float2half(float(random.real(-3, 3)));
  for (auto& x : b) x = __float2half(float(random.real(-3, 3)));
  a[5] = __float2half(6e-8f);  // subnormal
  check::Array<__half> da(a), db(b);
  check::Array<float> dd(256);
  real_products<<<1, 32>>>(da.data(), db.data(), dd.data());
  std::vector<float> want(256);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      double sum = 0;
      for (int l = 0; l < 16; ++l)
        sum += double(__half2float(a[16 * i + l])) * double(__half2float(b[16 * j + l]));
      want[16 * i + j] = float(sum);
    }
  check::near("real numbers", dd.get(), want, 1e-5, 16.0);
  a[0] = __float2half(INFINITY);
  a[16] = __float2half(NAN);
  for (int l = 0; l < 16; ++l) b[l] = __float2half(1);
  check::Array<__half> ea(a), eb(b);
  check::Array<float> special(256);
  real_products<<<1, 32>>>(ea.data(), eb.data(), special.data());
  const auto got = special.get();
  CHECK(std::isinf(got[0]) && got[0] > 0);
  CHECK(std::isnan(got[16]));
}

__global__ void to_tf32(const float* in, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = wmma::__float_to_tf32(in[i]);
}

void rounding_to_tf32() {
  check::Random random(5);
  auto in = random.reals<float>(300, -100, 100);
  in[0] = 1.0f + 0x1p-11f;  // a tie: away from zero
  in[1] = -in[0];
  check::Array<float> din(in), dout(300);
  to_tf32<<<1, 64>>>(din.data(), dout.data(), 300);
  std::vector<float> want(300);
  for (int i = 0; i < 300; ++i) {
    int exponent;
    const double fraction = std::frexp(double(in[i]), &exponent);
    want[i] = float(std::ldexp(std::round(std::ldexp(fraction, 11)), exponent - 11));
  }
  check::equal("__float_to_tf32", dout.get(), want);
}

int main() {
  static_assert(wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>::num_elements ==
                16);
  static_assert(wmma::fragment<wmma::accumulator, 16, 16, 16, __half>::num_elements == 8);
  static_assert(
      wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::row_major>::num_elements == 4);
  large_shape<16, 16, 16>();
  large_shape<32, 8, 16>();
  large_shape<8, 32, 16>();
  all_layouts<16, 16, 8, wmma::precision::tf32, float, float>("tf32", 60);
  run<8, 8, 4, double, wmma::row_major, wmma::col_major, double, double>("double", 1 << 20,
                                                                         wmma::mem_row_major);
  run<8, 8, 4, double, wmma::col_major, wmma::row_major, double, double>("double", 1 << 20,
                                                                         wmma::mem_col_major);
  for (int mode : {0, 1}) {
    packed_shape<packed::s4, 4, true, 32>("signed 4 bits", mode);
    packed_shape<packed::u4, 4, false, 32>("unsigned 4 bits", mode);
    packed_shape<packed::b1, 1, false, 128>("bits", mode);
  }
  reals();
  rounding_to_tf32();
  return check::finish();
}
