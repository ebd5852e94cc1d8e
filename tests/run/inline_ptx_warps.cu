// Special registers, warp operations and carries in inline PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Inline PTX | special registers: %tid, %ntid, %ctaid, %nctaid, %laneid, %warpid, %nwarpid, %lanemask_*, %smid, %clock, %clock64, %globaltimer
// FEATURE: Inline PTX | shfl, vote, match, redux, activemask, elect, bar.warp.sync, bar.red; exit, nanosleep
// FEATURE: Inline PTX | add.cc, addc, sub.cc, subc, mad.cc, madc, the carry also from one statement or inlined function to the next
#include "check.h"

#include <algorithm>

constexpr int facts = 24;

__global__ void registers(unsigned* out) {
  unsigned tx, ty, tz, r;
  asm("mov.u32 %0, %%tid.x;" : "=r"(tx));
  asm("mov.u32 %0, %%tid.y;" : "=r"(ty));
  asm("mov.u32 %0, %%tid.z;" : "=r"(tz));
  unsigned block, linear;
  asm("{ .reg .u32 x, y, nx, ny, z; mov.u32 x, %%ctaid.x; mov.u32 y, %%ctaid.y; mov.u32 z, "
      "%%ctaid.z; mov.u32 nx, %%nctaid.x; mov.u32 ny, %%nctaid.y; mad.lo.u32 z, z, ny, y; "
      "mad.lo.u32 %0, z, nx, x; }"
      : "=r"(block));
  asm("{ .reg .u32 nx, ny; mov.u32 nx, %%ntid.x; mov.u32 ny, %%ntid.y; mad.lo.u32 ny, ny, %3, %2; "
      "mad.lo.u32 %0, ny, nx, %1; }"
      : "=r"(linear)
      : "r"(tx), "r"(ty), "r"(tz));
  unsigned* o = out + (block * check::thread_count() + linear) * facts;
  o[0] = tx, o[1] = ty, o[2] = tz, o[3] = block, o[4] = linear;
  asm("mov.u32 %0, %%laneid;" : "=r"(o[5]));
  asm("mov.u32 %0, %%warpid;" : "=r"(o[6]));
  asm("mov.u32 %0, %%nwarpid;" : "=r"(o[7]));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(o[8]));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(o[9]));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(o[10]));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(o[11]));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(o[12]));
  asm("{ .reg .pred p; .reg .u32 s, n; mov.u32 s, %%smid; mov.u32 n, %%nsmid; setp.lt.u32 p, s, n; "
      "selp.u32 %0, 1, 0, p; }"
      : "=r"(o[13]));
  unsigned c0, c1;
  unsigned long long t0, t1, g0, g1;
  asm volatile("mov.u32 %0, %%clock; mov.u64 %1, %%clock64; mov.u64 %2, %%globaltimer;"
               : "=r"(c0), "=l"(t0), "=l"(g0));
  asm volatile("nanosleep.u32 20;");
  asm volatile("mov.u32 %0, %%clock; mov.u64 %1, %%clock64; mov.u64 %2, %%globaltimer;"
               : "=r"(c1), "=l"(t1), "=l"(g1));
  o[14] = static_cast<int>(c1 - c0) >= 0 && t1 >= t0 && g1 >= g0;
  asm("mov.u32 %0, WARP_SZ;" : "=r"(r));
  o[15] = r;
}

void test_registers(dim3 grid, dim3 block) {
  const unsigned threads = check::volume(block), n = check::volume(grid) * threads;
  check::Array<unsigned> out(n * facts);
  registers<<<grid, block>>>(out.data());
  const auto got = out.get();
  std::vector<unsigned> want(n * facts, 0xa5a5a5a5u);
  for (unsigned i = 0; i < n; ++i) {
    unsigned* o = &want[i * facts];
    const unsigned t = i % threads, lane = t % 32, own = 1u << lane;
    o[0] = t % block.x, o[1] = t / block.x % block.y, o[2] = t / block.x / block.y;
    o[3] = i / threads, o[4] = t, o[5] = lane, o[6] = t / 32, o[7] = (threads + 31) / 32;
    o[8] = own - 1, o[9] = own | (own - 1), o[10] = own, o[11] = ~(own - 1);
    o[12] = ~(own | (own - 1)), o[13] = 1, o[14] = 1, o[15] = 32;
  }
  check::equal(check::name("registers", block), got, want);
}

