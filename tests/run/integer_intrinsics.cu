// Integer intrinsics against plain C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Integer intrinsics | __popc, __clz, __ffs, __brev and their ll forms, __fns
// FEATURE: Integer intrinsics | __mulhi, __umulhi, __mul64hi, __umul64hi, __mul24, __umul24, __sad, __usad, __hadd, __rhadd, __uhadd, __urhadd
// FEATURE: Integer intrinsics | __byte_perm, __funnelshift_l, _r, _lc, _rc, __dp4a, __dp2a
// FEATURE: Integer intrinsics | min, max, abs, llabs, umin, umax, __saturatef
#include "check.h"

#include <algorithm>

constexpr int results = 40;

__global__ void device(const unsigned* in, long long* out) {
  const int i = check::global_index();
  const unsigned a = in[i * 3], b = in[i * 3 + 1], c = in[i * 3 + 2];
  const int sa = static_cast<int>(a), sb = static_cast<int>(b);
  const unsigned long long w = static_cast<unsigned long long>(a) << 32 | b;
  const unsigned long long v = static_cast<unsigned long long>(c) << 32 | a;
  long long* o = out + i * results;
  o[0] = __popc(a);
  o[1] = __clz(sa);
  o[2] = __ffs(sa);
  o[3] = __brev(a);
  o[4] = __popcll(w);
  o[5] = __clzll(static_cast<long long>(w));
  o[6] = __ffsll(static_cast<long long>(w));
  o[7] = static_cast<long long>(__brevll(w));
  o[8] = __mulhi(sa, sb);
  o[9] = __umulhi(a, b);
  o[10] = __mul64hi(static_cast<long long>(w), static_cast<long long>(v));
  o[11] = static_cast<long long>(__umul64hi(w, v));
  o[12] = __mul24(sa, sb);
  o[13] = __umul24(a, b);
  o[14] = __sad(sa, sb, c);
  o[15] = __usad(a, b, c);
  o[16] = __hadd(sa, sb);
  o[17] = __rhadd(sa, sb);
  o[18] = __uhadd(a, b);
  o[19] = __urhadd(a, b);
  o[20] = __byte_perm(a, b, c & 0x7777u);
  o[21] = __byte_perm(a, b, 0x0123);
  o[22] = __funnelshift_l(a, b, c);
  o[23] = __funnelshift_r(a, b, c);
  o[24] = __funnelshift_lc(a, b, c);
  o[25] = __funnelshift_rc(a, b, c);
  o[26] = __dp4a(sa, sb, static_cast<int>(c));
  o[27] = __dp4a(a, b, c);
  o[28] = min(sa, sb);
  o[29] = max(a, b);
  o[30] = abs(sa == -2147483647 - 1 ? 0 : sa);
  o[31] = llabs(static_cast<long long>(w >> 1));
  o[32] = min(static_cast<long long>(w), static_cast<long long>(v));
  o[33] = static_cast<long long>(max(w, v));
  o[34] = umin(a, b);
  o[35] = umax(a, c);
  o[36] = static_cast<long long>(__saturatef(sa * 1e-9f) * 1000000);
  o[37] = __ffs(0) * 10 + __clz(0) + __popc(0);
  o[38] = __dp2a_lo(sa, sb, static_cast<int>(c));
  o[39] = __dp2a_hi(a, b, c);
}

unsigned reverse(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
  return r;
}
int highest(unsigned long long x) {
  int n = 0;
  while (x) x >>= 1, ++n;
  return n;
}
int lowest(unsigned long long x) {
  for (int i = 0; i < 64; ++i)
    if (x >> i & 1) return i + 1;
  return 0;
}
int bits(unsigned long long x) {
  int n = 0;
  for (; x; x >>= 1) n += x & 1;
  return n;
}
unsigned permute(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned s = selector >> (4 * i) & 15;
    r |= static_cast<unsigned>(both >> (8 * (s & 7)) & 255) << (8 * i);
  }
  return r;
}

