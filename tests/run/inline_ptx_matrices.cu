// mma.sync, ldmatrix, stmatrix, movmatrix: registers of each lane as the PTX ISA lays them out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Inline PTX | mma.sync of f16, bf16, tf32, f64, 8-bit and 4-bit integers, single bits and 8-bit floating point, with the documented elements in each lane
// FEATURE: Inline PTX | ldmatrix, stmatrix (.x1 .x2 .x4, .trans), movmatrix
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <functional>

#define R(i) "=r"(out[i])
#define I(i) "r"(in[i])

// --- the instructions: `in` holds a lane's words of A, B and C, `out` gets D ---------------------

#define FOUR_TWO(name, text)                                                         \
  struct name {                                                                      \
    __device__ static void run(const unsigned* in, unsigned* out) {                  \
      asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" \
                   : R(0), R(1), R(2), R(3)                                          \
                   : I(0), I(1), I(2), I(3), I(4), I(5), I(6), I(7), I(8), I(9));    \
    }                                                                                \
  };
#define TWO_ONE(name, text)                                              \
  struct name {                                                          \
    __device__ static void run(const unsigned* in, unsigned* out) {      \
      asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" \
                   : R(0), R(1), R(2), R(3)                              \
                   : I(0), I(1), I(2), I(3), I(4), I(5), I(6));          \
    }                                                                    \
  };
#define ONE_ONE(name, text)                                                                      \
  struct name {                                                                                  \
    __device__ static void run(const unsigned* in, unsigned* out) {                              \
      asm volatile(text " {%0,%1}, {%2}, {%3}, {%4,%5};" : R(0), R(1) : I(0), I(1), I(2), I(3)); \
    }                                                                                            \
  };

// Sums of float: the same with "f" operands.
#define FOUR_TWO_F(name, text)                                                            \
  struct name {                                                                           \
    __device__ static void run(const unsigned* in, unsigned* out) {                       \
      float d[4], c[4];                                                                   \
      for (int i = 0; i < 4; ++i) c[i] = __uint_as_float(in[6 + i]);                      \
      asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"      \
                   : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                       \
                   : I(0), I(1), I(2), I(3), I(4), I(5), "f"(c[0]), "f"(c[1]), "f"(c[2]), \
                     "f"(c[3]));                                                          \
      for (int i = 0; i < 4; ++i) out[i] = __float_as_uint(d[i]);                         \
    }                                                                                     \
  };
#define TWO_ONE_F(name, text)                                                       \
  struct name {                                                                     \
    __device__ static void run(const unsigned* in, unsigned* out) {                 \
      float d[4], c[4];                                                             \
      for (int i = 0; i < 4; ++i) c[i] = __uint_as_float(in[3 + i]);                \
      asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"            \
                   : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                 \
                   : I(0), I(1), I(2), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])); \
      for (int i = 0; i < 4; ++i) out[i] = __float_as_uint(d[i]);                   \
    }                                                                               \
  };
TWO_ONE_F(f32_f16_k8, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
FOUR_TWO_F(f32_f16_k16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
TWO_ONE_F(f32_bf16_k8, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32")
FOUR_TWO_F(f32_bf16_k16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
TWO_ONE_F(f32_tf32_k4, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32")
FOUR_TWO_F(f32_tf32_k8, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
FOUR_TWO_F(e4m3_e5m2_k32, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32")
TWO_ONE(s8_u8_k16, "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32")
FOUR_TWO(u8_s8_k32, "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32")
FOUR_TWO(s8_k32_satfinite, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32")
ONE_ONE(s8_m8, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
TWO_ONE(u4_k32, "mma.sync.aligned.m16n8k32.row.col.s32.u4.u4.s32")
FOUR_TWO(s4_u4_k64, "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32")
ONE_ONE(xor_m8, "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
TWO_ONE(and_k128, "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc")
FOUR_TWO(xor_k256, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc")

struct f16_k16 {
  __device__ static void run(const unsigned* in, unsigned* out) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, "
        "{%8,%9};"
        : R(0), R(1)
        : I(0), I(1), I(2), I(3), I(4), I(5), I(6), I(7));
  }
};

__device__ double as_double(const unsigned* words) {
  return __hiloint2double(int(words[1]), int(words[0]));
}
__device__ void put_double(unsigned* words, double value) {
  words[0] = unsigned(__double2loint(value));
  words[1] = unsigned(__double2hiint(value));
}
struct f64_m8 {
  __device__ static void run(const unsigned* in, unsigned* out) {
    double d0, d1;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=d"(d0), "=d"(d1)
                 : "d"(as_double(in)), "d"(as_double(in + 2)), "d"(as_double(in + 4)),
                   "d"(as_double(in + 6)));
    put_double(out, d0);
    put_double(out + 2, d1);
  }
};
struct f64_k8 {
  __device__ static void run(const unsigned* in, unsigned* out) {
    double d[4], v[10];
    for (int i = 0; i < 10; ++i) v[i] = as_double(in + 2 * i);
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(v[0]), "d"(v[1]), "d"(v[2]), "d"(v[3]), "d"(v[4]), "d"(v[5]), "d"(v[6]), "d"(v[7]),
          "d"(v[8]), "d"(v[9]));
    for (int i = 0; i < 4; ++i) put_double(out + 2 * i, d[i]);
  }
};

template <class Instruction, int in_words, int out_words>
__global__ void product(const unsigned* in, unsigned* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned from[in_words], to[out_words];
  for (int i = 0; i < in_words; ++i) from[i] = in[t * in_words + i];
  Instruction::run(from, to);
  for (int i = 0; i < out_words; ++i) out[t * out_words + i] = to[i];
}

// --- the reference -------------------------------------------------------------------------------

enum class Type { f16, bf16, tf32, f32, f64, s8, u8, s4, u4, b1, s32, e4m3, e5m2 };

int bits_of(Type type) {
  switch (type) {
    case Type::f64:
      return 64;
    case Type::tf32:
    case Type::f32:
    case Type::s32:
      return 32;
    case Type::f16:
    case Type::bf16:
      return 16;
    case Type::s8:
    case Type::u8:
    case Type::e4m3:
    case Type::e5m2:
      return 8;
    case Type::s4:
    case Type::u4:
      return 4;
    case Type::b1:
      return 1;
  }
  return 0;
}

double worth(Type type, std::uint64_t raw) {
  switch (type) {
    case Type::f64: {
      double d;
      std::memcpy(&d, &raw, 8);
      return d;
    }
    case Type::f32: {
      float f;
      unsigned w = unsigned(raw);
      std::memcpy(&f, &w, 4);
      return f;
    }
    case Type::tf32:
      return worth(Type::f32, raw & 0xffffe000u);
    case Type::bf16:
      return worth(Type::f32, raw << 16);
    case Type::f16: {
      __half_raw h;
      h.x = (unsigned short)raw;
      return __half2float(__half(h));
    }
    case Type::s32:
      return int(unsigned(raw));
    case Type::s8:
      return (signed char)raw;
    case Type::u8:
    case Type::u4:
    case Type::b1:
      return double(raw);
    case Type::s4:
      return raw & 8 ? double(raw) - 16 : double(raw);
    case Type::e4m3: {
      const int e = int(raw >> 3 & 15), f = int(raw & 7);
      const double m = e == 0 ? f * 0x1p-9 : std::ldexp(8 + f, e - 10);
      return raw & 0x80 ? -m : m;
    }
    case Type::e5m2: {
      const int e = int(raw >> 2 & 31), f = int(raw & 3);
      const double m = e == 0 ? f * 0x1p-16 : std::ldexp(4 + f, e - 17);
      return raw & 0x80 ? -m : m;
    }
  }
  return 0;
}

/// Bits of a number that sums hold exactly.
std::uint64_t some(Type type, check::Random& random) {
  const int n = int(random.integer(-31, 31));
  switch (type) {
    case Type::f64: {
      double d = n / 8.0;
      std::uint64_t w;
      std::memcpy(&w, &d, 8);
      return w;
    }
    case Type::f32: {
      float f = float(n) / 8;
      unsigned w;
      std::memcpy(&w, &f, 4);
      return w;
    }
    // What tf32 does not look at is full of bits.
    case Type::tf32:
      return some(Type::f32, random) | (random.bits() & 0x1fff);
    case Type::bf16:
      return some(Type::f32, random) >> 16;
    case Type::f16: {
      const __half_raw h = __float2half(float(random.integer(-7, 7)) / 4);
      return h.x;
    }
    case Type::e4m3:
      return std::uint64_t(random.integer(0x30, 0x40) | random.integer(0, 1) << 7);
    case Type::e5m2:
      return std::uint64_t(random.integer(0x38, 0x44) | random.integer(0, 1) << 7);
    case Type::s32:
      return unsigned(random.bits());
    default:
      return random.bits() & ((1u << bits_of(type)) - 1);
  }
}

struct Shape {
  int m, n, k;
  Type a, b, c;
};

// "Matrix fragments for mma.m16n8k…" of the PTX ISA: element i of lane `lane`.
struct Cell {
  int row, column;
};
Cell cell_of_a(const Shape& s, int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  const int per = std::max(1, 32 / bits_of(s.a));  // elements of a register, neighbours in k
  const int total = s.m * s.k / 32;
  if (s.m == 8) return {group, thread * per + i};
  const int half = total / 2;  // with two registers' worth of k or one
  const bool two_in_k = s.k == 8 * per;
  const int r = i / per;
  const int row = r % 2 == 0 ? group : group + 8;
  const int column = thread * per + i % per + (two_in_k && i >= half ? 4 * per : 0);
  return {row, column};
}
Cell cell_of_b(const Shape& s, int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  const int per = std::max(1, 32 / bits_of(s.b));
  return {thread * per + i % per + (i / per) * 4 * per, group};
}
Cell cell_of_c(const Shape&, int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

/// A lane's elements in its words.
std::uint64_t get(const unsigned* words, Type type, int i) {
  const int bits = bits_of(type);
  if (bits == 64) return words[2 * i] | std::uint64_t(words[2 * i + 1]) << 32;
  const unsigned all = words[i * bits / 32];
  return bits == 32 ? all : all >> (i * bits % 32) & ((1u << bits) - 1);
}
void put(unsigned* words, Type type, int i, std::uint64_t raw) {
  const int bits = bits_of(type);
  if (bits == 64) {
    words[2 * i] = unsigned(raw);
    words[2 * i + 1] = unsigned(raw >> 32);
  } else {
    words[i * bits / 32] |= unsigned(raw) << (i * bits % 32);
  }
}

using Combine = std::function<double(double, double)>;

template <class Instruction, int in_words, int out_words>
void run(
    const char* name, Shape s, Combine combine = [](double a, double b) { return a * b; },
    bool saturates = false) {
  const int warps = 6;
  check::Random random(s.m + s.k * 17 + int(s.a));
  const int a_count = s.m * s.k / 32, b_count = s.k * s.n / 32, c_count = s.m * s.n / 32;
  const int a_words = a_count * bits_of(s.a) / 32, b_words = b_count * bits_of(s.b) / 32;
  std::vector<unsigned> in(warps * 32 * in_words);
  for (int t = 0; t < warps * 32; ++t) {
    unsigned* words = &in[t * in_words];
    for (int i = 0; i < a_count; ++i) put(words, s.a, i, some(s.a, random));
    for (int i = 0; i < b_count; ++i) put(words + a_words, s.b, i, some(s.b, random));
    for (int i = 0; i < c_count; ++i) put(words + a_words + b_words, s.c, i, some(s.c, random));
  }
  check::Array<unsigned> din(in), dout(warps * 32 * out_words);
  product<Instruction, in_words, out_words><<<2, 96>>>(din.data(), dout.data());
  const auto out = dout.get();
  std::vector<double> got, want;
  for (int w = 0; w < warps; ++w) {
    std::vector<double> a(s.m * s.k, NAN), b(s.k * s.n, NAN), d(s.m * s.n, NAN);
    for (int lane = 0; lane < 32; ++lane) {
      const unsigned* words = &in[(w * 32 + lane) * in_words];
      for (int i = 0; i < a_count; ++i) {
        const Cell at = cell_of_a(s, lane, i);
        a[at.row * s.k + at.column] = worth(s.a, get(words, s.a, i));
      }
      for (int i = 0; i < b_count; ++i) {
        const Cell at = cell_of_b(s, lane, i);
        b[at.row * s.n + at.column] = worth(s.b, get(words + a_words, s.b, i));
      }
      for (int i = 0; i < c_count; ++i) {
        const Cell at = cell_of_c(s, lane, i);
        d[at.row * s.n + at.column] = worth(s.c, get(words + a_words + b_words, s.c, i));
      }
    }
    for (int i = 0; i < s.m; ++i)
      for (int j = 0; j < s.n; ++j) {
        double& sum = d[i * s.n + j];
        for (int l = 0; l < s.k; ++l) sum += combine(a[i * s.k + l], b[l * s.n + j]);
        if (s.c == Type::s32)
          sum = saturates ? std::max(std::min(sum, 2147483647.0), -2147483648.0)
                          : double(int(unsigned((long long)sum)));
      }
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < c_count; ++i) {
        const Cell at = cell_of_c(s, lane, i);
        got.push_back(worth(s.c, get(&out[(w * 32 + lane) * out_words], s.c, i)));
        want.push_back(d[at.row * s.n + at.column]);
      }
  }
  check::equal(name, got, want);
}

// --- ldmatrix and the others ---------------------------------------------------------------------

__device__ unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

// Row r of the tile is at 16 * ((5 * r) % 32): rows are where their addresses say.
__device__ unsigned row_place(unsigned row) { return 8 * (5 * row % 32); }

__global__ void load_matrices(const unsigned short* in, unsigned* out) {
  __shared__ __align__(16) unsigned short tile[256];
  const unsigned lane = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[row_place(lane) + i] = in[lane * 8 + i];
  __syncwarp();
  const unsigned at = shared_address(tile + row_place(lane));
  const unsigned nowhere = 0x7fffff00u;  // addresses that nobody may look at
  unsigned* to = out + lane * 14;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(to[0])
               : "r"(lane < 8 ? at : nowhere));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0, %1}, [%2];"
               : "=r"(to[1]), "=r"(to[2])
               : "r"(lane < 16 ? at : nowhere));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[3]), "=r"(to[4]), "=r"(to[5]), "=r"(to[6])
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[7]), "=r"(to[8]), "=r"(to[9]), "=r"(to[10])
               : "r"(at));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(to[11]) : "r"(to[3]));
  to[12] = to[13] = lane;
}

__global__ void store_matrices(const unsigned* in, unsigned short* out, int form) {
  __shared__ __align__(16) unsigned short tile[256];
  const unsigned lane = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[lane * 8 + i] = (unsigned short)(9000 + lane);
  __syncwarp();
  const unsigned at = shared_address(tile + row_place(lane));
  const unsigned* from = in + lane * 4;
  if (form == 0)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at),
                 "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
                 : "memory");
  else if (form == 1)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at),
                 "r"(from[0]), "r"(from[1])
                 : "memory");
  else
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(from[0])
                 : "memory");
  __syncwarp();
  for (int i = 0; i < 8; ++i) out[lane * 8 + i] = tile[lane * 8 + i];
}

void matrices() {
  check::Random random(8);
  const auto in = random.integers<unsigned short>(256, 0, 65535);  // row r of matrix r / 8
  check::Array<unsigned short> din(in);
  check::Array<unsigned> dout(32 * 14);
  load_matrices<<<1, 32>>>(din.data(), dout.data());
  auto element = [&](int matrix, int row, int column) {
    return unsigned(in[(matrix * 8 + row) * 8 + column]);
  };
  std::vector<unsigned> want(32 * 14);
  for (int lane = 0; lane < 32; ++lane) {
    auto plain = [&](int matrix) {
      return element(matrix, lane / 4, lane % 4 * 2) | element(matrix, lane / 4, lane % 4 * 2 + 1)
                                                           << 16;
    };
    auto transposed = [&](int matrix) {
      return element(matrix, lane % 4 * 2, lane / 4) | element(matrix, lane % 4 * 2 + 1, lane / 4)
                                                           << 16;
    };
    unsigned* to = &want[lane * 14];
    to[0] = plain(0);
    for (int i = 0; i < 2; ++i) to[1 + i] = transposed(i);
    for (int i = 0; i < 4; ++i) to[3 + i] = plain(i);
    for (int i = 0; i < 4; ++i) to[7 + i] = transposed(i);
    to[11] = transposed(0);
    to[12] = to[13] = lane;
  }
  check::equal("ldmatrix, movmatrix", dout.get(), want);

  const auto words = random.integers<unsigned>(128, 0, 0xffffffffLL);
  check::Array<unsigned> dwords(words);
  for (int form = 0; form < 3; ++form) {
    check::Array<unsigned short> dtile(256);
    store_matrices<<<1, 32>>>(dwords.data(), dtile.data(), form);
    std::vector<unsigned short> tile(256);
    for (int i = 0; i < 256; ++i) tile[i] = (unsigned short)(9000 + i / 8);
    const int count = form == 0 ? 4 : form == 1 ? 2 : 1;
    for (int matrix = 0; matrix < count; ++matrix)
      for (int lane = 0; lane < 32; ++lane)
        for (int half = 0; half < 2; ++half) {
          int row = lane / 4, column = lane % 4 * 2 + half;
          if (form == 1) std::swap(row, column);
          tile[8 * (5 * (matrix * 8 + row) % 32) + column] =
              (unsigned short)(words[lane * 4 + matrix] >> 16 * half);
        }
    check::equal("stmatrix " + std::to_string(form), dtile.get(), tile);
  }
}

int main() {
  using T = Type;
  run<f32_f16_k8, 7, 4>("f16 k8", {16, 8, 8, T::f16, T::f16, T::f32});
  run<f32_f16_k16, 10, 4>("f16 k16", {16, 8, 16, T::f16, T::f16, T::f32});
  run<f16_k16, 8, 2>("f16 k16, f16 sums", {16, 8, 16, T::f16, T::f16, T::f16});
  run<f32_bf16_k8, 7, 4>("bf16 k8", {16, 8, 8, T::bf16, T::bf16, T::f32});
  run<f32_bf16_k16, 10, 4>("bf16 k16", {16, 8, 16, T::bf16, T::bf16, T::f32});
  run<f32_tf32_k4, 7, 4>("tf32 k4", {16, 8, 4, T::tf32, T::tf32, T::f32});
  run<f32_tf32_k8, 10, 4>("tf32 k8", {16, 8, 8, T::tf32, T::tf32, T::f32});
  run<e4m3_e5m2_k32, 10, 4>("e4m3 e5m2 k32", {16, 8, 32, T::e4m3, T::e5m2, T::f32});
  run<f64_m8, 8, 4>("f64 m8", {8, 8, 4, T::f64, T::f64, T::f64});
  run<f64_k8, 20, 8>("f64 k8", {16, 8, 8, T::f64, T::f64, T::f64});
  run<s8_u8_k16, 7, 4>("s8 u8 k16", {16, 8, 16, T::s8, T::u8, T::s32});
  run<u8_s8_k32, 10, 4>("u8 s8 k32", {16, 8, 32, T::u8, T::s8, T::s32});
  const Combine multiply = [](double a, double b) { return a * b; };
  run<s8_k32_satfinite, 10, 4>("s8 k32 satfinite", {16, 8, 32, T::s8, T::s8, T::s32}, multiply,
                               true);
  run<s8_m8, 4, 2>("s8 m8", {8, 8, 16, T::s8, T::s8, T::s32});
  run<u4_k32, 7, 4>("u4 k32", {16, 8, 32, T::u4, T::u4, T::s32});
  run<s4_u4_k64, 10, 4>("s4 u4 k64", {16, 8, 64, T::s4, T::u4, T::s32});
  const Combine differ = [](double a, double b) { return a != b ? 1.0 : 0.0; };
  run<xor_m8, 4, 2>("bits m8", {8, 8, 128, T::b1, T::b1, T::s32}, differ);
  run<and_k128, 7, 4>("bits k128", {16, 8, 128, T::b1, T::b1, T::s32}, multiply);
  run<xor_k256, 10, 4>("bits k256", {16, 8, 256, T::b1, T::b1, T::s32}, differ);
  matrices();
  return check::finish();
}
