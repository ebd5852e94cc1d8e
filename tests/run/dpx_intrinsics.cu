// Dynamic-programming intrinsics against plain C++, in device and in host code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Integer intrinsics | dynamic programming: __viaddmax, __viaddmin, __vimax3, __vimin3 (_s32, _u32, _s16x2, _u16x2, _relu), __vimax_s32_relu, __vibmax, __vibmin
#include "check.h"

#include <algorithm>

using u32 = unsigned;
constexpr int results = 40;

__host__ __device__ void compute(u32 a, u32 b, u32 c, u32* o) {
  const int x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(c);
  o[0] = __viaddmax_s32(x, y, z);
  o[1] = __viaddmax_s32_relu(x, y, z);
  o[2] = __viaddmax_u32(a, b, c);
  o[3] = __viaddmax_s16x2(a, b, c);
  o[4] = __viaddmax_s16x2_relu(a, b, c);
  o[5] = __viaddmax_u16x2(a, b, c);
  o[6] = __viaddmin_s32(x, y, z);
  o[7] = __viaddmin_s32_relu(x, y, z);
  o[8] = __viaddmin_u32(a, b, c);
  o[9] = __viaddmin_s16x2(a, b, c);
  o[10] = __viaddmin_s16x2_relu(a, b, c);
  o[11] = __viaddmin_u16x2(a, b, c);
  o[12] = __vimax3_s32(x, y, z);
  o[13] = __vimax3_s32_relu(x, y, z);
  o[14] = __vimax3_u32(a, b, c);
  o[15] = __vimax3_s16x2(a, b, c);
  o[16] = __vimax3_s16x2_relu(a, b, c);
  o[17] = __vimax3_u16x2(a, b, c);
  o[18] = __vimin3_s32(x, y, z);
  o[19] = __vimin3_s32_relu(x, y, z);
  o[20] = __vimin3_u32(a, b, c);
  o[21] = __vimin3_s16x2(a, b, c);
  o[22] = __vimin3_s16x2_relu(a, b, c);
  o[23] = __vimin3_u16x2(a, b, c);
  o[24] = __vimax_s32_relu(x, y);
  o[25] = __vimin_s32_relu(x, y);
  o[26] = __vimax_s16x2_relu(a, b);
  o[27] = __vimin_s16x2_relu(a, b);
  bool first, high, low;
  const auto noted = [&](u32 value) { return value ^ (first ? 0x40000000u : 0); };
  const auto both = [&](u32 value) { return value ^ (high ? 0x4000u : 0) ^ (low ? 0x8000u : 0); };
  u32 r;
  r = __vibmax_s32(x, y, &first), o[28] = noted(r);
  r = __vibmax_u32(a, b, &first), o[29] = noted(r);
  r = __vibmin_s32(x, y, &first), o[30] = noted(r);
  r = __vibmin_u32(a, b, &first), o[31] = noted(r);
  r = __vibmax_s16x2(a, b, &high, &low), o[32] = both(r);
  r = __vibmax_u16x2(a, b, &high, &low), o[33] = both(r);
  r = __vibmin_s16x2(a, b, &high, &low), o[34] = both(r);
  r = __vibmin_u16x2(a, b, &high, &low), o[35] = both(r);
  for (int i = 36; i < results; ++i) o[i] = 0;
}

__global__ void device(const u32* in, u32* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) compute(in[3 * i], in[3 * i + 1], in[3 * i + 2], out + results * i);
}

template <class F>
u32 halves(u32 a, u32 b, u32 c, F each) {
  return static_cast<u32>(each(a & 0xffff, b & 0xffff, c & 0xffff) & 0xffff) |
         static_cast<u32>(each(a >> 16, b >> 16, c >> 16) & 0xffff) << 16;
}

