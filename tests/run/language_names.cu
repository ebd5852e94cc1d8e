// Words of the language that few programs use: attributes of functions, names of CUDA 1 to 4, and
// of CUDA 13.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_100
// FEATURE: Language | attributes `__nv_pure__`, `__maxnreg__`, `__cluster_dims__` of one block; clusters' intrinsics (a cluster is one block)
// FEATURE: Built-in functions | names of CUDA 1 to 4 (`dmul`, `double2int` with `cudaRoundMode`, `any`, `ballot`, `syncthreads_count`, ...), `__nv_bswap16` and kin
// FEATURE: Arithmetic | pairs of floats (sm_100): `__ffma2_rn`, `__fadd2_rz`, ...; vector types `double4_16a`, `double4_32a`, ...
// FEATURE: Memory | `__grid_constant__` parameters' addresses (`__cvta_generic_to_grid_constant`)
#include "check.h"

#include <cfenv>
#include <cstddef>

// ---- attributes, wherever nvcc takes them
__device__ __forceinline__ __nv_pure__ int after(int x) { return x + 1; }
__host__ __device__ int twice(int x) __nv_pure__;
__host__ __device__ int twice(int x) { return 2 * x; }
__nv_pure__ __host__ __device__ inline long square(long x) { return x * x; }
struct Scaled {
  int by;
  __device__ __nv_pure__ int times(int x) const { return by * x; }
};
__global__ void __maxnreg__(32) limited(int* out) {
  const int i = check::global_index();
  out[i] = after(twice(i)) + static_cast<int>(square(i)) + Scaled{3}.times(i);
}
template <int n>
__global__ void __maxnreg__(n) limited_template(int* out) {
  out[check::global_index()] = n;
}
__global__ void __cluster_dims__(1, 1, 1) __launch_bounds__(128) alone(int* out) {
  out[check::global_index()] = static_cast<int>(__clusterSizeInBlocks());
}
__global__ __cluster_dims__(1) void alone_too(int* out) { out[check::global_index()] = 5; }
__inline_hint__ __host__ __device__ int hinted(int x) { return x - 1; }

__NV_SILENCE_DEPRECATION_BEGIN
__device__ __host__ double sum_of(const double4& v) { return v.x + v.y + v.z + v.w; }
__NV_SILENCE_DEPRECATION_END

// ---- clusters
__global__ void clusters(unsigned* out) {
  __shared__ unsigned cell;
  if (threadIdx.x == 0) cell = 100 + blockIdx.x;
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  const unsigned* mapped = static_cast<unsigned*>(__cluster_map_shared_rank(&cell, 0));
  __threadfence_cluster();
  const dim3 size = __clusterDim(), at = __clusterIdx(), of = __clusterGridDimInClusters();
  const dim3 within = __clusterRelativeBlockIdx();
  unsigned* mine = out + 8 * check::global_index();
  mine[0] = *mapped;
  mine[1] = __clusterDimIsSpecified() + __cluster_query_shared_rank(&cell);
  mine[2] = size.x * size.y * size.z * __clusterSizeInBlocks();
  mine[3] = at.x;
  mine[4] = of.x * of.y * of.z;
  mine[5] = within.x + within.y + within.z + __clusterRelativeBlockRank();
  mine[6] = __isCtaShared(&cell);
  mine[7] = __isCtaShared(out);
}

