// Loads, stores, atomics, address conversions and asynchronous copies in inline PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Inline PTX | ld, st of every width, .v2 and .v4, cache and eviction hints, .nc, .volatile, .relaxed, .acquire, .release; prefetch
// FEATURE: Inline PTX | shared memory through 32-bit addresses (cvta, __cvta_generic_to_shared, __cvta_shared_to_generic), static and dynamic
// FEATURE: Inline PTX | atom and red: add, and, or, xor, exch, min, max, inc, dec, cas, on integers, float and double; membar, fence
// FEATURE: Inline PTX | vectors of up to 16 bytes that other blocks watch (.relaxed, .volatile, .acquire, .release) are never seen half written
// FEATURE: Inline PTX | cp.async with and without zero fill, commit_group, wait_group, wait_all
#include "check.h"

#include <algorithm>

__global__ void widths(const unsigned char* bytes, unsigned* out, unsigned long long* wide,
                       float* reals, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned char* p = bytes + 32 * i;
  unsigned r0, r1, r2, r3, r4, r5, r6, r7;
  asm("ld.global.u8 %0, [%1];" : "=r"(r0) : "l"(p));
  asm("ld.global.s8 %0, [%1+1];" : "=r"(r1) : "l"(p));
  asm("ld.u16 %0, [%1+2];" : "=r"(r2) : "l"(p));
  asm("ld.global.cg.s16 %0, [%1+4];" : "=r"(r3) : "l"(p));
  asm("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4 + 16];"
      : "=r"(r4), "=r"(r5), "=r"(r6), "=r"(r7)
      : "l"(p));
  asm("ld.global.ca.b64 %0, [%1 + -8];" : "=l"(wide[2 * i]) : "l"(p + 16));
  unsigned long long address = reinterpret_cast<unsigned long long>(p), low, high;
  asm("{ .reg .u64 at; add.u64 at, %2, 16; ld.global.v2.u64 {%0, %1}, [at]; }"
      : "=l"(low), "=l"(high)
      : "l"(address));
  wide[2 * i + 1] = low ^ high;
  float f;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
  asm("ld.global.f32 %0, [%1+12];" : "=f"(f) : "l"(p));
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(reals + i), "f"(f) : "memory");
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(out + 8 * i), "r"(r0), "r"(r1));
  asm volatile("st.global.wb.u32 [%0+8], %1;" ::"l"(out + 8 * i), "r"(r2));
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 77; @p st.u32 [%0+12], %1; }" ::"l"(out + 8 * i),
               "r"(r3), "r"(r3));
  asm volatile("st.global.v4.b32 [%0+16], {%1, %2, %3, %4};" ::"l"(out + 8 * i), "r"(r4), "r"(r5),
               "r"(r6), "r"(r7));
}

void test_widths(int n) {
  check::Random random(911);
  std::vector<unsigned char> bytes(32 * n);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random.bits());
  for (int i = 0; i < n; ++i) bytes[32 * i + 15] &= 0x3f;  // no NaN
  check::Array<unsigned char> in(bytes);
  check::Array<unsigned> out(8 * n);
  check::Array<unsigned long long> wide(2 * n);
  check::Array<float> reals(n);
  widths<<<(n + 98) / 99, 99>>>(in.data(), out.data(), wide.data(), reals.data(), n);
  std::vector<unsigned> want(8 * n);
  std::vector<unsigned long long> want_wide(2 * n);
  std::vector<float> want_reals(n);
  for (int i = 0; i < n; ++i) {
    const unsigned char* p = &bytes[32 * i];
    unsigned* o = &want[8 * i];
    unsigned short half;
    o[0] = p[0];
    o[1] = static_cast<unsigned>(static_cast<signed char>(p[1]));
    std::memcpy(&half, p + 2, 2);
    o[2] = half;
    std::memcpy(&half, p + 4, 2);
    o[3] = static_cast<unsigned>(static_cast<short>(half));
    if (o[3] == 77) o[3] = 0xa5a5a5a5u;
    std::memcpy(o + 4, p + 16, 16);
    std::memcpy(&want_wide[2 * i], p + 8, 8);
    unsigned long long pair[2];
    std::memcpy(pair, p + 16, 16);
    want_wide[2 * i + 1] = pair[0] ^ pair[1];
    std::memcpy(&want_reals[i], p + 12, 4);
  }
  check::equal("words", out.get(), want);
  check::equal("64 bits", wide.get(), want_wide);
  check::equal("floats", reals.get(), want_reals);
}