__device__ void leave() { asm volatile("exit;"); }

__global__ void exchange(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i], lane = threadIdx.x % 32;
  unsigned* o = out + 16 * i;
  float f = static_cast<float>(value % 1024), moved;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(moved) : "f"(f), "r"(5));
  o[0] = static_cast<unsigned>(moved);
  asm volatile(
      "{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, %3, 0x0, 0xffffffff; selp.u32 %1, 1, 0, p; }"
      : "=r"(o[1]), "=r"(o[2])
      : "r"(value), "r"(3));
  asm volatile(
      "{ .reg .u32 r; .reg .pred p; shfl.sync.down.b32 r|p, %1, 1, 0x1f, -1; @p add.u32 r, r, %1; "
      "mov.u32 %0, r; }"
      : "=r"(o[3])
      : "r"(value));
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 500; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(o[4])
               : "r"(value));
  asm volatile(
      "{ .reg .pred p, q; setp.gt.u32 p, %1, 500; vote.sync.any.pred q, !p, 0xffffffff; selp.u32 "
      "%0, "
      "1, 0, q; }"
      : "=r"(o[5])
      : "r"(value));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(o[6]) : "r"(value % 4));
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(o[7]) : "r"(value));
  asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(o[8]) : "r"(500 - value));
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }"
               : "=r"(o[9]), "=r"(o[10]));
  asm volatile("bar.warp.sync 0xffffffff;");
  asm volatile(
      "{ .reg .pred p; setp.gt.u32 p, %1, 500; barrier.cta.red.popc.aligned.u32 %0, 0, p; }"
      : "=r"(o[11])
      : "r"(value));
  asm volatile(
      "{ .reg .pred p, q; setp.ge.u32 p, %1, 0; bar.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
      : "=r"(o[12])
      : "r"(value));
  o[13] = lane;
  asm volatile("activemask.b32 %0;" : "=r"(o[14]));
  if (lane % 4 == 1) leave();
  if (lane % 2) asm volatile("exit;");
  o[15] = 1;
}

void test_exchange() {
  const unsigned threads = 96, n = 5 * threads;
  check::Random random(937);
  const auto in = random.integers<unsigned>(n, 0, 1000);
  check::Array<unsigned> source(in), out(16 * n);
  exchange<<<5, threads>>>(source.data(), out.data());
  std::vector<unsigned> want(16 * n);
  for (unsigned i = 0; i < n; ++i) {
    unsigned* o = &want[16 * i];
    const unsigned lane = i % 32, first = i - lane, block = i / threads * threads;
    o[0] = in[first + (lane ^ 5)];
    o[1] = lane < 3 ? in[i] : in[i - 3];
    o[2] = lane >= 3;
    o[3] = lane == 31 ? in[i] : in[i] + in[i + 1];
    unsigned ballot = 0, same = 0, sum = 0, in_block = 0;
    int least = 0x7fffffff;
    for (unsigned l = 0; l < 32; ++l) {
      const unsigned x = in[first + l];
      ballot |= (x > 500) << l;
      same |= (x % 4 == in[i] % 4) << l;
      sum += x;
      least = std::min(least, 500 - static_cast<int>(x));
    }
    for (unsigned t = 0; t < threads; ++t) in_block += in[block + t] > 500;
    o[4] = ballot, o[5] = ballot != 0xffffffffu, o[6] = same, o[7] = sum;
    o[8] = static_cast<unsigned>(least), o[9] = 0, o[10] = lane == 0, o[11] = in_block, o[12] = 1;
    o[13] = lane, o[14] = 0xffffffffu, o[15] = lane % 2 ? 0xa5a5a5a5u : 1;
  }
  check::equal("exchanged", out.get(), want);
}

