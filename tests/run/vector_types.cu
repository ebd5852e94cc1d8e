// The built-in vector types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | vector types char1 to double4, make_*, members, size and alignment as in CUDA, in host and device code
// FEATURE: Language | vector loads and stores by reinterpret_cast; dim3 defaults and conversions
#include "check.h"

// clang-format off
#define ALL_TYPES(X)              \
  X(char, signed char, 1)         \
  X(uchar, unsigned char, 1)      \
  X(short, short, 2)              \
  X(ushort, unsigned short, 2)    \
  X(int, int, 4)                  \
  X(uint, unsigned, 4)            \
  X(long, long, 8)                \
  X(ulong, unsigned long, 8)      \
  X(longlong, long long, 8)       \
  X(ulonglong, unsigned long long, 8) \
  X(float, float, 4)              \
  X(double, double, 8)
// clang-format on

// Sizes and alignments of CUDA (of 64-bit Linux); those of four 8-byte members are 16.
#define LAYOUT(name, type, bytes)                                                          \
  static_assert(sizeof(name##1) == bytes && alignof(name##1) == bytes, #name "1");         \
  static_assert(sizeof(name##2) == 2 * bytes && alignof(name##2) == 2 * bytes, #name "2"); \
  static_assert(sizeof(name##3) == 3 * bytes && alignof(name##3) == bytes, #name "3");
ALL_TYPES(LAYOUT)
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
static_assert(sizeof(int4) == 16 && alignof(int4) == 16, "int4");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "uchar4");
static_assert(sizeof(ushort4) == 8 && alignof(ushort4) == 8, "ushort4");
#if CUDART_VERSION < 13000
static_assert(sizeof(double4) == 32 && alignof(double4) == 16, "double4");
static_assert(sizeof(longlong4) == 32 && alignof(longlong4) == 16, "longlong4");
#endif
static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4, "dim3");

#define HANDLE(name, type, bytes)                                                                 \
  __host__ __device__ inline void name##_case(int i, double* o) {                                 \
    using Member = type;                                                                          \
    name##1 a = make_##name##1(Member(i));                                                        \
    name##2 b = make_##name##2(Member(i + 1), Member(i + 2));                                     \
    name##3 c = make_##name##3(Member(i + 3), Member(i + 4), Member(i + 5));                      \
    name##4 d = make_##name##4(Member(i + 6), Member(i + 7), Member(i + 8), Member(i + 9));       \
    b.y = Member(b.x + a.x);                                                                      \
    c = make_##name##3(c.z, c.x, c.y);                                                            \
    d.w = Member(d.w + c.x);                                                                      \
    name##4 copy = d;                                                                             \
    copy.x = Member(3);                                                                           \
    o[0] = double(a.x) + double(b.x) * 2 + double(b.y) * 3;                                       \
    o[1] = double(c.x) + double(c.y) * 2 + double(c.z) * 3;                                       \
    o[2] = double(d.x) + double(d.y) * 2 + double(d.z) * 3 + double(copy.w) * 4 + double(copy.x); \
  }
ALL_TYPES(HANDLE)
constexpr int types = 12;

__global__ void members(double* out) {
  const int i = check::global_index();
  double* o = out + i * types * 3;
#define CALL(name, type, bytes) name##_case(i % 100, o), o += 3;
  ALL_TYPES(CALL)
}

// What the members must be, computed without the vector types.
template <class T>
void reference(int i, double* o) {
  const T b_y = T(T(i + 1) + T(i));
  const T d_w = T(T(i + 9) + T(i + 5));
  o[0] = double(T(i)) + double(T(i + 1)) * 2 + double(b_y) * 3;
  o[1] = double(T(i + 5)) + double(T(i + 3)) * 2 + double(T(i + 4)) * 3;
  o[2] = double(T(i + 6)) + double(T(i + 7)) * 2 + double(T(i + 8)) * 3 + double(d_w) * 4 + 3;
}

__global__ void wide_copy(const float* in, float* out, int n) {
  const int i = check::global_index();
  if (i * 4 + 3 < n) {
    float4 v = reinterpret_cast<const float4*>(in)[i];
    v.y = -v.y;
    reinterpret_cast<float4*>(out)[i] = v;
  } else {
    for (int k = i * 4; k < n; ++k) out[k] = in[k];
  }
}

__global__ void arrays(const int3* in, int3* out, double2* sums) {
  __shared__ int3 cells[257];
  const int t = threadIdx.x;
  cells[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  const int3 v = cells[blockDim.x - 1 - t];
  out[blockIdx.x * blockDim.x + t] = make_int3(v.z, v.y, v.x);
  sums[blockIdx.x * blockDim.x + t] = make_double2(v.x + v.y, v.z * 0.5);
}

__global__ void dims(unsigned* out) {
  dim3 a, b(3), c(4, 5), d = dim3(6, 7, 8);
  uint3 u = make_uint3(1, 2, 3);
  dim3 e = u;
  out[0] = a.x + a.y * 10 + a.z * 100;
  out[1] = b.x + b.y * 10 + b.z * 100;
  out[2] = c.x + c.y * 10 + c.z * 100;
  out[3] = d.x + d.y * 10 + d.z * 100;
  out[4] = e.x + e.y * 10 + e.z * 100;
}

int main() {
  const int n = 3 * 97;
  check::Array<double> out(n * types * 3);
  members<<<3, 97>>>(out.data());
  std::vector<double> want(n * types * 3), host(n * types * 3);
  for (int i = 0; i < n; ++i) {
    double* o = &want[i * types * 3];
#define REFERENCE(name, type, bytes) reference<type>(i % 100, o), o += 3;
    ALL_TYPES(REFERENCE)
    o = &host[i * types * 3];
#define HOST_CALL(name, type, bytes) name##_case(i % 100, o), o += 3;
    ALL_TYPES(HOST_CALL)
  }
  check::equal("members", out.get(), want);
  check::equal("members on the host", host, want);
  check::Random random(107);
  for (int length : {1, 4, 1009, 1012}) {
    const auto in = random.reals<float>(length, -1, 1);
    check::Array<float> source(in), copy(length);
    wide_copy<<<(length / 4 + 33) / 33, 33>>>(source.data(), copy.data(), length);
    auto expected = in;
    for (int k = 1; k < length / 4 * 4; k += 4) expected[k] = -expected[k];
    check::equal("wide_copy", copy.get(), expected);
  }
  {
    const int total = 2 * 257;
    std::vector<int3> in(total), turned(total);
    std::vector<double2> sums(total);
    for (int i = 0; i < total; ++i) in[i] = make_int3(i, -i, i * 3);
    for (int i = 0; i < total; ++i) {
      const int3 v = in[i / 257 * 257 + 256 - i % 257];
      turned[i] = make_int3(v.z, v.y, v.x);
      sums[i] = make_double2(v.x + v.y, v.z * 0.5);
    }
    check::Array<int3> source(in), result(total);
    check::Array<double2> result_sums(total);
    arrays<<<2, 257>>>(source.data(), result.data(), result_sums.data());
    check::equal("int3", result.get(), turned);
    check::equal("double2", result_sums.get(), sums);
  }
  check::Array<unsigned> d(5);
  dims<<<1, 1>>>(d.data());
  check::equal("dims", d.get(), std::vector<unsigned>{111, 113, 154, 876, 321});
  return check::finish();
}
