// Integer instructions in inline PTX against plain C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Inline PTX | add, sub, mul (.lo, .hi, .wide), mad, mul24, mad24, sad, min, max, abs, neg, div, rem, saturation
// FEATURE: Inline PTX | and, or, xor, not, cnot, lop3, shl, shr (clamped), shf, bfe, bfi, bmsk, prmt in all modes, brev, popc, clz, bfind, dp4a, dp2a
// FEATURE: Inline PTX | setp with predicates, @p and @!p, selp, slct, set; registers, scopes, labels and branches in a statement
#include "check.h"

#include <algorithm>
#include <utility>

// One, two, three inputs of 32 bits.
#define ONE(text)                  \
  ({                               \
    unsigned r_;                   \
    asm(text : "=r"(r_) : "r"(a)); \
    r_;                            \
  })
#define TWO(text)                          \
  ({                                       \
    unsigned r_;                           \
    asm(text : "=r"(r_) : "r"(a), "r"(b)); \
    r_;                                    \
  })
#define THREE(text)                                \
  ({                                               \
    unsigned r_;                                   \
    asm(text : "=r"(r_) : "r"(a), "r"(b), "r"(c)); \
    r_;                                            \
  })
#define LONG1(text)                \
  ({                               \
    unsigned long long r_;         \
    asm(text : "=l"(r_) : "l"(w)); \
    r_;                            \
  })
#define LONG2(text)                        \
  ({                                       \
    unsigned long long r_;                 \
    asm(text : "=l"(r_) : "l"(w), "l"(v)); \
    r_;                                    \
  })
#define LONG_INT(text)                     \
  ({                                       \
    unsigned long long r_;                 \
    asm(text : "=l"(r_) : "l"(w), "r"(b)); \
    r_;                                    \
  })
#define INT_LONG(text)             \
  ({                               \
    unsigned r_;                   \
    asm(text : "=r"(r_) : "l"(w)); \
    r_;                            \
  })
// Places and lengths above 255 are cut to a byte by the manual; ptxas does not, of 64 bits.
#define FIELD64(text)                                          \
  ({                                                           \
    unsigned long long r_;                                     \
    asm(text : "=l"(r_) : "l"(w), "r"(b & 255), "r"(c & 255)); \
    r_;                                                        \
  })

constexpr int results = 96;