// ---- rounding by an argument
struct Rounded {
  double product[5], sum[5], difference[5], of_ll[5], of_ull[5];
  int to_int[5];
  unsigned to_uint[5];
  long long to_ll[5];
  unsigned long long to_ull[5];
  double exact[3];
};
__device__ void in_mode(int k, cudaRoundMode mode, double a, double b, long long l, Rounded& out) {
  out.product[k] = dmul(a, b, mode);
  out.sum[k] = dadd(a, b, mode);
  out.difference[k] = dsub(a, b, mode);
  out.of_ll[k] = ll2double(l, mode);
  out.of_ull[k] = ull2double(static_cast<unsigned long long>(l), mode);
  out.to_int[k] = double2int(a, mode);
  out.to_uint[k] = double2uint(b, mode);
  out.to_ll[k] = double2ll(a, mode);
  out.to_ull[k] = double2ull(b, mode);
}
__global__ void rounding(const double* a, const double* b, const long long* l, Rounded* out,
                         int n) {
  const int i = check::global_index();
  if (i >= n) return;
  in_mode(0, cudaRoundNearest, a[i], b[i], l[i], out[i]);
  in_mode(1, cudaRoundZero, a[i], b[i], l[i], out[i]);
  in_mode(2, cudaRoundPosInf, a[i], b[i], l[i], out[i]);
  in_mode(3, cudaRoundMinInf, a[i], b[i], l[i], out[i]);
  Rounded& r = out[i];
  r.product[4] = dmul(a[i], b[i]), r.sum[4] = dadd(a[i], b[i]), r.difference[4] = dsub(a[i], b[i]);
  r.of_ll[4] = ll2double(l[i]), r.of_ull[4] = ull2double(static_cast<unsigned long long>(l[i]));
  r.to_int[4] = double2int(a[i]), r.to_uint[4] = double2uint(b[i]);
  r.to_ll[4] = double2ll(a[i]), r.to_ull[4] = double2ull(b[i]);
  r.exact[0] = int2double(static_cast<int>(l[i]), cudaRoundZero);
  r.exact[1] = uint2double(static_cast<unsigned>(l[i]));
  r.exact[2] = float2double(static_cast<float>(a[i]), cudaRoundPosInf);
}
void test_rounding() {
  std::vector<double> a, b;
  std::vector<long long> l;
  for (int i = 0; i < 307; ++i) {
    a.push_back((i - 150) * 1.1 + 1.0 / 3);
    b.push_back(std::fabs(a.back()) * 0.7 + 0.1);
    l.push_back((1ll << 62) + 1000003ll * i * i + i);
  }
  const int n = static_cast<int>(a.size());
  check::Array<double> da(a), db(b);
  check::Array<long long> dl(l);
  check::Array<Rounded> out(n);
  rounding<<<5, 63>>>(da.data(), db.data(), dl.data(), out.data(), n);
  const std::vector<Rounded> got = out.get();
  const int modes[5] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD, FE_TONEAREST};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 5; ++k) {
      const Rounded& r = got[i];
      volatile double x = a[i], y = b[i];
      volatile long long whole = l[i];
      volatile unsigned long long positive = static_cast<unsigned long long>(l[i]);
      std::fesetround(modes[k]);
      const double product = x * y, sum = x + y, difference = x - y;
      const double of_ll = static_cast<double>(whole), of_ull = static_cast<double>(positive);
      std::fesetround(k == 4 ? FE_TOWARDZERO : modes[k]);
      const double to_whole = std::nearbyint(x), to_positive = std::nearbyint(y);
      std::fesetround(FE_TONEAREST);
      CHECK_EQ(r.product[k], product);
      CHECK_EQ(r.sum[k], sum);
      CHECK_EQ(r.difference[k], difference);
      CHECK_EQ(r.of_ll[k], of_ll);
      CHECK_EQ(r.of_ull[k], of_ull);
      CHECK_EQ(r.to_int[k], static_cast<int>(to_whole));
      CHECK_EQ(r.to_ll[k], static_cast<long long>(to_whole));
      CHECK_EQ(r.to_uint[k], static_cast<unsigned>(to_positive));
      CHECK_EQ(r.to_ull[k], static_cast<unsigned long long>(to_positive));
      CHECK_EQ(r.exact[0], static_cast<double>(static_cast<int>(l[i])));
      CHECK_EQ(r.exact[1], static_cast<double>(static_cast<unsigned>(l[i])));
      CHECK_EQ(r.exact[2], static_cast<double>(static_cast<float>(a[i])));
    }
}

