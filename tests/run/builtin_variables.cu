// threadIdx, blockIdx, blockDim and gridDim are objects: copies of them are values that travel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | threadIdx and its like are objects of type const uint3 and const dim3: copies, references, captures, choices, overloads, deduced types
// FEATURE: Language | the program's own names: variables called gridDim or threadIdx, a constant warpSize
#include "check.h"

#include <cooperative_groups.h>

#include <algorithm>
#include <tuple>

namespace cg = cooperative_groups;

static_assert(std::is_same<decltype(threadIdx), const uint3>::value, "");
static_assert(std::is_same<decltype(blockIdx), const uint3>::value, "");
static_assert(std::is_same<decltype(blockDim), const dim3>::value, "");
static_assert(std::is_same<decltype(gridDim), const dim3>::value, "");
static_assert(std::is_same<decltype((gridDim)), const dim3&>::value, "");
static_assert(std::is_same<decltype(threadIdx.x), unsigned int>::value, "");
static_assert(std::is_same<decltype(warpSize), const int>::value, "");
static_assert(sizeof(threadIdx) == 12 && sizeof(blockDim) == 12, "");

/// What a thread at `t` of block `b` has to write; n and g: their sizes.
struct Place {
  unsigned t[3], b[3], n[3], g[3];
  __host__ __device__ unsigned linear() const {
    return ((b[2] * g[1] + b[1]) * g[0] + b[0]) * n[0] * n[1] * n[2] + lane();
  }
  __host__ __device__ unsigned lane() const { return (t[2] * n[1] + t[1]) * n[0] + t[0]; }
};

template <class V>
__host__ __device__ unsigned code(const V& v) {
  return v.x + 1000 * v.y + 1000000 * v.z;
}
static unsigned code(const unsigned (&v)[3]) { return v[0] + 1000 * v[1] + 1000000 * v[2]; }

using Rows = std::vector<unsigned>;

/// Runs a kernel over odd shapes and compares each thread's row with `want(place, column)`.
template <class Kernel, class Want>
void check_rows(const char* name, Kernel kernel, unsigned columns, Want want) {
  const dim3 grids[] = {dim3(1), dim3(5), dim3(3, 2, 2)};
  const dim3 blocks[] = {dim3(1), dim3(33), dim3(7, 5), dim3(3, 5, 7)};
  for (dim3 grid : grids)
    for (dim3 block : blocks) {
      const unsigned threads = check::volume(grid) * check::volume(block);
      check::Array<unsigned> out(std::size_t(threads) * columns);
      kernel<<<grid, block>>>(out.data());
      KERNEL_OK();
      Rows expected(out.size());
      for (unsigned i = 0; i < threads; ++i) {
        const unsigned lane = i % check::volume(block), b = i / check::volume(block);
        const Place place = {{lane % block.x, lane / block.x % block.y, lane / block.x / block.y},
                             {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y},
                             {block.x, block.y, block.z},
                             {grid.x, grid.y, grid.z}};
        for (unsigned c = 0; c < columns; ++c) expected[i * columns + c] = want(place, c);
      }
      check::equal(check::name(name, block), out.get(), expected);
    }
}

__device__ unsigned* row(unsigned* out, unsigned columns) {
  return out + std::size_t(check::global_index()) * columns;
}

// Plain copies, changed afterwards.
__global__ void copies(unsigned* out) {
  unsigned* mine = row(out, 8);
  auto t = threadIdx;
  t.x += 1;
  uint3 b = blockIdx;
  b.y *= 3;
  dim3 n = blockDim, g(gridDim), from = threadIdx;
  uint3 back = gridDim;
  const uint3 braces{blockIdx};
  auto [x, y, z] = threadIdx;
  mine[0] = code(t);
  mine[1] = code(b);
  mine[2] = code(n) + 7 * code(g);
  mine[3] = code(from);
  mine[4] = code(back);
  mine[5] = code(braces);
  mine[6] = x + 10 * y + 100 * z;
  t = blockIdx;
  n = dim3(threadIdx);
  mine[7] = code(t) * 3 + code(n);
}
unsigned want_copies(const Place& p, unsigned column) {
  switch (column) {
    case 0:
      return code(p.t) + 1;
    case 1:
      return p.b[0] + 3000 * p.b[1] + 1000000 * p.b[2];
    case 2:
      return code(p.n) + 7 * code(p.g);
    case 3:
      return code(p.t);
    case 4:
      return code(p.g);
    case 5:
      return code(p.b);
    case 6:
      return p.t[0] + 10 * p.t[1] + 100 * p.t[2];
    default:
      return code(p.b) * 3 + code(p.t);
  }
}

