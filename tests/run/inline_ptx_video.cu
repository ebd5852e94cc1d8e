// Video instructions in inline PTX against their definition, lane by lane.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Inline PTX | vadd, vsub, vavrg, vabsdiff, vmin, vmax, vset on two halves or four bytes (.sat, .add), and with vshl, vshr on words (.min, .max, .clamp, .wrap)
#include "check.h"

#define WORD(text)                                                      \
  ([&] {                                                                \
    unsigned made;                                                      \
    asm(text " %0, %1, %2, %3;" : "=r"(made) : "r"(a), "r"(b), "r"(c)); \
    return made;                                                        \
  }())

#define OF_TWO(text)                                        \
  ([&] {                                                    \
    unsigned made;                                          \
    asm(text " %0, %1, %2;" : "=r"(made) : "r"(a), "r"(b)); \
    return made;                                            \
  }())

constexpr int results = 38;

__global__ void video(const unsigned* as, const unsigned* bs, const unsigned* cs, unsigned* out) {
  const int i = check::global_index();
  const unsigned a = as[i], b = bs[i], c = cs[i];
  unsigned* o = out + i * results;
  o[0] = WORD("vadd4.u32.u32.u32");
  o[1] = WORD("vadd4.u32.u32.u32.sat");
  o[2] = WORD("vadd4.s32.s32.s32.sat");
  o[3] = WORD("vadd2.s32.s32.u32.add");
  o[4] = WORD("vsub4.s32.s32.s32.sat");
  o[5] = WORD("vsub4.u32.u32.u32.sat");
  o[6] = WORD("vsub2.s32.u32.u32");
  o[7] = WORD("vsub2.s32.u32.u32.add");
  o[8] = WORD("vavrg4.u32.u32.u32");
  o[9] = WORD("vavrg4.s32.s32.s32");
  o[10] = WORD("vavrg2.s32.s32.u32");
  o[11] = WORD("vabsdiff4.u32.u32.u32.add");
  o[12] = WORD("vabsdiff4.s32.s32.s32.add");
  o[13] = WORD("vabsdiff2.u32.u32.u32");
  o[14] = WORD("vabsdiff4.s32.s32.s32.sat");
  o[15] = WORD("vmin4.s32.s32.s32");
  o[16] = WORD("vmax4.u32.u32.u32");
  o[17] = WORD("vmax2.s32.s32.s32.add");
  o[18] = WORD("vset4.u32.u32.lt");
  o[19] = WORD("vset4.s32.s32.ge.add");
  o[20] = WORD("vset2.u32.u32.eq");
  o[21] = WORD("vmin2.s32.s32.u32.sat");
  o[22] = OF_TWO("vadd.u32.u32.u32");
  o[23] = OF_TWO("vadd.s32.s32.s32.sat");
  o[24] = WORD("vsub.s32.u32.u32.sat.min");
  o[25] = OF_TWO("vsub.u32.s32.u32.sat");
  o[26] = WORD("vabsdiff.u32.s32.s32.add");
  o[27] = WORD("vmin.u32.u32.u32.max");
  o[28] = WORD("vmax.s32.s32.s32.min");
  o[29] = OF_TWO("vmax.s32.s32.u32");
  o[30] = WORD("vshl.u32.u32.u32.clamp.add");
  o[31] = OF_TWO("vshl.u32.u32.u32.wrap");
  o[32] = OF_TWO("vshr.u32.s32.u32.sat.clamp");
  o[33] = OF_TWO("vshr.u32.u32.u32.clamp");
  o[34] = WORD("vshr.s32.s32.u32.wrap.max");
  o[35] = WORD("vset.s32.s32.lt.add");
  o[36] = OF_TWO("vset.u32.s32.ge");
  o[37] = OF_TWO("vset.u32.u32.eq");
}