__global__ void device(const unsigned* in, unsigned long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = in[i * 3], b = in[i * 3 + 1], c = in[i * 3 + 2];
  const unsigned long long w = static_cast<unsigned long long>(a) << 32 | b;
  const unsigned long long v = static_cast<unsigned long long>(c) << 32 | a;
  unsigned long long* o = out + i * results;
  o[0] = TWO("add.u32 %0, %1, %2;");
  o[1] = TWO("sub.s32 %0, %1, %2;");
  o[2] = TWO("mul.lo.u32 %0, %1, %2;");
  o[3] = TWO("mul.hi.u32 %0, %1, %2;");
  o[4] = TWO("mul.hi.s32 %0, %1, %2;");
  o[5] = THREE("mad.lo.s32 %0, %1, %2, %3;");
  o[6] = THREE("mad.hi.u32 %0, %1, %2, %3;");
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(o[7]) : "r"(a), "r"(b), "l"(v));
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(o[8]) : "r"(a), "r"(b));
  o[9] = TWO("add.sat.s32 %0, %1, %2;");
  o[10] = TWO("sub.sat.s32 %0, %1, %2;");
  o[11] = THREE("mad24.lo.u32 %0, %1, %2, %3;");
  o[12] = TWO("mul24.hi.s32 %0, %1, %2;");
  o[13] = THREE("sad.u32 %0, %1, %2, %3;");
  o[14] = THREE("sad.s32 %0, %1, %2, %3;");
  o[15] = TWO("min.s32 %0, %1, %2;");
  o[16] = TWO("max.u32 %0, %1, %2;");
  o[17] = ONE("abs.s32 %0, %1;");
  o[18] = ONE("neg.s32 %0, %1;");
  o[19] = b ? TWO("div.u32 %0, %1, %2;") : 0;
  o[20] = b ? TWO("rem.s32 %0, %1, %2;") : 0;
  o[21] = TWO("and.b32 %0, %1, %2;");
  o[22] = TWO("or.b32 %0, %1, %2;");
  o[23] = TWO("xor.b32 %0, %1, %2;");
  o[24] = ONE("not.b32 %0, %1;");
  o[25] = ONE("cnot.b32 %0, %1;");
  o[26] = THREE("lop3.b32 %0, %1, %2, %3, 0x96;");
  o[27] = THREE("lop3.b32 %0, %1, %2, %3, 0xb8;");
  o[28] = THREE("lop3.b32 %0, %1, %2, %3, 0x1d;");
  o[29] = TWO("shl.b32 %0, %1, %2;");
  o[30] = TWO("shr.u32 %0, %1, %2;");
  o[31] = TWO("shr.s32 %0, %1, %2;");
  o[32] = ONE("shl.b32 %0, %1, 32;");
  o[33] = ONE("shr.s32 %0, %1, 40;");
  o[34] = THREE("shf.l.wrap.b32 %0, %1, %2, %3;");
  o[35] = THREE("shf.r.wrap.b32 %0, %1, %2, %3;");
  o[36] = THREE("shf.l.clamp.b32 %0, %1, %2, %3;");
  o[37] = THREE("shf.r.clamp.b32 %0, %1, %2, %3;");
  o[38] = THREE("bfe.u32 %0, %1, %2, %3;");
  o[39] = THREE("bfe.s32 %0, %1, %2, %3;");
  o[40] = FIELD64("bfe.u64 %0, %1, %2, %3;");
  o[41] = FIELD64("bfe.s64 %0, %1, %2, %3;");
  asm("bfi.b32 %0, %1, %2, %3, 11;" : "=r"(*(unsigned*)&o[42]) : "r"(a), "r"(b), "r"(c));
  o[42] &= 0xffffffffu;
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(o[43]) : "l"(w), "l"(v), "r"(b & 255), "r"(c & 255));
  o[44] = THREE("prmt.b32 %0, %1, %2, %3;");
  o[45] = THREE("prmt.b32.f4e %0, %1, %2, %3;");
  o[46] = THREE("prmt.b32.b4e %0, %1, %2, %3;");
  o[47] = THREE("prmt.b32.rc8 %0, %1, %2, %3;");
  o[48] = THREE("prmt.b32.ecl %0, %1, %2, %3;");
  o[49] = THREE("prmt.b32.ecr %0, %1, %2, %3;");
  o[50] = THREE("prmt.b32.rc16 %0, %1, %2, %3;");
  o[51] = ONE("brev.b32 %0, %1;");
  o[52] = LONG1("brev.b64 %0, %1;");
  o[53] = ONE("popc.b32 %0, %1;");
  o[54] = INT_LONG("popc.b64 %0, %1;");
  o[55] = ONE("clz.b32 %0, %1;");
  o[56] = INT_LONG("clz.b64 %0, %1;");
  o[57] = ONE("bfind.u32 %0, %1;");
  o[58] = ONE("bfind.s32 %0, %1;");
  o[59] = INT_LONG("bfind.u64 %0, %1;");
  o[60] = ONE("bfind.shiftamt.u32 %0, %1;");
  o[61] = THREE("dp4a.u32.u32 %0, %1, %2, %3;");
  o[62] = THREE("dp4a.s32.u32 %0, %1, %2, %3;");
  o[63] = THREE("dp2a.lo.s32.s32 %0, %1, %2, %3;");
  o[64] = THREE("dp2a.hi.u32.s32 %0, %1, %2, %3;");
  o[65] = LONG2("add.u64 %0, %1, %2;");
  o[66] = LONG2("mul.hi.u64 %0, %1, %2;");
  o[67] = LONG2("mul.hi.s64 %0, %1, %2;");
  o[68] = LONG_INT("shl.b64 %0, %1, %2;");
  o[69] = LONG_INT("shr.s64 %0, %1, %2;");
  o[70] = LONG2("max.s64 %0, %1, %2;");
  o[71] = THREE("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.b32 %0, %3, %1, p; }");
  o[72] = THREE(
      "{\n\t.reg .pred p, q;\n\tsetp.ge.u32 p|q, %1, %2;\n\tmov.u32 %0, 7;\n\t@p add.u32 %0, %0, "
      "%3;\n\t@!p sub.u32 %0, %0, %3;\n\t@q xor.b32 %0, %0, 0x55; // last\n\t}");
  o[73] = THREE("slct.u32.s32 %0, %1, %2, %3;");
  o[74] = TWO("set.lt.u32.s32 %0, %1, %2;");
  o[75] = THREE(
      "{ .reg .pred p, q; setp.ne.s32 q, %3, 0; setp.gt.and.s32 p, %1, %2, q; selp.u32 %0, 1, 0, "
      "p; "
      "}");
  o[76] = THREE(
      "{ .reg .pred p, q; setp.eq.b32 q, %3, 0; setp.hi.or.u32 p, %1, %2, !q; selp.u32 %0, 1, 0, "
      "p; "
      "}");
  // Counts the bits of %1 & 0xffff, lowest first.
  o[77] =
      ONE("{ .reg .u32 x, one;\n .reg .pred more;\n and.b32 x, %1, 0xffff;\n mov.u32 %0, 0;\n"
          "again_%=: and.b32 one, x, 1; add.u32 %0, %0, one; shr.u32 x, x, 1;\n"
          " setp.ne.u32 more, x, 0;\n @more bra.uni again_%=;\n }");
  unsigned r = a;
  asm("{ .reg .b32 t<3>; add.u32 t1, %0, 1; { .reg .b32 t1; mov.b32 t1, 100; add.u32 t2, t1, %1; } "
      "xor.b32 %0, t1, t2; }"
      : "+r"(r)
      : "r"(b));
  o[78] = r;
  unsigned low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(w));
  o[79] = low ^ high;
  asm("mov.b64 %0, {%1, %2};" : "=l"(o[80]) : "r"(b), "r"(c));
  asm("{ .reg .b16 x, y; mov.b32 {x, y}, %1; mov.b32 %0, {y, x}; }" : "=r"(r) : "r"(a));
  o[81] = r;
  asm("cvt.u8.u32 %0, %1;" : "=r"(r) : "r"(a));
  o[82] = r;
  asm("cvt.s16.s32 %0, %1;" : "=r"(r) : "r"(a));
  o[83] = r;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(a));
  o[84] = r;
  asm("cvt.sat.u16.s32 %0, %1;" : "=r"(r) : "r"(a));
  o[85] = r;
  asm("cvt.s64.s32 %0, %1;" : "=l"(o[86]) : "r"(a));
  short h = static_cast<short>(a), g;
  asm("shr.s16 %0, %1, %2;" : "=h"(g) : "h"(h), "r"(b));
  o[87] = static_cast<unsigned short>(g);
  asm("mul.wide.u16 %0, %1, %2;" : "=r"(r) : "h"(h), "h"(static_cast<short>(b)));
  o[88] = r;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "n"(12345), "r"(-7));
  o[89] = r;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(b & 63), "r"(c & 63));
  o[90] = r;
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r) : "r"(b), "r"(c));
  o[91] = r;
  asm("" : "+r"(r));
  o[92] = r;
  asm("mov.u32 %0, 0x10; add.u32 %0, %0, 010; sub.u32 %0, %0, 0b11; add.s32 %0, %0, -5;" : "=r"(r));
  o[93] = r;
  o[94] = TWO("min.u32 %0, %1, %2;");
  o[95] = LONG2("sub.s64 %0, %1, %2;");
}