// References: bound, handed on, returned, chosen; pointers inside one.
__device__ __noinline__ const uint3& where() { return threadIdx; }
__device__ const dim3& shape(bool of_grid) { return of_grid ? gridDim : blockDim; }
__device__ const unsigned& larger(const unsigned& a, const unsigned& b) { return a < b ? b : a; }
__device__ __noinline__ unsigned taken(const uint3& a, const dim3& b) { return code(a) + b.y; }
struct View {
  const uint3& index;
  const dim3& size;
  __device__ View() : index(threadIdx), size(blockDim) {}
  __device__ View(const uint3& i, const dim3& s) : index(i), size(s) {}
  __device__ __noinline__ unsigned value() const { return code(index) + 5 * code(size); }
};
__device__ View view_of_block() { return {blockIdx, gridDim}; }

__global__ void references(unsigned* out) {
  unsigned* mine = row(out, 9);
  const auto& r = blockIdx;
  const bool odd = threadIdx.x % 2;
  const uint3& either = odd ? threadIdx : blockIdx;
  auto copy = odd ? threadIdx : blockIdx;
  copy.z += 1;
  mine[0] = code(r);
  mine[1] = code(either);
  mine[2] = code(copy);
  mine[3] = code(where()) + code(shape(odd));
  mine[4] = larger(threadIdx.x, threadIdx.y) + std::max(blockIdx.x, blockIdx.y);
  mine[5] = taken(threadIdx, gridDim);
  mine[6] = View().value();
  mine[7] = view_of_block().value();
  unsigned sum = 0;
  const unsigned* each = &r.x;
  for (unsigned i = 0; i < 3; ++i) sum = sum * 100 + each[i];
  mine[8] = sum;
}
unsigned want_references(const Place& p, unsigned column) {
  const bool odd = p.t[0] % 2;
  const unsigned chosen = odd ? code(p.t) : code(p.b);
  switch (column) {
    case 0:
      return code(p.b);
    case 1:
      return chosen;
    case 2:
      return chosen + 1000000;
    case 3:
      return code(p.t) + (odd ? code(p.g) : code(p.n));
    case 4:
      return std::max(p.t[0], p.t[1]) + std::max(p.b[0], p.b[1]);
    case 5:
      return code(p.t) + p.g[1];
    case 6:
      return code(p.t) + 5 * code(p.n);
    case 7:
      return code(p.b) + 5 * code(p.g);
    default:
      return (p.b[0] * 100 + p.b[1]) * 100 + p.b[2];
  }
}

// Types that are deduced, and overloads.
template <class T>
struct Kind {
  static constexpr unsigned value = 0;
};
template <>
struct Kind<uint3> {
  static constexpr unsigned value = 3;
};
template <>
struct Kind<dim3> {
  static constexpr unsigned value = 4;
};
template <class T>
__device__ unsigned kind_of(T) {
  return Kind<T>::value;
}
template <class T>
__device__ unsigned kind_of_referred(T&&) {
  return Kind<std::remove_cv_t<std::remove_reference_t<T>>>::value;
}
__device__ unsigned overload(const uint3& v) { return 100 + v.x; }
__device__ unsigned overload(const dim3& v) { return 200 + v.x; }
__device__ unsigned by_value(uint3 a, dim3 b, dim3 c) {
  a.x += b.y;
  return code(a) + 3 * code(b) + 5 * code(c);
}
template <class T>
struct Boxed {
  T value;
  unsigned tag;
};
template <class T>
__device__ Boxed<T> boxed(T value, unsigned tag) {
  return {value, tag};
}
__global__ void types(unsigned* out) {
  unsigned* mine = row(out, 6);
  mine[0] = kind_of(threadIdx) * 1000 + kind_of(blockIdx) * 100 + kind_of(blockDim) * 10 +
            kind_of(gridDim);
  mine[1] = kind_of_referred(threadIdx) * 10 + kind_of_referred(gridDim);
  mine[2] = overload(threadIdx) * 1000 + overload(blockDim);
  mine[3] = by_value(threadIdx, gridDim, blockIdx);
  decltype(boxed(threadIdx, 1)) box = boxed(threadIdx, 17);
  mine[4] = code(box.value) + box.tag;
  auto all = std::make_tuple(blockIdx, blockDim);
  mine[5] = code(std::get<0>(all)) + 3 * code(std::get<1>(all));
}
unsigned want_types(const Place& p, unsigned column) {
  switch (column) {
    case 0:
      return 3344;
    case 1:
      return 34;
    case 2:
      return (100 + p.t[0]) * 1000 + 200 + p.n[0];
    case 3:
      return code(p.t) + p.g[1] + 3 * code(p.g) + 5 * code(p.b);
    case 4:
      return code(p.t) + 17;
    default:
      return code(p.b) + 3 * code(p.n);
  }
}