struct Instruction {
  char operation;  // + - m(ean) d(ifference) < > and of vset l g e; of shifts [ { ] }, of 32 or 31
                   // at most
  int lanes;
  bool d_signed, a_signed, b_signed, saturates;
  int second;  // of what it makes and c: 1 sum, 2 min, 3 max
};
const Instruction instructions[results] = {
    {'+', 4, 0, 0, 0, 0, 0}, {'+', 4, 0, 0, 0, 1, 0}, {'+', 4, 1, 1, 1, 1, 0},
    {'+', 2, 1, 1, 0, 0, 1}, {'-', 4, 1, 1, 1, 1, 0}, {'-', 4, 0, 0, 0, 1, 0},
    {'-', 2, 1, 0, 0, 0, 0}, {'-', 2, 1, 0, 0, 0, 1}, {'m', 4, 0, 0, 0, 0, 0},
    {'m', 4, 1, 1, 1, 0, 0}, {'m', 2, 1, 1, 0, 0, 0}, {'d', 4, 0, 0, 0, 0, 1},
    {'d', 4, 1, 1, 1, 0, 1}, {'d', 2, 0, 0, 0, 0, 0}, {'d', 4, 1, 1, 1, 1, 0},
    {'<', 4, 1, 1, 1, 0, 0}, {'>', 4, 0, 0, 0, 0, 0}, {'>', 2, 1, 1, 1, 0, 1},
    {'l', 4, 0, 0, 0, 0, 0}, {'g', 4, 0, 1, 1, 0, 1}, {'e', 2, 0, 0, 0, 0, 0},
    {'<', 2, 1, 1, 0, 1, 0}, {'+', 1, 0, 0, 0, 0, 0}, {'+', 1, 1, 1, 1, 1, 0},
    {'-', 1, 1, 0, 0, 1, 2}, {'-', 1, 0, 1, 0, 1, 0}, {'d', 1, 0, 1, 1, 0, 1},
    {'<', 1, 0, 0, 0, 0, 3}, {'>', 1, 1, 1, 1, 0, 2}, {'>', 1, 1, 1, 0, 0, 0},
    {'[', 1, 0, 0, 0, 0, 1}, {'{', 1, 0, 0, 0, 0, 0}, {']', 1, 0, 1, 0, 1, 0},
    {']', 1, 0, 0, 0, 0, 0}, {'}', 1, 1, 1, 0, 0, 3}, {'l', 1, 0, 1, 1, 0, 1},
    {'g', 1, 0, 0, 1, 0, 0}, {'e', 1, 0, 0, 0, 0, 0}};

long lane_of(unsigned word, int index, int bits, bool is_signed) {
  const long cut = word >> (index * bits) & ((1l << bits) - 1);
  return is_signed && cut >> (bits - 1) ? cut - (1l << bits) : cut;
}

long apply(char operation, long a, long b) {
  switch (operation) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case 'm':
      return a + b >= 0 ? (a + b + 1) / 2 : -((-(a + b) + 1) / 2);
    case 'd':
      return a < b ? b - a : a - b;
    case '<':
      return a < b ? a : b;
    case '>':
      return a < b ? b : a;
    case 'l':
      return a < b;
    case 'g':
      return a >= b;
    case '[':
    case ']':
      b = b < 32 ? b : 32;
      return operation == '[' ? static_cast<long>(static_cast<unsigned long>(a) << b) : a >> b;
    case '{':
    case '}':
      b &= 31;
      return operation == '{' ? static_cast<long>(static_cast<unsigned long>(a) << b) : a >> b;
    default:
      return a == b;
  }
}

unsigned reference(const Instruction& one, unsigned a, unsigned b, unsigned c) {
  const int bits = 32 / one.lanes;
  unsigned made = one.second ? c : 0;
  for (int i = 0; i < one.lanes; ++i) {
    long lane =
        apply(one.operation, lane_of(a, i, bits, one.a_signed), lane_of(b, i, bits, one.b_signed));
    if (one.saturates) {
      const long least = one.d_signed ? -(1l << (bits - 1)) : 0;
      const long most = one.d_signed ? (1l << (bits - 1)) - 1 : (1l << bits) - 1;
      lane = lane < least ? least : lane > most ? most : lane;
    }
    const auto word = static_cast<unsigned>(lane);
    const bool is_less = one.d_signed ? int(word) < int(made) : word < made;
    if (one.second == 1)
      made += word;
    else if (one.second)
      made = is_less == (one.second == 2) ? word : made;
    else
      made |= static_cast<unsigned>(lane & ((1l << bits) - 1)) << (i * bits);
  }
  return made;
}

int main() {
  constexpr int n = 509 * 3;
  check::Random random(83);
  auto a = random.integers<unsigned>(n, 0, ~0u), b = random.integers<unsigned>(n, 0, ~0u);
  const auto c = random.integers<unsigned>(n, 0, ~0u);
  const unsigned edges[] = {0, ~0u, 0x80808080u, 0x7f7f7f7fu, 0x80007fffu, 0x01010101u};
  for (int i = 0; i < 36; ++i) a[i] = edges[i / 6], b[i] = edges[i % 6];
  for (int i = 100; i < 200; ++i) b[i] = a[i] ^ (0xffu << i % 4 * 8);
  for (int i = 200; i < 600; ++i) b[i] %= 40;  // of shifts
  check::Array<unsigned> as(a), bs(b), cs(c), out(n * results);
  video<<<3, 509>>>(as.data(), bs.data(), cs.data(), out.data());
  std::vector<unsigned> want(n * results);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < results; ++k)
      want[i * results + k] = reference(instructions[k], a[i], b[i], c[i]);
  check::equal("video", out.get(), want);
  return check::finish();
}