// ---- votes of a warp and of a block
__global__ void votes(int* out) {
  const int t = threadIdx.x;
  int* mine = out + 6 * check::global_index();
  mine[0] = any(t % 32 == 7);
  mine[1] = all(t >= 0);
  mine[2] = static_cast<int>(ballot(t % 3 == 0));
  mine[3] = syncthreads_count(t % 5 == 0);
  mine[4] = syncthreads_and(t < 1000);
  mine[5] = syncthreads_or(t == 5000);
}
void test_votes() {
  const int threads = 96;
  check::Array<int> out(6 * 2 * threads);
  votes<<<2, threads>>>(out.data());
  const std::vector<int> got = out.get();
  int count = 0;
  for (int t = 0; t < threads; ++t) count += t % 5 == 0;
  for (int i = 0; i < 2 * threads; ++i) {
    unsigned ballot = 0;
    for (int lane = 0; lane < 32; ++lane)
      ballot |= ((i % threads / 32 * 32 + lane) % 3 == 0 ? 1u : 0u) << lane;
    const int want[6] = {1, 1, static_cast<int>(ballot), count, 1, 0};
    for (int k = 0; k < 6; ++k) CHECK_EQ(got[6 * i + k], want[k]);
  }
}

// ---- bytes in the other order
__host__ __device__ unsigned long long swapped(unsigned long long x) {
  return __nv_bswap64(x) ^ __nv_bswap32(static_cast<unsigned>(x)) ^
         static_cast<unsigned long long>(__nv_bswap16(static_cast<unsigned short>(x))) << 40;
}
__global__ void swap_all(const unsigned long long* in, unsigned long long* out) {
  out[threadIdx.x] = swapped(in[threadIdx.x]);
}
unsigned long long reversed(unsigned long long x, int bytes) {
  unsigned long long result = 0;
  for (int i = 0; i < bytes; ++i) result |= (x >> 8 * i & 255) << 8 * (bytes - 1 - i);
  return result;
}

// ---- pairs of floats
__global__ void pairs(const float2* in, float2* out) {
  const float2 a = in[threadIdx.x], b = make_float2(a.y, 3.3f), c = make_float2(0.1f, a.x);
  float2* mine = out + 12 * threadIdx.x;
  mine[0] = __ffma2_rn(a, b, c), mine[1] = __ffma2_rz(a, b, c);
  mine[2] = __ffma2_ru(a, b, c), mine[3] = __ffma2_rd(a, b, c);
  mine[4] = __fadd2_rn(a, b), mine[5] = __fadd2_rz(a, b);
  mine[6] = __fadd2_ru(a, b), mine[7] = __fadd2_rd(a, b);
  mine[8] = __fmul2_rn(a, b), mine[9] = __fmul2_rz(a, b);
  mine[10] = __fmul2_ru(a, b), mine[11] = __fmul2_rd(a, b);
}
void test_pairs() {
  std::vector<float2> in;
  for (int i = 0; i < 77; ++i) in.push_back(make_float2(i * 0.37f - 9.1f, 1.0f / (i + 3)));
  check::Array<float2> device(in), out(12 * in.size());
  pairs<<<1, 77>>>(device.data(), out.data());
  const std::vector<float2> got = out.get();
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (std::size_t i = 0; i < in.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      volatile float ax = in[i].x, ay = in[i].y, bx = in[i].y, by = 3.3f, cx = 0.1f, cy = in[i].x;
      std::fesetround(modes[k]);
      const float fused_x = std::fma(ax, bx, cx), fused_y = std::fma(ay, by, cy);
      const float sum_x = ax + bx, sum_y = ay + by, product_x = ax * bx, product_y = ay * by;
      std::fesetround(FE_TONEAREST);
      const float2* r = &got[12 * i];
      CHECK_EQ(r[k].x, fused_x);
      CHECK_EQ(r[k].y, fused_y);
      CHECK_EQ(r[4 + k].x, sum_x);
      CHECK_EQ(r[4 + k].y, sum_y);
      CHECK_EQ(r[8 + k].x, product_x);
      CHECK_EQ(r[8 + k].y, product_y);
    }
}