// A copy made by one thread and read by another has the values of the one that made it: in shared
// memory, captured by a lambda, through a shuffle.
__global__ void travel(unsigned* out) {
  __shared__ uint3 index;
  __shared__ Boxed<uint3> size;
  unsigned* mine = row(out, 4);
  const unsigned last = check::thread_count() - 1;
  const auto& here = threadIdx;
  auto plain = threadIdx;
  auto by_copy = [=] { return code(plain); };
  auto by_named_copy = [here] { return code(here); };
  auto by_reference_copied = [=] { return code(here); };
  static_assert(sizeof(by_reference_copied) == 12, "captured, as nvcc does");
  alignas(16) __shared__ unsigned char lambdas[3][16];
  if (check::thread_index() == last) {
    index = threadIdx;
    size.value = gridDim;
    size.tag = 3;
    memcpy(lambdas[0], &by_copy, sizeof by_copy);
    memcpy(lambdas[1], &by_named_copy, sizeof by_named_copy);
    memcpy(lambdas[2], &by_reference_copied, sizeof by_reference_copied);
  }
  __syncthreads();
  mine[0] = code(index);
  mine[1] = code(size.value) * size.tag;
  memcpy(&by_copy, lambdas[0], sizeof by_copy);
  mine[2] = (*reinterpret_cast<decltype(by_copy)*>(lambdas[0]))();
  mine[3] = (*reinterpret_cast<decltype(by_named_copy)*>(lambdas[1]))() * 3 +
            (*reinterpret_cast<decltype(by_reference_copied)*>(lambdas[2]))();
}
unsigned want_travel(const Place& p, unsigned column) {
  const unsigned last[3] = {p.n[0] - 1, p.n[1] - 1, p.n[2] - 1};
  return column == 1 ? code(p.g) * 3 : column == 3 ? code(last) * 4 : code(last);
}

__global__ void shuffled(unsigned* out) {
  auto mine = threadIdx;
  auto whole = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(whole);
  const auto of5 = tile.shfl(mine, 5);
  out[check::thread_index()] = code(of5);
  out[64 + check::thread_index()] = code(tile.shfl(blockDim, 3)) + code(tile.shfl_down(mine, 1));
}
void check_shuffles() {
  check::Array<unsigned> out(128);
  shuffled<<<1, dim3(8, 4, 2)>>>(out.data());
  Rows want(128);
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned t = i / 16 * 16 + 5, d = i % 16 == 15 ? i : i + 1;
    want[i] = t % 8 + 1000 * (t / 8 % 4) + 1000000 * (t / 32);
    want[64 + i] = 2004008 + d % 8 + 1000 * (d / 8 % 4) + 1000000 * (d / 32);
  }
  check::equal("shuffles of copies", out.get(), want);
}

// Recursion keeps a copy for each depth; a function's pointer is called.
__device__ unsigned sum_of(const uint3& v, unsigned depth) {
  const auto mine = blockIdx;
  return depth == 0 ? code(v) : mine.x + sum_of(threadIdx, depth - 1);
}
__device__ unsigned through_pointer(const dim3& d) { return code(d) + threadIdx.x; }
__device__ unsigned (*chosen)(const dim3&) = through_pointer;
__global__ void calls(unsigned* out) {
  unsigned* mine = row(out, 2);
  mine[0] = sum_of(blockDim, threadIdx.x % 4);
  mine[1] = chosen(gridDim);
}
unsigned want_calls(const Place& p, unsigned column) {
  if (column == 1) return code(p.g) + p.t[0];
  return p.t[0] % 4 == 0 ? code(p.n) : p.t[0] % 4 * p.b[0] + code(p.t);
}

// The program's own names.
namespace own {
constexpr int warpSize = 16;
struct Tile {
  static constexpr int warpSize = 8;
  int lanes[warpSize];
};
}  // namespace own
#define CURRENT_THREAD threadIdx
__global__ void names(unsigned* out) {
  unsigned* mine = row(out, 4);
  mine[0] = warpSize + own::warpSize * 100 + own::Tile::warpSize * 10000;
  mine[1] = CURRENT_THREAD.x % warpSize;
  {
    const int blockIdx = 3;
    unsigned threadIdx[2] = {5, 6};
    mine[2] = blockIdx + threadIdx[1];
  }
  const int& lanes = warpSize;
  mine[3] = std::min(lanes, int(blockDim.x)) + unsigned(code(::threadIdx));
}
unsigned want_names(const Place& p, unsigned column) {
  switch (column) {
    case 0:
      return 32 + 1600 + 80000;
    case 1:
      return p.t[0] % 32;
    case 2:
      return 9;
    default:
      return std::min(32u, p.n[0]) + code(p.t);
  }
}
int shadowed() {
  dim3 gridDim(3, 4, 5), blockDim = 7;
  int threadIdx = 2;
  return gridDim.x * blockDim.x * threadIdx + int(sizeof(::blockIdx));
}

int main() {
  check_rows("copies", copies, 8, want_copies);
  check_rows("references", references, 9, want_references);
  check_rows("types", types, 6, want_types);
  check_rows("travel", travel, 4, want_travel);
  check_rows("calls", calls, 2, want_calls);
  check_rows("names", names, 4, want_names);
  check_shuffles();
  CHECK_EQ(shadowed(), 42 + 12);
  return check::finish();
}
