// Integer atomics of every kind and width, on global and on shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Atomics | atomicAdd, Sub, Exch, Min, Max, And, Or, Xor, CAS on int, unsigned, long long, unsigned long long
// FEATURE: Atomics | atomicInc, atomicDec
// FEATURE: Atomics | on shared memory, static and dynamic
// FEATURE: Atomics | results (old values) are consistent under contention
#include "check.h"

#include <algorithm>

// CUDA has these for unsigned long long only; programs cast.
using Wide = unsigned long long;
__device__ long long atomicAdd(long long* p, long long v) {
  return static_cast<long long>(atomicAdd(reinterpret_cast<Wide*>(p), static_cast<Wide>(v)));
}
__device__ long long atomicExch(long long* p, long long v) {
  return static_cast<long long>(atomicExch(reinterpret_cast<Wide*>(p), static_cast<Wide>(v)));
}
__device__ long long atomicCAS(long long* p, long long old, long long v) {
  return static_cast<long long>(
      atomicCAS(reinterpret_cast<Wide*>(p), static_cast<Wide>(old), static_cast<Wide>(v)));
}
__device__ long long bits_and(long long* p, long long v) {
  return static_cast<long long>(atomicAnd(reinterpret_cast<Wide*>(p), static_cast<Wide>(v)));
}
__device__ long long bits_or(long long* p, long long v) {
  return static_cast<long long>(atomicOr(reinterpret_cast<Wide*>(p), static_cast<Wide>(v)));
}
__device__ long long bits_xor(long long* p, long long v) {
  return static_cast<long long>(atomicXor(reinterpret_cast<Wide*>(p), static_cast<Wide>(v)));
}
template <class T>
__device__ T bits_and(T* p, T v) {
  return atomicAnd(p, v);
}
template <class T>
__device__ T bits_or(T* p, T v) {
  return atomicOr(p, v);
}
template <class T>
__device__ T bits_xor(T* p, T v) {
  return atomicXor(p, v);
}

// Cells of one type: add, min, max, and, or, xor, cas, exch and the sum of what came out.
template <class T>
__device__ void update(T* cells, T value, unsigned id) {
  atomicAdd(&cells[0], value);
  atomicMin(&cells[1], value);
  atomicMax(&cells[2], value);
  bits_and(&cells[3], T(value | T(0xff00)));
  bits_or(&cells[4], T(value & T(0x0f0f)));
  bits_xor(&cells[5], value);
  // The maximum of id by compare and swap.
  T old = cells[6];
  while (old < T(id)) {
    const T seen = atomicCAS(&cells[6], old, T(id));
    if (seen == old) break;
    old = seen;
  }
  // Every value put in comes out exactly once or is left at the end.
  const T out = atomicExch(&cells[7], T(id + 1));
  atomicAdd(&cells[8], out);
}

template <class T>
__global__ void global_cells(const T* in, T* cells) {
  const unsigned i = check::global_index();
  update(cells, in[i], i);
}

template <class T>
__global__ void shared_cells(const T* in, T* results, const T* initial) {
  __shared__ T cells[9];
  extern __shared__ char dynamic[];
  T* more = reinterpret_cast<T*>(dynamic);
  const unsigned t = check::thread_index(), n = check::thread_count();
  if (t == 0)
    for (int i = 0; i < 9; ++i) cells[i] = more[i] = initial[i];
  __syncthreads();
  update(cells, in[blockIdx.x * n + t], t);
  update(more, in[blockIdx.x * n + t], t);
  __syncthreads();
  if (t == 0)
    for (int i = 0; i < 9; ++i) {
      results[blockIdx.x * 18 + i] = cells[i];
      results[blockIdx.x * 18 + 9 + i] = more[i];
    }
}

template <class T>
void expect(const char* what, std::vector<T> got, const std::vector<T>& initial, const T* in,
            unsigned n) {
  std::vector<T> want = initial;
  unsigned long long id_sum = 0;
  for (unsigned i = 0; i < n; ++i) {
    want[0] = static_cast<T>(want[0] + in[i]);
    want[1] = std::min(want[1], in[i]);
    want[2] = std::max(want[2], in[i]);
    want[3] &= in[i] | T(0xff00);
    want[4] |= in[i] & T(0x0f0f);
    want[5] ^= in[i];
    id_sum += i + 1;
  }
  want[6] = std::max(want[6], T(n - 1));
  CHECK(got[7] >= 1 && got[7] <= T(n));
  CHECK_EQ(static_cast<T>(got[7] + got[8]), static_cast<T>(T(id_sum) + initial[7] + initial[8]));
  got[7] = got[8] = want[7] = want[8] = 0;
  check::equal(what, got, want);
}

template <class T>
void test(const char* type, dim3 block) {
  const unsigned n = check::volume(block), blocks = 6;
  check::Random random(n);
  const auto in = random.integers<T>(blocks * n, 0, 1000000);
  const std::vector<T> initial = {T(5),  T(2000000), T(0), T(0xffff7f), T(0),
                                  T(77), T(0),       T(0), T(0)};
  check::Array<T> source(in), cells(initial), start(initial), results(blocks * 18);
  global_cells<T><<<blocks, block>>>(source.data(), cells.data());
  expect<T>((std::string("global ") + type).c_str(), cells.get(), initial, in.data(), blocks * n);
  shared_cells<T><<<blocks, block, 9 * sizeof(T)>>>(source.data(), results.data(), start.data());
  const auto got = results.get();
  for (unsigned b = 0; b < 2 * blocks; ++b)
    expect<T>((std::string("shared ") + type).c_str(),
              std::vector<T>(got.begin() + b * 9, got.begin() + b * 9 + 9), initial, &in[b / 2 * n],
              n);
}