// ---- vectors whose names tell their alignment
static_assert(alignof(double4_16a) == 16 && alignof(double4_32a) == 32);
static_assert(alignof(long4_16a) == 16 && alignof(ulong4_32a) == 32);
static_assert(alignof(longlong4_32a) == 32 && alignof(ulonglong4_16a) == 16);
static_assert(sizeof(double4_32a) == 32 && offsetof(longlong4_16a, w) == 24);
__global__ void wide(double4_32a* out) {
  const longlong4_16a v = make_longlong4_16a(threadIdx.x, 2, 3, 4);
  out[threadIdx.x] = make_double4_32a(double(v.x), double(v.y), double(v.z), double(v.w));
}

// ---- parameters in place
struct Parameters {
  int values[9];
};
__global__ void parameters(const __grid_constant__ Parameters p, int* out) {
  const std::size_t address = __cvta_generic_to_grid_constant(&p.values[threadIdx.x]);
  out[threadIdx.x] = *static_cast<const int*>(__cvta_grid_constant_to_generic(address));
}

int main() {
  const int n = 3 * 41;
  check::Array<int> out(n);
  limited<<<3, 41>>>(out.data());
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = 2 * i + 1 + i * i + 3 * i;
  check::equal("limited", out.get(), want);
  limited_template<24><<<3, 41>>>(out.data());
  check::equal("limited_template", out.get(), std::vector<int>(n, 24));
  alone<<<3, 41>>>(out.data());
  check::equal("alone", out.get(), std::vector<int>(n, 1));
  alone_too<<<3, 41>>>(out.data());
  check::equal("alone_too", out.get(), std::vector<int>(n, 5));
  CHECK_EQ(hinted(8), 7);
  CHECK_EQ(sum_of(make_double4(1, 2, 3, 4)), 10.0);

  check::Array<unsigned> cells(8 * n);
  clusters<<<3, 41>>>(cells.data());
  const std::vector<unsigned> got = cells.get();
  for (unsigned i = 0; i < unsigned(n); ++i) {
    const unsigned expected[8] = {100 + i / 41, 0, 1, i / 41, 3, 0, 1, 0};
    for (int k = 0; k < 8; ++k) CHECK_EQ(got[8 * i + k], expected[k]);
  }
  test_rounding();
  test_votes();
  test_pairs();

  std::vector<unsigned long long> words;
  for (int i = 0; i < 45; ++i) words.push_back(0x0123456789abcdefull * (i + 1) + i);
  check::Array<unsigned long long> in(words), swapped_words(words.size());
  swap_all<<<1, 45>>>(in.data(), swapped_words.data());
  const std::vector<unsigned long long> result = swapped_words.get();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const unsigned long long x = words[i];
    CHECK_EQ(result[i],
             reversed(x, 8) ^ reversed(x & 0xffffffff, 4) ^ reversed(x & 0xffff, 2) << 40);
    CHECK_EQ(swapped(x), result[i]);
  }
  check::Array<double4_32a> vectors(33);
  wide<<<1, 33>>>(vectors.data());
  const std::vector<double4_32a> wides = vectors.get();
  for (int i = 0; i < 33; ++i) CHECK(wides[i].x == i && wides[i].y == 2 && wides[i].w == 4);

  Parameters p;
  for (int i = 0; i < 9; ++i) p.values[i] = 11 * i - 4;
  check::Array<int> values(9);
  parameters<<<1, 9>>>(p, values.data());
  check::equal("parameters", values.get(), std::vector<int>(p.values, p.values + 9));
  return check::finish();
}