int main() {
  const int n = 3 * 97;
  check::Random random(103);
  std::vector<unsigned> in(n * 3);
  for (auto& x : in) x = static_cast<unsigned>(random.bits() >> random.integer(0, 63));
  const unsigned corners[] = {0, 1, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0xffffu, 32, 31, 33};
  for (int i = 0; i < 81 * 3; ++i)
    in[i] = corners[(i % 3 == 0 ? i / 3 : i % 3 == 1 ? i / 27 : i / 9) % 9];
  for (int i = 0; i < n; ++i) in[i * 3 + 2] &= i % 2 ? 0x7777u : 0xffffffffu;
  check::Array<unsigned> source(in);
  check::Array<long long> out(n * results);
  device<<<3, 97>>>(source.data(), out.data());
  std::vector<long long> want(n * results);
  for (int i = 0; i < n; ++i) {
    const unsigned a = in[i * 3], b = in[i * 3 + 1], c = in[i * 3 + 2];
    const int sa = static_cast<int>(a), sb = static_cast<int>(b);
    const unsigned long long w = static_cast<unsigned long long>(a) << 32 | b;
    const unsigned long long v = static_cast<unsigned long long>(c) << 32 | a;
    long long* o = &want[i * results];
    using Wide = __int128;
    using UWide = unsigned __int128;
    o[0] = bits(a);
    o[1] = 32 - highest(a);
    o[2] = lowest(a);
    o[3] = reverse(a);
    o[4] = bits(w);
    o[5] = 64 - highest(w);
    o[6] = lowest(w);
    o[7] = static_cast<long long>(static_cast<unsigned long long>(reverse(b)) << 32 | reverse(a));
    o[8] = static_cast<long long>(sa) * sb >> 32;
    o[9] = static_cast<long long>(static_cast<unsigned long long>(a) * b >> 32);
    o[10] = static_cast<long long>(
        Wide(static_cast<long long>(w)) * Wide(static_cast<long long>(v)) >> 64);
    o[11] = static_cast<long long>(UWide(w) * UWide(v) >> 64);
    const long long a24 = static_cast<int>(a << 8) >> 8, b24 = static_cast<int>(b << 8) >> 8;
    o[12] = static_cast<int>(a24 * b24);
    o[13] = static_cast<unsigned>(static_cast<unsigned long long>(a & 0xffffff) * (b & 0xffffff));
    o[14] = static_cast<unsigned>(
        c + static_cast<unsigned>(std::llabs(static_cast<long long>(sa) - sb)));
    o[15] = static_cast<unsigned>(c + (a > b ? a - b : b - a));
    o[16] = (static_cast<long long>(sa) + sb) >> 1;
    o[17] = (static_cast<long long>(sa) + sb + 1) >> 1;
    o[18] = static_cast<long long>((static_cast<unsigned long long>(a) + b) >> 1);
    o[19] = static_cast<long long>((static_cast<unsigned long long>(a) + b + 1) >> 1);
    o[20] = permute(a, b, c & 0x7777u);
    o[21] = permute(a, b, 0x0123);
    const unsigned long long hl = static_cast<unsigned long long>(b) << 32 | a;
    const unsigned wrap = c & 31, clamp = std::min(c, 32u);
    o[22] = static_cast<unsigned>(hl << wrap >> 32);
    o[23] = static_cast<unsigned>(hl >> wrap);
    o[24] = static_cast<unsigned>(clamp == 32 ? a : hl << clamp >> 32);
    o[25] = static_cast<unsigned>(clamp == 32 ? b : hl >> clamp);
    long long signed_dot = static_cast<int>(c), unsigned_dot = c;
    for (int k = 0; k < 4; ++k) {
      signed_dot += static_cast<signed char>(a >> (8 * k)) * static_cast<signed char>(b >> (8 * k));
      unsigned_dot += (a >> (8 * k) & 255) * (b >> (8 * k) & 255);
    }
    o[26] = static_cast<int>(signed_dot);
    o[27] = static_cast<unsigned>(unsigned_dot);
    o[28] = std::min(sa, sb);
    o[29] = std::max(a, b);
    o[30] = sa == -2147483647 - 1 ? 0 : std::abs(sa);
    o[31] = static_cast<long long>(w >> 1);
    o[32] = std::min(static_cast<long long>(w), static_cast<long long>(v));
    o[33] = static_cast<long long>(std::max(w, v));
    o[34] = std::min(a, b);
    o[35] = std::max(a, c);
    o[36] = static_cast<long long>(std::fmin(std::fmax(sa * 1e-9f, 0.0f), 1.0f) * 1000000);
    o[37] = 32;
    const auto half = [](unsigned x, int k) { return static_cast<short>(x >> (16 * k)); };
    o[38] = static_cast<int>(static_cast<int>(c) +
                             static_cast<long long>(half(a, 0)) * static_cast<signed char>(b) +
                             static_cast<long long>(half(a, 1)) * static_cast<signed char>(b >> 8));
    o[39] = static_cast<unsigned>(c + (a & 0xffff) * (b >> 16 & 255) + (a >> 16) * (b >> 24));
  }
  const auto got = out.get();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < results; ++k)
      if (!CHECK_EQ(got[i * results + k], want[i * results + k]))
        std::fprintf(stderr, "  result %d of inputs %08x %08x %08x\n", k, in[i * 3], in[i * 3 + 1],
                     in[i * 3 + 2]);
  return check::finish();
}
