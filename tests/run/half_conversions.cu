// What 16-bit numbers convert to and from by themselves, and volatile ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: 16-bit floating point | conversions to every integer type and bool, from one format to the other, volatile objects, `__half2char_rz` and kin, constants (`CUDART_INF_FP16`, ...)
#include "half_check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <climits>
#include <type_traits>

using check::SmallFormat;

// A constant expression, as with nvcc.
constexpr __half one = __half_raw{0x3c00};
constexpr __half2 pair_of_ones = __half2(one, one);
static_assert(one && pair_of_ones.x);
static_assert(!std::is_convertible<__half, __nv_bfloat16>::value &&
              std::is_constructible<__half, __nv_bfloat16>::value);

constexpr int kinds = 13;
template <class T>
__host__ __device__ void integers(const T x, long long* out) {
  out[0] = static_cast<signed char>(x);
  out[1] = static_cast<unsigned char>(x);
  out[2] = static_cast<char>(x);
  out[3] = short(x);
  out[4] = static_cast<unsigned short>(x);
  const int i = x;
  const unsigned u = x;
  out[5] = i;
  out[6] = u;
  const long l = x;
  const unsigned long ul = x;
  const long long ll = x;
  const unsigned long long ull = x;
  out[7] = l;
  out[8] = static_cast<long long>(ul);
  out[9] = ll;
  out[10] = static_cast<long long>(ull);
  out[11] = x ? 1 : 0;
  out[12] = (!x) ? 1 : 0;
}
__host__ __device__ int char_of(__half x) { return __half2char_rz(x) * 1000 + __half2uchar_rz(x); }
__host__ __device__ int char_of(__nv_bfloat16 x) {
  return __bfloat162char_rz(x) * 1000 + __bfloat162uchar_rz(x);
}

template <class T>
__global__ void to_integers(long long* out, int* chars) {
  const int i = check::global_index();
  if (i >= 65536) return;
  T x;
  const unsigned short bits = static_cast<unsigned short>(i);
  memcpy(&x, &bits, 2);
  integers(x, out + static_cast<long long>(i) * kinds);
  chars[i] = char_of(x);
}

/// The integer nearest to zero beyond which there is nothing, within the type's limits.
long long whole(double x, double least, double most, long long minimum, long long maximum) {
  if (std::isnan(x)) return 0;
  if (x <= least) return minimum;
  if (x >= most) return maximum;
  return x >= 9223372036854775808.0 ? static_cast<long long>(static_cast<unsigned long long>(x))
                                    : static_cast<long long>(x);
}

template <class T>
void test_integers(const SmallFormat& format) {
  check::Array<long long> out(65536 * kinds);
  check::Array<int> chars(65536);
  to_integers<T><<<(65536 + 190) / 191, 191>>>(out.data(), chars.data());
  const std::vector<long long> got = out.get();
  const std::vector<int> got_chars = chars.get();
  const double top = 18446744073709551616.0;
  for (int i = 0; i < 65536; ++i) {
    const double x = format.value(static_cast<unsigned short>(i));
    const long long c = whole(x, -128, 127, -128, 127), uc = whole(x, 0, 255, 0, 255);
    const long long ll = whole(x, -top / 2, top / 2, LLONG_MIN, LLONG_MAX);
    const long long ull = whole(x, 0, top, 0, -1);
    const bool is = !(x == 0);
    const long long want[kinds] = {c,
                                   uc,
                                   c,
                                   whole(x, -32768, 32767, -32768, 32767),
                                   whole(x, 0, 65535, 0, 65535),
                                   whole(x, INT_MIN, INT_MAX, INT_MIN, INT_MAX),
                                   whole(x, 0, UINT_MAX, 0, UINT_MAX),
                                   ll,
                                   ull,
                                   ll,
                                   ull,
                                   is,
                                   !is};
    for (int k = 0; k < kinds; ++k) CHECK(got[static_cast<std::size_t>(i) * kinds + k] == want[k]);
    CHECK(got_chars[i] == c * 1000 + uc);
  }
}