// The carry passes from function to function, as multi-word libraries write it.
__device__ unsigned add_cc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ unsigned addc_cc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __noinline__ unsigned addc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
template <int words>
__device__ unsigned long_add(unsigned* r, const unsigned* a, const unsigned* b) {
  r[0] = add_cc(a[0], b[0]);
#pragma unroll
  for (int i = 1; i < words; ++i) r[i] = addc_cc(a[i], b[i]);
  return addc(0, 0);
}

constexpr int sums = 24;

__global__ void carries(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned *a = in + 8 * i, *b = a + 4;
  unsigned* o = out + sums * i;
  o[4] = long_add<4>(o, a, b);
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(o[5]) : "r"(a[0]), "r"(b[0]));
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(o[6]) : "r"(a[1]), "r"(b[1]));
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(o[7]) : "r"(a[2]), "r"(b[2]));
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(o[8]) : "r"(a[3]), "r"(b[3]));
  asm volatile("subc.u32 %0, 0, 0;" : "=r"(o[9]));
  // a[0..1] * b[0] + b[1..3], three words
  asm("mad.lo.cc.u32 %0, %3, %5, %6;\n\t"
      "madc.hi.cc.u32 %1, %3, %5, %7;\n\t"
      "addc.u32 %2, %8, 0;\n\t"
      "mad.lo.cc.u32 %1, %4, %5, %1;\n\t"
      "madc.hi.u32 %2, %4, %5, %2;"
      : "=&r"(o[10]), "=&r"(o[11]), "=&r"(o[12])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
  unsigned long long low, high, x = static_cast<unsigned long long>(a[1]) << 32 | a[0],
                                y = static_cast<unsigned long long>(b[1]) << 32 | b[0];
  asm("add.cc.u64 %0, %2, %3; addc.u64 %1, %2, %3;" : "=l"(low), "=l"(high) : "l"(x), "l"(y));
  o[13] = static_cast<unsigned>(low), o[14] = static_cast<unsigned>(low >> 32);
  o[15] = static_cast<unsigned>(high), o[16] = static_cast<unsigned>(high >> 32);
}

void test_carries() {
  using Wide = unsigned __int128;
  const unsigned n = 3 * 113;
  check::Random random(941);
  std::vector<unsigned> in(8 * n);
  for (auto& x : in) {
    const auto kind = random.integer(0, 3);
    x = kind == 0 ? 0 : kind == 1 ? 0xffffffffu : static_cast<unsigned>(random.bits());
  }
  check::Array<unsigned> source(in), out(sums * n);
  carries<<<3, 113>>>(source.data(), out.data());
  std::vector<unsigned> want(sums * n, 0xa5a5a5a5u);
  for (unsigned i = 0; i < n; ++i) {
    Wide a, b;
    std::memcpy(&a, &in[8 * i], 16);
    std::memcpy(&b, &in[8 * i + 4], 16);
    unsigned* o = &want[sums * i];
    const Wide sum = a + b, difference = a - b;
    std::memcpy(o, &sum, 16);
    o[4] = sum < a;
    std::memcpy(o + 5, &difference, 16);
    o[9] = a < b ? 0xffffffffu : 0;
    const Wide product = (a & 0xffffffffffffffffull) * (b & 0xffffffffu) + (b >> 32);
    std::memcpy(o + 10, &product, 12);
    const auto x = static_cast<unsigned long long>(a), y = static_cast<unsigned long long>(b);
    const unsigned long long low = x + y, high = x + y + (low < x);
    std::memcpy(o + 13, &low, 8);
    std::memcpy(o + 15, &high, 8);
  }
  check::equal("carries", out.get(), want);
}

int main() {
  for (dim3 block : {dim3(1), dim3(33), dim3(7, 5), dim3(3, 5, 7)})
    test_registers(dim3(3, 2, 2), block);
  test_exchange();
  test_carries();
  return check::finish();
}
