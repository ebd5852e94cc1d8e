// SIMD-in-a-word functions (__vadd4, __vabsdiffu2, __vcmpgts4, …) against lane-by-lane definitions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Integer intrinsics | SIMD in a word: __vadd2/4, __vaddss, __vabsdiffu, __vavgs, __vmaxu, __vcmpgts, __vsetltu, __vsads, ...
#include "check.h"

// One lane: `signed` values where the function's name ends in s.
struct Lane {
  int x, y;       // operands
  int low, high;  // bounds of the lane type
  int clamp(int value) const { return value < low ? low : value > high ? high : value; }
};

template <class Function>
unsigned by_lanes(unsigned a, unsigned b, int bits, bool is_signed, Function function) {
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    const unsigned mask = (1u << bits) - 1;
    Lane lane;
    lane.x = a >> shift & mask;
    lane.y = b >> shift & mask;
    lane.low = is_signed ? -(1 << (bits - 1)) : 0;
    lane.high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    if (is_signed && lane.x > lane.high) lane.x -= 1 << bits;
    if (is_signed && lane.y > lane.high) lane.y -= 1 << bits;
    result |= (static_cast<unsigned>(function(lane)) & mask) << shift;
  }
  return result;
}

template <class Function>
__global__ void apply(const unsigned* a, const unsigned* b, unsigned* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Function()(a[i], b[i]);
}

std::vector<unsigned> operands(int seed) {
  check::Random random(seed);
  const unsigned edges[] = {0,          0x80008000, 0x7fff7fff, 0xffffffff, 0x00010001,
                            0x80808080, 0x7f7f7f7f, 0x01010101, 0xff00ff00, 0x7f80807f};
  std::vector<unsigned> values;
  for (int i = 0; i < 4099; ++i) {
    values.push_back(random.integer(0, 3) == 0 ? edges[random.integer(0, 9)]
                                               : static_cast<unsigned>(random.bits()));
  }
  return values;
}

template <class Call, class Reference>
void test(const char* name, Reference reference) {
  const auto a = operands(1), b = operands(2);
  check::Array<unsigned> first(a), second(b), result(a.size());
  apply<Call><<<45, 93>>>(first.data(), second.data(), result.data(), static_cast<int>(a.size()));
  std::vector<unsigned> want;
  for (std::size_t i = 0; i < a.size(); ++i) want.push_back(reference(a[i], b[i]));
  check::equal(name, result.get(), want);
}

#define TEST_CALL(name, call, reference)                                                     \
  do {                                                                                       \
    struct Call {                                                                            \
      __device__ unsigned operator()(unsigned a, unsigned b) const { return (void)b, call; } \
    };                                                                                       \
    test<Call>(name, reference);                                                             \
  } while (0)
#define LANES(bits, is_signed, expression)                                                       \
  [](unsigned a, unsigned b) {                                                                   \
    return by_lanes(a, b, bits, is_signed, [](const Lane& l) { return (void)l, (expression); }); \
  }
#define TEST_BOTH(name, is_signed, expression)                           \
  TEST_CALL(#name "2", name##2(a, b), LANES(16, is_signed, expression)); \
  TEST_CALL(#name "4", name##4(a, b), LANES(8, is_signed, expression))
#define TEST_ONE(name, is_signed, expression)                         \
  TEST_CALL(#name "2", name##2(a), LANES(16, is_signed, expression)); \
  TEST_CALL(#name "4", name##4(a), LANES(8, is_signed, expression))
#define TEST_COMPARE(name, is_signed, operation)                  \
  TEST_BOTH(__vcmp##name, is_signed, l.x operation l.y ? -1 : 0); \
  TEST_BOTH(__vset##name, is_signed, l.x operation l.y ? 1 : 0)

unsigned sum_of_lanes(unsigned v, int bits) {
  unsigned sum = 0;
  for (int shift = 0; shift < 32; shift += bits) sum += v >> shift & ((1u << bits) - 1);
  return sum;
}
#define TEST_SUM(name, bits, is_signed)                                                            \
  TEST_CALL(#name, name(a, b), [](unsigned a, unsigned b) {                                        \
    return sum_of_lanes(                                                                           \
        by_lanes(a, b, bits, is_signed, [](const Lane& l) { return std::abs(l.x - l.y); }), bits); \
  })

int main() {
  TEST_BOTH(__vadd, false, l.x + l.y);
  TEST_BOTH(__vsub, false, l.x - l.y);
  TEST_BOTH(__vaddss, true, l.clamp(l.x + l.y));
  TEST_BOTH(__vaddus, false, l.clamp(l.x + l.y));
  TEST_BOTH(__vsubss, true, l.clamp(l.x - l.y));
  TEST_BOTH(__vsubus, false, l.clamp(l.x - l.y));
  TEST_BOTH(__vabsdiffs, true, std::abs(l.x - l.y));
  TEST_BOTH(__vabsdiffu, false, std::abs(l.x - l.y));
  TEST_BOTH(__vavgs, true, (l.x + l.y + (l.x + l.y >= 0 ? 1 : 0)) >> 1);
  TEST_BOTH(__vavgu, false, (l.x + l.y + 1) / 2);
  TEST_BOTH(__vhaddu, false, (l.x + l.y) / 2);
  TEST_BOTH(__vmaxs, true, l.x > l.y ? l.x : l.y);
  TEST_BOTH(__vmaxu, false, l.x > l.y ? l.x : l.y);
  TEST_BOTH(__vmins, true, l.x < l.y ? l.x : l.y);
  TEST_BOTH(__vminu, false, l.x < l.y ? l.x : l.y);
  TEST_ONE(__vneg, true, -l.x);
  TEST_ONE(__vnegss, true, l.clamp(-l.x));
  TEST_ONE(__vabs, true, std::abs(l.x));
  TEST_ONE(__vabsss, true, l.clamp(std::abs(l.x)));
  TEST_COMPARE(eq, false, ==);
  TEST_COMPARE(ne, false, !=);
  TEST_COMPARE(ges, true, >=);
  TEST_COMPARE(geu, false, >=);
  TEST_COMPARE(gts, true, >);
  TEST_COMPARE(gtu, false, >);
  TEST_COMPARE(les, true, <=);
  TEST_COMPARE(leu, false, <=);
  TEST_COMPARE(lts, true, <);
  TEST_COMPARE(ltu, false, <);
  TEST_SUM(__vsads2, 16, true);
  TEST_SUM(__vsads4, 8, true);
  TEST_SUM(__vsadu2, 16, false);
  TEST_SUM(__vsadu4, 8, false);
  return check::finish();
}