/// Through volatile objects in shared memory, and assignments from every type.
template <class T>
__global__ void through_volatile(const T* in, T* out, T* assigned) {
  __shared__ volatile unsigned short space[64 * 2];
  volatile T* cells = reinterpret_cast<volatile T*>(space);
  const int t = threadIdx.x, i = check::global_index();
  cells[2 * t] = in[i];
  __syncthreads();
  cells[2 * t + 1] = cells[2 * (blockDim.x - 1 - t)];
  __syncthreads();
  T mine;
  mine = cells[2 * t + 1];
  const T other = cells[2 * t];
  out[2 * i] = mine;
  out[2 * i + 1] = other;
  T next = in[i];
  next = 3;
  assigned[4 * i] = next;
  next = 2.5;
  assigned[4 * i + 1] = next;
  next = -7.0f;
  assigned[4 * i + 2] = next;
  next = static_cast<unsigned short>(19);
  assigned[4 * i + 3] = next;
}
template <class T>
unsigned short bits_of(const T& value) {
  unsigned short bits;
  memcpy(&bits, &value, 2);
  return bits;
}
template <class T>
void test_volatile(const SmallFormat& format) {
  const int blocks = 3, threads = 61, n = blocks * threads;
  std::vector<T> in(n);
  for (int i = 0; i < n; ++i) in[i] = T(i * 0.25f - 9);
  check::Array<T> device(in), out(2 * n), assigned(4 * n);
  through_volatile<<<blocks, threads>>>(device.data(), out.data(), assigned.data());
  const std::vector<T> got = out.get(), stored = assigned.get();
  const double want[4] = {3, 2.5, -7, 19};
  for (int i = 0; i < n; ++i) {
    const int block = i / threads, t = i % threads;
    CHECK(bits_of(got[2 * i]) == bits_of(in[block * threads + threads - 1 - t]));
    CHECK(bits_of(got[2 * i + 1]) == bits_of(in[i]));
    for (int k = 0; k < 4; ++k) CHECK(bits_of(stored[4 * i + k]) == format.round(want[k]));
  }
}

__global__ void between(unsigned short* out) {
  const int i = check::global_index();
  if (i >= 65536) return;
  const unsigned short bits = static_cast<unsigned short>(i);
  out[2 * i] = __half_as_ushort(__half(__ushort_as_bfloat16(bits)));
  out[2 * i + 1] = __bfloat16_as_ushort(__nv_bfloat16(__ushort_as_half(bits)));
}

__global__ void constants(__half* h, __nv_bfloat16* b) {
  h[0] = CUDART_INF_FP16, h[1] = CUDART_NAN_FP16, h[2] = CUDART_MIN_DENORM_FP16;
  h[3] = CUDART_MAX_NORMAL_FP16, h[4] = CUDART_NEG_ZERO_FP16, h[5] = CUDART_ZERO_FP16;
  h[6] = CUDART_ONE_FP16;
  b[0] = CUDART_INF_BF16, b[1] = CUDART_NAN_BF16, b[2] = CUDART_MIN_DENORM_BF16;
  b[3] = CUDART_MAX_NORMAL_BF16, b[4] = CUDART_NEG_ZERO_BF16, b[5] = CUDART_ZERO_BF16;
  b[6] = CUDART_ONE_BF16;
}
template <class T>
void test_constants(const SmallFormat& format, const std::vector<T>& got, double largest,
                    double smallest) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double want[] = {infinity, std::nan(""), smallest, largest, -0.0, 0.0, 1.0};
  for (int k = 0; k < 7; ++k) {
    CHECK(bits_of(got[k]) == format.round(want[k]));
    CHECK(std::isnan(want[k]) || format.value(bits_of(got[k])) == want[k]);
  }
}

int main() {
  const SmallFormat half(5, 10), bfloat(8, 7);
  test_integers<__half>(half);
  test_integers<__nv_bfloat16>(bfloat);
  test_volatile<__half>(half);
  test_volatile<__nv_bfloat16>(bfloat);

  check::Array<unsigned short> bits(2 * 65536);
  between<<<(65536 + 126) / 127, 127>>>(bits.data());
  const std::vector<unsigned short> got = bits.get();
  for (int i = 0; i < 65536; ++i) {
    CHECK(got[2 * i] == half.round(bfloat.value(static_cast<unsigned short>(i))));
    CHECK(got[2 * i + 1] == bfloat.round(half.value(static_cast<unsigned short>(i))));
  }
  check::Array<__half> h(7);
  check::Array<__nv_bfloat16> b(7);
  constants<<<1, 1>>>(h.data(), b.data());
  test_constants(half, h.get(), 65504.0, std::ldexp(1.0, -24));
  test_constants(bfloat, b.get(), std::ldexp(255.0, 120), std::ldexp(1.0, -133));
  return check::finish();
}