void expect(u32 a, u32 b, u32 c, u32* o) {
  const auto s = [](u32 x) { return static_cast<long long>(static_cast<int>(x)); };
  const auto h = [](u32 x) { return static_cast<long long>(static_cast<short>(x)); };
  const auto most = [](auto x, auto y, auto z) { return std::max(std::max(x, y), z); };
  const auto least = [](auto x, auto y, auto z) { return std::min(std::min(x, y), z); };
  const auto relu = [](long long x) { return std::max(x, 0ll); };
  o[0] = std::max(s(a + b), s(c));
  o[1] = relu(std::max(s(a + b), s(c)));
  o[2] = std::max(a + b, c);
  o[3] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return std::max(h(x + y), h(z)); });
  o[4] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return relu(std::max(h(x + y), h(z))); });
  o[5] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return std::max((x + y) & 0xffff, z); });
  o[6] = std::min(s(a + b), s(c));
  o[7] = relu(std::min(s(a + b), s(c)));
  o[8] = std::min(a + b, c);
  o[9] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return std::min(h(x + y), h(z)); });
  o[10] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return relu(std::min(h(x + y), h(z))); });
  o[11] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return std::min((x + y) & 0xffff, z); });
  o[12] = most(s(a), s(b), s(c));
  o[13] = relu(most(s(a), s(b), s(c)));
  o[14] = most(a, b, c);
  o[15] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return most(h(x), h(y), h(z)); });
  o[16] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return relu(most(h(x), h(y), h(z))); });
  o[17] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return most(x, y, z); });
  o[18] = least(s(a), s(b), s(c));
  o[19] = relu(least(s(a), s(b), s(c)));
  o[20] = least(a, b, c);
  o[21] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return least(h(x), h(y), h(z)); });
  o[22] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return relu(least(h(x), h(y), h(z))); });
  o[23] = halves(a, b, c, [&](u32 x, u32 y, u32 z) { return least(x, y, z); });
  o[24] = relu(std::max(s(a), s(b)));
  o[25] = relu(std::min(s(a), s(b)));
  o[26] = halves(a, b, 0, [&](u32 x, u32 y, u32) { return relu(std::max(h(x), h(y))); });
  o[27] = halves(a, b, 0, [&](u32 x, u32 y, u32) { return relu(std::min(h(x), h(y))); });
  const auto note = [](u32 value, bool first) { return first ? value ^ 0x40000000u : value; };
  o[28] = note(std::max(s(a), s(b)), s(a) >= s(b));
  o[29] = note(std::max(a, b), a >= b);
  o[30] = note(std::min(s(a), s(b)), s(a) <= s(b));
  o[31] = note(std::min(a, b), a <= b);
  const auto marks = [](u32 value, bool high, bool low) {
    return value ^ (high ? 0x4000u : 0) ^ (low ? 0x8000u : 0);
  };
  const u32 p = a >> 16, q = b >> 16, r = a & 0xffff, t = b & 0xffff;
  o[32] = marks(halves(a, b, 0, [&](u32 x, u32 y, u32) { return std::max(h(x), h(y)); }),
                h(p) >= h(q), h(r) >= h(t));
  o[33] = marks(halves(a, b, 0, [](u32 x, u32 y, u32) { return std::max(x, y); }), p >= q, r >= t);
  o[34] = marks(halves(a, b, 0, [&](u32 x, u32 y, u32) { return std::min(h(x), h(y)); }),
                h(p) <= h(q), h(r) <= h(t));
  o[35] = marks(halves(a, b, 0, [](u32 x, u32 y, u32) { return std::min(x, y); }), p <= q, r <= t);
}

int main() {
  const int n = 4 * 211 - 5;
  check::Random random(953);
  std::vector<u32> in(3 * n);
  for (auto& x : in) x = static_cast<u32>(random.bits());
  const u32 corners[] = {0, 0xffffffffu, 0x80007fffu, 0x7fff8000u, 0x80000000u, 0x7fffffffu, 1};
  for (int i = 0; i < 343; ++i)
    in[3 * i] = corners[i % 7], in[3 * i + 1] = corners[i / 7 % 7], in[3 * i + 2] = corners[i / 49];
  check::Array<u32> source(in), out(results * n);
  device<<<4, 211>>>(source.data(), out.data(), n);
  std::vector<u32> want(results * n, 0), host(results * n);
  for (int i = 0; i < n; ++i) {
    expect(in[3 * i], in[3 * i + 1], in[3 * i + 2], &want[results * i]);
    compute(in[3 * i], in[3 * i + 1], in[3 * i + 2], &host[results * i]);
  }
  check::equal("device", out.get(), want);
  check::equal("host", host, want);
  return check::finish();
}