/// Each block turns its part round through shared memory that is known by 32-bit addresses.
__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int padding[3];
  __shared__ int fixed[128];
  extern __shared__ int sized[];
  padding[threadIdx.x % 3] = -1;
  const unsigned fixed_at = static_cast<unsigned>(__cvta_generic_to_shared(fixed));
  unsigned sized_at;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
      : "=r"(sized_at)
      : "l"(sized));
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, last = blockDim.x - 1;
  const int value = i < n ? in[i] : -i;
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(fixed_at + 4 * t), "r"(value) : "memory");
  asm volatile("st.shared.s32 [%0+4], %1;" ::"r"(sized_at + 4 * t), "r"(3 * value) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  int a, b;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(a) : "r"(fixed_at + 4 * (last - t)));
  asm volatile("ld.shared.b32 %0, [%1+4];" : "=r"(b) : "r"(sized_at + 4 * (last - t)));
  const int* back = static_cast<const int*>(__cvta_shared_to_generic(fixed_at));
  const bool same = back == fixed && back[t] == value && fixed[last - t] == a;
  if (i < n) out[i] = same ? a + b : 0x7fffffff;
}

void test_shared(int n, int block) {
  check::Random random(919);
  const auto values = random.integers<int>(n, -1000000, 1000000);
  check::Array<int> in(values), out(n);
  const int blocks = (n + block - 1) / block;
  reverse<<<blocks, block, 4 * (block + 1)>>>(in.data(), out.data(), n);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) {
    const int from = i / block * block + block - 1 - i % block;
    want[i] = 4 * (from < n ? values[from] : -from);
  }
  check::equal("reversed", out.get(), want);
}

__global__ void update(unsigned* u, int* s, unsigned long long* w, float* f, double* d,
                       unsigned* old) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned r;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(u), "r"(1u) : "memory");
  old[i] = r;
  asm volatile("red.global.and.b32 [%0+4], %1;" ::"l"(u), "r"(~(1u << i % 31)) : "memory");
  asm volatile("red.relaxed.gpu.global.or.b32 [%0+8], %1;" ::"l"(u), "r"(1u << i % 30));
  asm volatile("atom.xor.b32 %0, [%1+12], %2;" : "=r"(r) : "l"(u), "r"(i));
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1+16], 6;" : "=r"(r) : "l"(u));
  asm volatile("red.global.dec.u32 [%0+20], 9;" ::"l"(u));
  asm volatile("red.global.max.u32 [%0+24], %1;" ::"l"(u), "r"(i * 2654435761u));
  asm volatile("red.global.min.s32 [%0], %1;" ::"l"(s), "r"(static_cast<int>(i) - 100));
  asm volatile("red.global.max.s32 [%0+4], %1;" ::"l"(s), "r"(static_cast<int>(i) - 10000));
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(w), "l"(1ull << 33 | i));
  asm volatile("atom.global.exch.b64 %0, [%1+8], %2;" : "=l"(w[2 + i]) : "l"(w), "l"(i + 1ull));
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f), "f"(0.5f));
  asm volatile("red.gpu.global.add.f64 [%0], %1;" ::"l"(d), "d"(0.25));
  unsigned seen = 0;  // adds 3 by compare and swap
  asm volatile(
      "{ .reg .pred again; .reg .u32 next, before;\n"
      "  ld.relaxed.gpu.global.u32 %0, [%1];\n"
      "retry_%=: mov.u32 before, %0; add.u32 next, before, 3;\n"
      "  atom.global.cas.b32 %0, [%1], before, next;\n"
      "  setp.ne.u32 again, %0, before; @again bra retry_%=; }"
      : "+r"(seen)
      : "l"(u + 7)
      : "memory");
}

void test_atomics() {
  const unsigned blocks = 7, threads = 45, n = blocks * threads;
  check::Array<unsigned> u(std::vector<unsigned>{0, ~0u, 0, 0, 0, 0, 0, 0}), old(n);
  check::Array<int> s(std::vector<int>{1000, -100000});
  check::Array<unsigned long long> w(std::vector<unsigned long long>(2 + n, 0));
  check::Array<float> f(std::vector<float>{0});
  check::Array<double> d(std::vector<double>{0});
  update<<<blocks, threads>>>(u.data(), s.data(), w.data(), f.data(), d.data(), old.data());
  unsigned both = 0, largest = 0, inc = 0, dec = 0;
  unsigned long long sum = 0;
  for (unsigned i = 0; i < n; ++i) {
    both ^= i;
    largest = std::max(largest, i * 2654435761u);
    inc = inc >= 6 ? 0 : inc + 1;
    dec = dec == 0 || dec > 9 ? 9 : dec - 1;
    sum += 1ull << 33 | i;
  }
  check::equal("words", u.get(), {n, 0x80000000u, 0x3fffffffu, both, inc, dec, largest, 3 * n});
  check::equal("signed", s.get(), {-100, static_cast<int>(n) - 1 - 10000});
  check::equal("float", f.get(), {0.5f * n});
  check::equal("double", d.get(), {0.25 * n});
  auto tickets = old.get();
  std::sort(tickets.begin(), tickets.end());
  auto wide = w.get();
  CHECK_EQ(wide[0], sum);
  std::sort(wide.begin() + 1, wide.end());  // every exchanged value came back or stayed
  for (unsigned i = 0; i < n; ++i) {
    CHECK_EQ(tickets[i], i);
    CHECK_EQ(wide[1 + i], i);
  }
}