template <int table>
__device__ unsigned lop3_of(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "n"(table));
  return r;
}
/// Rows 0 to 7 stand in bits 0 to 7 of the inputs, so the result is the table.
template <int... table>
__device__ void all_tables(unsigned* out, std::integer_sequence<int, table...>) {
  ((out[table] = lop3_of<table>(0xf0, 0xcc, 0xaa) & 0xff), ...);
}
__global__ void every_table(unsigned* out) {
  all_tables(out, std::make_integer_sequence<int, 256>());
}

void test_tables() {
  check::Array<unsigned> out(256);
  every_table<<<1, 1>>>(out.data());
  std::vector<unsigned> want(256);
  for (unsigned i = 0; i < 256; ++i) want[i] = i;
  check::equal("lop3", out.get(), want);
}

using u32 = unsigned;
using u64 = unsigned long long;
using Wide = __int128;
using UWide = unsigned __int128;

u32 clamp32(long long x) {
  return static_cast<u32>(std::clamp<long long>(x, -2147483648ll, 2147483647ll));
}
int highest(u64 x) {  // -1: none
  int n = -1;
  for (; x; x >>= 1) ++n;
  return n;
}
template <class T>
T reversed(T x) {
  T r = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i) r = static_cast<T>(r << 1 | (x >> i & 1));
  return r;
}
u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i)
    r |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
  return r;
}
/// As the PTX manual writes it.
u64 bfe(u64 a, u32 b, u32 c, unsigned msb, bool is_signed) {
  const unsigned pos = b & 0xff, len = c & 0xff;
  u64 sbit = 0;
  if (is_signed && len != 0) sbit = a >> std::min(pos + len - 1, msb) & 1;
  u64 d = 0;
  for (unsigned i = 0; i <= msb; ++i)
    d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit) << i;
  return d;
}
u64 bfi(u64 a, u64 b, u32 c, u32 d, unsigned msb) {
  const unsigned pos = c & 0xff, len = d & 0xff;
  u64 f = b;
  for (unsigned i = 0; i < len && pos + i <= msb; ++i)
    f = (f & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
  return f;
}
u32 byte_at(u32 a, u32 b, u32 index) {
  return static_cast<u32>((static_cast<u64>(b) << 32 | a) >> 8 * index & 0xff);
}
u32 prmt(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 s = c >> 4 * i & 15, byte = byte_at(a, b, s & 7);
    r |= (s & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << 8 * i;
  }
  return r;
}
/// The manual's tables: bytes 3, 2, 1, 0 for c & 3 = 0 to 3.
u32 prmt_mode(u32 a, u32 b, u32 c, const char* rows) {
  const char* row = rows + 4 * (c & 3);
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r = r << 8 | byte_at(a, b, row[i] - '0');
  return r;
}

void host(u32 a, u32 b, u32 c, u64* o) {
  const auto sa = static_cast<int>(a), sb = static_cast<int>(b), sc = static_cast<int>(c);
  const u64 w = static_cast<u64>(a) << 32 | b, v = static_cast<u64>(c) << 32 | a;
  const auto sw = static_cast<long long>(w), sv = static_cast<long long>(v);
  const auto low24 = [](u32 x) { return x & 0xffffff; };
  const auto signed24 = [](u32 x) { return static_cast<int>(x << 8) >> 8; };
  o[0] = a + b;
  o[1] = a - b;
  o[2] = a * b;
  o[3] = static_cast<u64>(a) * b >> 32;
  o[4] = static_cast<u32>(static_cast<long long>(sa) * sb >> 32);
  o[5] = a * b + c;
  o[6] = static_cast<u32>((static_cast<u64>(a) * b >> 32) + c);
  o[7] = static_cast<u64>(a) * b + v;
  o[8] = static_cast<u64>(static_cast<long long>(sa) * sb);
  o[9] = clamp32(static_cast<long long>(sa) + sb);
  o[10] = clamp32(static_cast<long long>(sa) - sb);
  o[11] = static_cast<u32>(static_cast<u64>(low24(a)) * low24(b)) + c;
  o[12] = static_cast<u32>(static_cast<long long>(signed24(a)) * signed24(b) >> 16);
  o[13] = c + (a < b ? b - a : a - b);
  o[14] = c + (sa < sb ? b - a : a - b);
  o[15] = static_cast<u32>(std::min(sa, sb));
  o[16] = std::max(a, b);
  o[17] = sa < 0 ? 0 - a : a;
  o[18] = 0 - a;
  o[19] = b ? a / b : 0;
  o[20] = b == 0 || sb == -1 ? 0 : static_cast<u32>(sa % sb);
  o[21] = a & b;
  o[22] = a | b;
  o[23] = a ^ b;
  o[24] = static_cast<u32>(~a);
  o[25] = a == 0;
  o[26] = lop3(a, b, c, 0x96);
  o[27] = lop3(a, b, c, 0xb8);
  o[28] = lop3(a, b, c, 0x1d);
  o[29] = b > 31 ? 0 : a << b;
  o[30] = b > 31 ? 0 : a >> b;
  o[31] = static_cast<u32>(sa >> std::min(b, 31u));
  o[32] = 0;
  o[33] = static_cast<u32>(sa >> 31);
  const u64 both = static_cast<u64>(b) << 32 | a;
  o[34] = static_cast<u32>(both << (c & 31) >> 32);
  o[35] = static_cast<u32>(both >> (c & 31));
  o[36] = static_cast<u32>(both << std::min(c, 32u) >> 32);
  o[37] = static_cast<u32>(both >> std::min(c, 32u));
  o[38] = bfe(a, b, c, 31, false);
  o[39] = bfe(a, b, c, 31, true);
  o[40] = bfe(w, b, c, 63, false);
  o[41] = bfe(w, b, c, 63, true);
  o[42] = bfi(a, b, c, 11, 31);
  o[43] = bfi(w, v, b, c, 63);
  o[44] = prmt(a, b, c);
  o[45] = prmt_mode(a, b, c, "3210432154326543");
  o[46] = prmt_mode(a, b, c, "5670670170120123");
  o[47] = prmt_mode(a, b, c, "0000111122223333");
  o[48] = prmt_mode(a, b, c, "3210321132223333");
  o[49] = prmt_mode(a, b, c, "0000111022103210");
  o[50] = prmt_mode(a, b, c, "1010323210103232");
  o[51] = reversed(a);
  o[52] = reversed(w);
  o[53] = __builtin_popcount(a);
  o[54] = __builtin_popcountll(w);
  o[55] = 31 - highest(a);
  o[56] = 63 - highest(w);
  o[57] = static_cast<u32>(highest(a));
  o[58] = static_cast<u32>(highest(sa < 0 ? ~a : a));
  o[59] = static_cast<u32>(highest(w));
  o[60] = a ? 31 - highest(a) : 0xffffffffu;
  u32 d = c, e = c, f = c, g = c;
  for (int i = 0; i < 4; ++i) {
    d += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    e += static_cast<signed char>(a >> 8 * i) * static_cast<int>(b >> 8 * i & 255);
  }
  for (int i = 0; i < 2; ++i) {
    f += static_cast<short>(a >> 16 * i) * static_cast<signed char>(b >> 8 * i);
    g += (a >> 16 * i & 0xffff) * static_cast<signed char>(b >> (8 * i + 16));
  }
  o[61] = d, o[62] = e, o[63] = f, o[64] = g;
  o[65] = w + v;
  o[66] = static_cast<u64>(static_cast<UWide>(w) * v >> 64);
  o[67] = static_cast<u64>(static_cast<Wide>(sw) * sv >> 64);
  o[68] = b > 63 ? 0 : w << b;
  o[69] = static_cast<u64>(sw >> std::min(b, 63u));
  o[70] = static_cast<u64>(std::max(sw, sv));
  o[71] = sa < sb ? c : a;
  o[72] = a >= b ? 7 + c : (7 - c) ^ 0x55;
  o[73] = sc >= 0 ? a : b;
  o[74] = sa < sb ? 0xffffffffu : 0;
  o[75] = sa > sb && c != 0;
  o[76] = a > b || c != 0;
  o[77] = __builtin_popcount(a & 0xffff);
  o[78] = (a + 1) ^ (100 + b);
  o[79] = a ^ b;
  o[80] = static_cast<u64>(c) << 32 | b;
  o[81] = a << 16 | a >> 16;
  o[82] = a & 255;
  o[83] = static_cast<u32>(static_cast<short>(a));
  o[84] = static_cast<u32>(std::clamp(sa, -128, 127));
  o[85] = static_cast<u32>(std::clamp(sa, 0, 65535));
  o[86] = static_cast<u64>(static_cast<long long>(sa));
  o[87] = static_cast<unsigned short>(static_cast<short>(a) >> std::min(b, 15u));
  o[88] = (a & 0xffff) * (b & 0xffff);
  o[89] = a * 12345 - 7;
  const auto mask = [](u32 from, u32 length) {
    u64 m = 0;
    for (u32 i = 0; i < length && from + i < 32; ++i) m |= 1ull << (from + i);
    return m;
  };
  o[90] = mask(b & 63, c & 63);
  o[91] = mask(b & 31, c & 31);
  o[92] = o[91];
  o[93] = 16 + 8 - 3 - 5;
  o[94] = std::min(a, b);
  o[95] = w - v;
}

int main() {
  const int n = 5 * 131 - 17;
  check::Random random(907);
  std::vector<unsigned> in(n * 3);
  for (auto& x : in) x = static_cast<unsigned>(random.bits() >> random.integer(0, 63));
  const unsigned corners[] = {0, 1, 0xffffffffu, 0x80000000u, 0x7fffffffu, 8, 32, 31, 33};
  for (int i = 0; i < 729 && i * 3 + 2 < n * 3; ++i) {
    if (i % 3 == 2) continue;
    in[i * 3] = corners[i % 9], in[i * 3 + 1] = corners[i / 9 % 9],
           in[i * 3 + 2] = corners[i / 81 % 9];
  }
  check::Array<unsigned> source(in);
  check::Array<unsigned long long> out(n * results);
  device<<<5, 131>>>(source.data(), out.data(), n);
  std::vector<unsigned long long> want(n * results);
  for (int i = 0; i < n; ++i) host(in[i * 3], in[i * 3 + 1], in[i * 3 + 2], &want[i * results]);
  const auto got = out.get();
  for (int k = 0; k < results; ++k) {  // by instruction, so that a failure names it
    std::vector<unsigned long long> g(n), w(n);
    for (int i = 0; i < n; ++i) g[i] = got[i * results + k], w[i] = want[i * results + k];
    check::equal("result " + std::to_string(k), g, w);
  }
  test_tables();
  return check::finish();
}