__global__ void subtract(int* a, unsigned* b) {
  const unsigned i = check::global_index();
  atomicSub(a, static_cast<int>(i) - 100);
  atomicSub(b, i);
}

// Inc wraps to zero above its bound, dec wraps to the bound at zero: the olds cycle through all.
__global__ void wrap(unsigned* up, unsigned* down, unsigned* up_seen, unsigned* down_seen,
                     unsigned bound) {
  atomicAdd(&up_seen[atomicInc(up, bound)], 1u);
  atomicAdd(&down_seen[atomicDec(down, bound)], 1u);
}

// Old values of a counter are a permutation.
__global__ void tickets(unsigned* counter, unsigned* owner, unsigned long long* wide, int* seen) {
  const unsigned i = check::global_index();
  owner[atomicAdd(counter, 1u)] = i;
  seen[atomicAdd(wide, 3ull) / 3] += 1;
}

// Rounds of updates of one cell by neighbouring threads, which a vectoriser must not merge.
__device__ __noinline__ unsigned halvings(unsigned x) { return x < 2 ? x : halvings(x / 2) + 1; }
__global__ void one_cell_rounds(unsigned* out, unsigned a) {
  __shared__ unsigned cell, others[1024];
  const unsigned t = check::thread_index();
  if (t == 0) cell = 0;
  __syncthreads();
  for (unsigned i = 0; i < 4 && a & 1; ++i) {
  }
  for (unsigned i = 0; i < 2; ++i) {
    __syncthreads();
    atomicAdd(&cell, t);
  }
  const unsigned v = halvings(a);
  __syncthreads();
  others[t] = v;
  __syncthreads();
  out[t] = cell + (others[0] - v);
}

__global__ void shared_histogram(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256];
  for (unsigned b = check::thread_index(); b < 256; b += check::thread_count()) bins[b] = 0;
  __syncthreads();
  for (int i = check::global_index(); i < n; i += gridDim.x * check::thread_count())
    atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (unsigned b = check::thread_index(); b < 256; b += check::thread_count())
    if (bins[b]) atomicAdd(&counts[b], bins[b]);
}

int main() {
  for (dim3 block : check::few_block_shapes()) {
    test<int>("int", block);
    test<unsigned>("unsigned", block);
    test<long long>("long long", block);
    test<unsigned long long>("unsigned long long", block);
    const unsigned n = check::volume(block), blocks = 5, total = n * blocks;
    {
      check::Array<int> a(std::vector<int>(1, 17));
      check::Array<unsigned> b(std::vector<unsigned>(1, 3));
      subtract<<<blocks, block>>>(a.data(), b.data());
      const unsigned sum = total * (total - 1) / 2;
      CHECK_EQ(a.get()[0], static_cast<int>(17u + 100u * total - sum));
      CHECK_EQ(b.get()[0], 3u - sum);
    }
    for (unsigned bound : {0u, 1u, 6u, 40u}) {
      check::Array<unsigned> up(std::vector<unsigned>(1, 0)), down(std::vector<unsigned>(1, 0)),
          up_seen(std::vector<unsigned>(bound + 1, 0)),
          down_seen(std::vector<unsigned>(bound + 1, 0));
      wrap<<<blocks, block>>>(up.data(), down.data(), up_seen.data(), down_seen.data(), bound);
      std::vector<unsigned> want_up(bound + 1), want_down(bound + 1);
      unsigned u = 0, d = 0;
      for (unsigned i = 0; i < total; ++i) {
        ++want_up[u];
        ++want_down[d];
        u = u >= bound ? 0 : u + 1;
        d = d == 0 || d > bound ? bound : d - 1;
      }
      CHECK_EQ(up.get()[0], u);
      CHECK_EQ(down.get()[0], d);
      check::equal(check::name("atomicInc", block), up_seen.get(), want_up);
      check::equal(check::name("atomicDec", block), down_seen.get(), want_down);
    }
    {
      check::Array<unsigned> counter(std::vector<unsigned>(1, 0)), owner(total);
      check::Array<unsigned long long> wide(std::vector<unsigned long long>(1, 0));
      check::Array<int> seen(std::vector<int>(total, 0));
      tickets<<<blocks, block>>>(counter.data(), owner.data(), wide.data(), seen.data());
      auto got = owner.get();
      std::sort(got.begin(), got.end());
      std::vector<unsigned> want(total);
      for (unsigned i = 0; i < total; ++i) want[i] = i;
      check::equal(check::name("tickets", block), got, want);
      check::equal(check::name("wide tickets", block), seen.get(), std::vector<int>(total, 1));
    }
    {
      check::Array<unsigned> out(n);
      one_cell_rounds<<<1, block>>>(out.data(), 1000);
      check::equal(check::name("one_cell_rounds", block), out.get(),
                   std::vector<unsigned>(n, n * (n - 1)));
    }
    {
      check::Random random(9);
      const auto in = random.integers<unsigned char>(20011, 0, 255);
      check::Array<unsigned char> source(in);
      check::Array<unsigned> counts(std::vector<unsigned>(256, 0));
      shared_histogram<<<blocks, block>>>(source.data(), counts.data(), 20011);
      std::vector<unsigned> want(256, 0);
      for (unsigned char x : in) ++want[x];
      check::equal(check::name("shared_histogram", block), counts.get(), want);
    }
  }
  return check::finish();
}