__global__ void stage(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[64 * 4];
  const int t = threadIdx.x, i = 4 * (blockIdx.x * blockDim.x + t);
  for (int k = 0; k < 4; ++k) tile[4 * t + k] = -1;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile + 4 * t));
  const int left = max(0, min(4, n - i));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(to), "l"(in + i),
               "n"(16), "r"(4 * left)
               : "memory");
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.ca.shared.global [%1], [%2], %3; }" ::"r"(
          static_cast<int>(left > 0 && t % 2)),
      "r"(to), "l"(in), "n"(4)
      : "memory");
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  asm volatile("cp.async.wait_all;");
  asm volatile("membar.cta; fence.acq_rel.gpu; membar.gl; barrier.sync 0;" ::: "memory");
  const int other = blockDim.x - 1 - t, j = 4 * (blockIdx.x * blockDim.x + other);
  for (int k = 0; k < 4; ++k) out[j + k] = tile[4 * other + k];
}

void test_copies() {
  const int n = 8 * 63 * 4 - 7, size = 8 * 63 * 4;
  check::Random random(929);
  const auto values = random.reals<float>(size, -1, 1);
  check::Array<float> in(values), out(size);
  stage<<<8, 63>>>(in.data(), out.data(), n);
  std::vector<float> want(size);
  for (int i = 0; i < size; ++i) want[i] = i < n ? values[i] : 0;
  for (int i = 0; i < size; i += 4)
    if (i < n && i / 4 % 63 % 2) want[i] = values[0];
  check::equal("staged", out.get(), want);
}

/// A flag between threads of different blocks.
__global__ void pass_on(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 4711;
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flags), "r"(1) : "memory");
  } else {
    int flag = 0;
    while (flag == 0)
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(flag) : "l"(flags) : "memory");
    out[blockIdx.x] = data[0] + blockIdx.x;
  }
}

void test_order() {
  check::Array<int> data(1), flags(std::vector<int>{0}), out(std::vector<int>(4, 0));
  pass_on<<<4, 1>>>(data.data(), flags.data(), out.data());
  check::equal("passed on", out.get(), {0, 4712, 4713, 4714});
}

/// One block writes, the others watch: whatever they see was written in one piece.
__global__ void watch(ulonglong2* pair, uint4* four, unsigned* torn, unsigned rounds) {
  if (blockIdx.x == 0) {
    for (unsigned long long k = 1; k <= rounds; ++k) {
      const unsigned w = static_cast<unsigned>(k);
      asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(four), "r"(w),
                   "r"(w * 3), "r"(w * 5), "r"(~w)
                   : "memory");
      asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(pair), "l"(k), "l"(~k * 3)
                   : "memory");
    }
    return;
  }
  unsigned found = 0;
  for (unsigned long long x = 0, y = 0; x != rounds;) {
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(x), "=l"(y)
                 : "l"(pair)
                 : "memory");
    found += y != ~x * 3;
    unsigned a, b, c, d;
    asm volatile("ld.acquire.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(four)
                 : "memory");
    found += b != a * 3 || c != a * 5 || d != ~a;
  }
  torn[blockIdx.x] = found;
}

void test_one_piece() {
  check::Array<ulonglong2> pair(std::vector<ulonglong2>{make_ulonglong2(0, ~0ULL * 3)});
  check::Array<uint4> four(std::vector<uint4>{make_uint4(0, 0, 0, ~0U)});
  check::Array<unsigned> torn(std::vector<unsigned>(3, 0));
  watch<<<3, 1>>>(pair.data(), four.data(), torn.data(), 50000);
  check::equal("torn", torn.get(), {0u, 0u, 0u});
}

int main() {
  for (int n : {1, 97, 1003}) test_widths(n);
  for (int block : {1, 33, 128}) test_shared(1001, block);
  test_atomics();
  test_copies();
  test_order();
  test_one_piece();
  return check::finish();
}
