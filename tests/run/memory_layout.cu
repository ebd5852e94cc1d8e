// Data layouts: casts, bit-fields, packed and unaligned fields, unions, wide indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Memory | type-punning casts and unions; __float_as_int, __hiloint2double and friends
// FEATURE: Memory | bit-fields, packed structs with unaligned fields, alignas
// FEATURE: Memory | 64-bit index arithmetic, pointer arithmetic and comparison, negative indices
#include "check.h"

__global__ void punning(const unsigned* in, unsigned* out) {
  const int i = check::global_index();
  const unsigned x = in[i];
  unsigned* o = out + i * 8;
  const float f = *reinterpret_cast<const float*>(&in[i]);
  o[0] = *reinterpret_cast<const unsigned*>(&f);
  o[1] = static_cast<unsigned>(__float_as_int(__uint_as_float(x & 0x7f7fffffu))) ^ 1u;
  union {
    unsigned word;
    unsigned char bytes[4];
    short halves[2];
  } u;
  u.word = x;
  o[2] = u.bytes[0] + 3u * u.bytes[1] + 5u * u.bytes[2] + 7u * u.bytes[3];
  u.bytes[i % 4] = 0xee;
  o[3] = u.word;
  const double d = __hiloint2double(static_cast<int>(x & 0x3fffffffu), static_cast<int>(~x));
  o[4] = static_cast<unsigned>(__double2loint(d));
  o[5] = static_cast<unsigned>(__double2hiint(d));
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(in + i);
  o[6] = bytes[3] << 24 | bytes[2] << 16 | bytes[1] << 8 | bytes[0];
  const uint2 pair = *reinterpret_cast<const uint2*>(&in[i & ~1]);
  o[7] = pair.x ^ (pair.y * 3);
}

struct Fields {
  unsigned a : 3;
  int b : 5;
  unsigned c : 17;
  unsigned long long d : 37;
  bool e : 1;
};
struct __attribute__((packed)) Packed {
  char tag;
  int value;
  double real;
  short pair[2];
};
struct alignas(32) Wide {
  int x;
};

__global__ void fields(const int* in, Fields* out, Packed* packed, int* sizes) {
  const int i = check::global_index();
  Fields f = {};
  f.a = in[i];
  f.b = in[i] >> 3;
  f.c = in[i] * 7;
  f.d = static_cast<unsigned long long>(in[i]) * 0x123456789ull;
  f.e = in[i] & 4;
  f.a += 3;
  f.b -= 9;
  out[i] = f;
  Packed p = packed[i];
  p.value += in[i];
  p.real = p.real * 2 + p.tag;
  p.pair[i % 2] = static_cast<short>(p.value);
  packed[i] = p;
  packed[i].tag++;
  Wide wide[3];
  for (int k = 0; k < 3; ++k) wide[k].x = k;
  if (i == 0) {
    sizes[0] = sizeof(Fields);
    sizes[1] = sizeof(Packed);
    sizes[2] = sizeof(Wide);
    sizes[3] = alignof(double2) + 100 * sizeof(float3) + 10000 * sizeof(long);
    sizes[4] = static_cast<int>(reinterpret_cast<size_t>(&wide[in[0] & 1]) % 32);
  }
}

__global__ void indices(char* base, unsigned long long step, long long* out, int n) {
  const int i = check::global_index();
  const size_t offset = static_cast<size_t>(i) * step;  // beyond 2^32
  char* p = base + offset;
  long long* o = out + i * 4;
  o[0] = p - base;
  o[1] = p > base;
  const int* middle = reinterpret_cast<const int*>(base) + 1000;
  o[2] = &middle[-i % 1000] - reinterpret_cast<const int*>(base);
  o[3] = static_cast<long long>(i - n) * 3000000000ll;
}

int main() {
  check::Random random(89);
  const int n = 2 * 258;
  {
    const auto in = random.integers<unsigned>(n, 0, 0xffffffffll);
    check::Array<unsigned> source(in), out(n * 8);
    punning<<<2, 258>>>(source.data(), out.data());
    std::vector<unsigned> want(n * 8);
    for (int i = 0; i < n; ++i) {
      const unsigned x = in[i];
      unsigned* o = &want[i * 8];
      o[0] = o[6] = x;
      o[1] = (x & 0x7f7fffffu) ^ 1u;
      o[2] = (x & 255) + 3 * (x >> 8 & 255) + 5 * (x >> 16 & 255) + 7 * (x >> 24);
      o[3] = (x & ~(255u << i % 4 * 8)) | 0xeeu << i % 4 * 8;
      o[4] = ~x;
      o[5] = x & 0x3fffffffu;
      o[7] = in[i & ~1] ^ in[i | 1] * 3;
    }
    check::equal("punning", out.get(), want);
  }
  {
    const auto in = random.integers<int>(n, -100000, 100000);
    std::vector<Packed> packed(n), want_packed(n);
    std::vector<Fields> want(n);
    for (int i = 0; i < n; ++i) {
      packed[i] = Packed{char(i % 100), i * 3, i * 0.5, {short(i), short(-i)}};
      Packed& p = want_packed[i] = packed[i];
      p.value = p.value + in[i];
      p.real = p.real * 2 + p.tag;
      p.pair[i % 2] = static_cast<short>(p.value);
      p.tag++;
      Fields f;
      std::memset(&f, 0, sizeof f);
      f.a = (static_cast<unsigned>(in[i]) + 3) & 7;
      const int b = ((in[i] >> 3) - 9) & 31;
      f.b = b > 15 ? b - 32 : b;
      f.c = static_cast<unsigned>(in[i] * 7) & 0x1ffff;
      f.d = (static_cast<unsigned long long>(in[i]) * 0x123456789ull) & 0x1fffffffffull;
      f.e = (in[i] & 4) != 0;
      want[i] = f;
    }
    check::Array<int> source(in), sizes(5);
    check::Array<Fields> out(n);
    check::Array<Packed> device_packed(packed);
    fields<<<2, 258>>>(source.data(), out.data(), device_packed.data(), sizes.data());
    const auto got = out.get();
    for (int i = 0; i < n; ++i)
      CHECK(got[i].a == want[i].a && got[i].b == want[i].b && got[i].c == want[i].c &&
            got[i].d == want[i].d && got[i].e == want[i].e);
    check::equal("packed", device_packed.get(), want_packed);
    check::equal("sizes", sizes.get(),
                 std::vector<int>{int(sizeof(Fields)), int(sizeof(Packed)), 32,
                                  16 + 100 * 12 + 10000 * 8, 0});
  }
  {
    check::Array<long long> out(n * 4);
    indices<<<2, 258>>>(reinterpret_cast<char*>(out.data()), 5000000000ull, out.data(), n);
    std::vector<long long> want(n * 4);
    for (int i = 0; i < n; ++i) {
      want[i * 4 + 0] = i * 5000000000ll;
      want[i * 4 + 1] = i > 0;
      want[i * 4 + 2] = 1000 - i % 1000;
      want[i * 4 + 3] = (i - n) * 3000000000ll;
    }
    check::equal("indices", out.get(), want);
  }
  return check::finish();
}
