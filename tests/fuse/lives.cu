// Arrays that hand values on between launches that may become one kernel: who else may read them,
// and what must keep launches apart. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     lives CASE...    each case by itself, or all
//
// The stream is held until all launches of a case are queued; tests/fuse/lives_test.py knows how
// many kernels are made of several, and why others are not. References are exact: unsigned
// arithmetic. Arrays are full of other words before.
#include "../run/check.h"
#include "../run/hold.h"

#include <cooperative_groups.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>

using U = unsigned;
using Words = std::vector<U>;
using Device = check::Array<U>;

__host__ __device__ static U mix(U a, U b) { return a * 1664525u + b * 1013904223u + 12345u; }

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void scale(U* y, const U* x, U a, int n) {
  const int i = INDEX;
  if (i < n) y[i] = a * x[i] + 1;
}
__global__ void add(U* z, const U* x, const U* y, int n) {
  const int i = INDEX;
  if (i < n) z[i] = mix(x[i], y[i]);
}
__global__ void scale_but(U* y, const U* x, U a, int hole, int n) {
  const int i = INDEX;
  if (i < n && i != hole) y[i] = a * x[i] + 1;
}
__global__ void odd_only(U* y, const U* x, int n) {
  const int i = INDEX;
  if (i < n && x[i] % 2) y[i] = x[i] / 2;
}

/// `offset` may be 2^32 - `first`, which is -`first` to its author.
__global__ void scale_from(U* y, const U* x, U first, U offset, U n) {
  const U i = INDEX;
  if (i >= first && i < n) y[i + offset] = 3 * x[i + offset] + 1;
}

__global__ void add_narrow(U* z, const U* x, const U* y, int n) {
  const int i = INDEX;
  if (i < n) z[i] = mix(x[i], y[static_cast<unsigned char>(i)]);
}

constexpr int field_words = 1031;
__device__ U field[field_words];
__global__ void to_field(const U* x, U a, int n) {
  const int i = INDEX;
  if (i < n && i < field_words) field[i] = a * x[i] + 1;
}
__global__ void from_field(U* z, const U* x, int n) {
  const int i = INDEX;
  if (i < n && i < field_words) z[i] = mix(x[i], field[i]);
}

// --- kernels that stay apart

__global__ void gather(U* z, const U* t, const int* at, int n) {
  const int i = INDEX;
  if (i < n) z[i] = t[at[i]] + 3;
}
__global__ void scatter(U* t, const U* x, const int* at, int n) {
  const int i = INDEX;
  if (i < n) t[at[i]] = 3 * x[i];
}
/// Some threads of a block meet in one branch, the others in the other.
__global__ void meets_in_branches(U* z, const U* t, int n) {
  __shared__ U sum[2];
  const int i = INDEX;
  if (threadIdx.x < 2) sum[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 64 < 32) {
    if (i < n) atomicAdd(&sum[0], t[i]);
    __syncthreads();
  } else {
    if (i < n) atomicAdd(&sum[1], t[i]);
    __syncthreads();
  }
  if (i < n) z[i] = sum[0] - sum[1];
}
__global__ void meets(U* z, const U* t, int n) {
  __shared__ U tile[64];
  const int i = INDEX;
  tile[threadIdx.x] = i < n ? t[i] : 0;
  __syncthreads();
  if (i < n) z[i] = tile[63 - threadIdx.x] + t[i];
}
/// Its threads share memory, but need nothing of each other.
__global__ void keeps_shared(U* z, const U* t, int n) {
  __shared__ U own[64];
  const int i = INDEX;
  own[threadIdx.x] = i < n ? t[i] : 0;
  if (i < n) z[i] = own[threadIdx.x] + 9;
}
__global__ void keeps_dynamic(U* z, const U* t, int n) {
  extern __shared__ U room[];
  const int i = INDEX;
  room[threadIdx.x] = i < n ? t[i] : 0;
  if (i < n) z[i] = room[threadIdx.x] + 10;
}
__global__ void meets_all(U* z, const U* t, int n) {
  const int i = INDEX;
  if (i < n) z[i] = t[i] + 1;
  cooperative_groups::this_grid().sync();
  if (i < n) z[i] += z[n - 1 - i] != 0;
}
__global__ void prints(U* z, const U* t, int n) {
  const int i = INDEX;
  if (i >= n) return;
  if (t[i] == 0xffffffffu) printf("%d\n", i);
  z[i] = t[i] + 5;
}
__global__ void traps(U* z, const U* t, int n) {
  const int i = INDEX;
  if (i >= n) return;
  assert(t[i] != 0xffffffffu);
  z[i] = t[i] + 6;
}
__global__ void looks_again(U* z, const volatile U* t, int n) {
  const int i = INDEX;
  if (i < n) z[i] = t[i] + 7;
}
__global__ void fences(U* z, const U* t, int n) {
  const int i = INDEX;
  if (i >= n) return;
  z[i] = t[i] + 8;
  __threadfence();
}
__global__ void takes_numbers(U* z, const U* t, U* next, int n) {
  const int i = INDEX;
  if (i < n) z[i] = t[i] + 0 * atomicAdd(next, 1u) + (atomicAdd(next, 1u) > 2u * n);
}
__global__ void reads_clock(U* z, const U* t, int n) {
  const int i = INDEX;
  if (i < n) z[i] = t[i] + (clock64() == 0);
}

// --- the host's side

static int blocks(int n, int block) { return (n + block - 1) / block; }

struct Random : check::Random {
  using check::Random::Random;
  Words words(std::size_t n) { return integers<U>(n, 0, 0x7fffffff); }
};

static void host_scale(Words& y, const Words& x, U a, int n) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + 1;
}
static void host_add(Words& z, const Words& x, const Words& y, int n) {
  for (int i = 0; i < n; ++i) z[i] = mix(x[i], y[i]);
}

/// Arrays of a case: the device's, and what must be in them.
struct Arrays {
  explicit Arrays(Random& random, int n)
      : n(n),
        grid(blocks(n, 64)),
        x(random.words(n)),
        t(random.words(n)),
        z(random.words(n)),
        dx(x),
        dt(t),
        dz(z) {}
  void check(const char* what) {
    check::equal(std::string(what) + ", x", dx.get(), x);
    check::equal(std::string(what) + ", t", dt.get(), t);
    check::equal(std::string(what) + ", z", dz.get(), z);
  }
  int n, grid;
  Words x, t, z;
  Device dx, dt, dz;
};

static constexpr int n = 1031;

// --- who else reads t

/// Its address is given to another array, of other size, between the same launches.
static void test_freed(Random& random) {
  Arrays a(random, n);
  void* before = nullptr;
  int again = 0;
  for (int turn = 0; turn < 6; ++turn) {
    const int room = turn % 2 == 0 ? 3 * n : n;
    U *t = nullptr, *behind = nullptr;
    CUDA_OK(cudaMalloc(&t, room * sizeof(U)));
    CUDA_OK(cudaMalloc(&behind, n * sizeof(U)));
    CUDA_OK(cudaMemset(t, 0x5a, room * sizeof(U)));
    CUDA_OK(cudaMemset(behind, 0x3c, n * sizeof(U)));
    again += t == before;
    before = t;
    Hold hold;
    scale<<<a.grid, 64>>>(t, a.dx.data(), 3, n);
    add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), t, n);
    scale<<<a.grid, 64>>>(t, a.dz.data(), 5, n);
    add<<<a.grid, 64>>>(a.dz.data(), a.dz.data(), t, n);
    hold.go();
    host_scale(a.t, a.x, 3, n);
    host_add(a.z, a.x, a.t, n);
    host_scale(a.t, a.z, 5, n);
    host_add(a.z, a.z, a.t, n);
    Words got(room), others(n);
    CUDA_OK(cudaMemcpy(got.data(), t, room * sizeof(U), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(others.data(), behind, n * sizeof(U), cudaMemcpyDeviceToHost));
    Words want(room, 0x5a5a5a5au);
    std::copy(a.t.begin(), a.t.end(), want.begin());
    check::equal("freed, t", got, want);
    check::equal("freed, what lies elsewhere", others, Words(n, 0x3c3c3c3cu));
    check::equal("freed, z", a.dz.get(), a.z);
    CUDA_OK(cudaFree(behind));
    CUDA_OK(cudaFree(t));
  }
  CHECK(again > 0);
}

/// The same in the order of the stream, without a wait.
static void test_freed_in_order(Random& random) {
  Arrays a(random, n);
  Device dout(random.words(n));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  for (int turn = 0; turn < 3; ++turn) {
    Hold hold(stream);
    U *t = nullptr, *u = nullptr;
    CUDA_OK(cudaMallocAsync(&t, n * sizeof(U), stream));
    scale<<<a.grid, 64, 0, stream>>>(t, a.dx.data(), 3, n);
    add<<<a.grid, 64, 0, stream>>>(a.dz.data(), a.dx.data(), t, n);
    CUDA_OK(cudaFreeAsync(t, stream));
    CUDA_OK(cudaMallocAsync(&u, n * sizeof(U), stream));
    scale<<<a.grid, 64, 0, stream>>>(u, a.dz.data(), 5, n);
    add<<<a.grid, 64, 0, stream>>>(dout.data(), a.dx.data(), u, n);
    CUDA_OK(cudaFreeAsync(u, stream));
    hold.go();
    Words u_want(n), out(n);
    host_scale(a.t, a.x, 3, n);
    host_add(a.z, a.x, a.t, n);
    host_scale(u_want, a.z, 5, n);
    host_add(out, a.x, u_want, n);
    check::equal("freed in order, z", a.dz.get(), a.z);
    check::equal("freed in order, out", dout.get(), out);
  }
  CUDA_OK(cudaStreamDestroy(stream));
}

/// Written again, but for one element: the first, one in the middle, the last.
static void test_but_one(Random& random) {
  for (const int hole : {0, 500, n - 1, n}) {
    Arrays a(random, n);
    Hold hold;
    scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), 3, n);
    add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), n);
    scale_but<<<a.grid, 64>>>(a.dt.data(), a.dz.data(), 5, hole, n);
    hold.go();
    host_scale(a.t, a.x, 3, n);
    host_add(a.z, a.x, a.t, n);
    for (int i = 0; i < n; ++i)
      if (i != hole) a.t[i] = 5 * a.z[i] + 1;
    a.check("but one");
  }
}

/// Beside: all but the first, through a pointer behind it.
static void test_but_the_first(Random& random) {
  Arrays a(random, n);
  Hold hold;
  scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), 3, n);
  add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), n);
  scale<<<a.grid, 64>>>(a.dt.data() + 1, a.dz.data(), 5, n - 1);
  hold.go();
  host_scale(a.t, a.x, 3, n);
  host_add(a.z, a.x, a.t, n);
  for (int i = 1; i < n; ++i) a.t[i] = 5 * a.z[i - 1] + 1;
  a.check("but the first");
}

/// Read as a variable by the host, between two launches that overwrite it.
static void test_symbol(Random& random) {
  Arrays a(random, n);
  U *address = nullptr, *seen = nullptr;
  CUDA_OK(cudaMallocHost(&seen, 2 * n * sizeof(U)));  // else copies wait for the stream
  CUDA_OK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), field));
  for (const bool by_name : {false, true}) {
    std::fill(seen, seen + 2 * n, 0xdeadbeefu);
    Hold hold;
    for (const int part : {0, 1}) {
      const U factor = part == 0 ? 3 : 7;
      if (by_name) {
        to_field<<<a.grid, 64>>>(a.dx.data(), factor, n);
        from_field<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), n);
      } else {
        scale<<<a.grid, 64>>>(address, a.dx.data(), factor, n);
        add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), address, n);
      }
      CUDA_OK(cudaMemcpyFromSymbolAsync(seen + part * n, field, n * sizeof(U), 0,
                                        cudaMemcpyDeviceToHost, nullptr));
    }
    scale<<<a.grid, 64>>>(address, a.dx.data(), 9, n);
    hold.go();
    Words want(n), last(n, 1);
    host_scale(want, a.x, 3, n);
    check::equal("symbol, first", Words(seen, seen + n), want);
    host_scale(want, a.x, 7, n);
    check::equal("symbol, second", Words(seen + n, seen + 2 * n), want);
    host_add(a.z, a.x, want, n);
    check::equal("symbol, z", a.dz.get(), a.z);
    host_scale(want, a.x, 9, n);
    CUDA_OK(cudaMemcpyFromSymbol(last.data(), field, n * sizeof(U)));
    check::equal("symbol, at the end", last, want);
  }
  CUDA_OK(cudaFreeHost(seen));
}

/// Read by a graph that is launched between.
static void test_graph(Random& random) {
  Arrays a(random, n);
  Device dout(random.words(n));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  add<<<a.grid, 64, 0, stream>>>(dout.data(), a.dx.data(), a.dt.data(), n);
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int turn = 0; turn < 2; ++turn) {
    Hold hold(stream);
    scale<<<a.grid, 64, 0, stream>>>(a.dt.data(), a.dx.data(), 3, n);
    add<<<a.grid, 64, 0, stream>>>(a.dz.data(), a.dx.data(), a.dt.data(), n);
    CUDA_OK(cudaGraphLaunch(executable, stream));
    scale<<<a.grid, 64, 0, stream>>>(a.dt.data(), a.dz.data(), 5, n);
    hold.go();
    Words out(n);
    host_scale(a.t, a.x, 3, n);
    host_add(a.z, a.x, a.t, n);
    host_add(out, a.x, a.t, n);
    host_scale(a.t, a.z, 5, n);
    check::equal("graph, out", dout.get(), out);
    a.check("graph");
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

/// Two streams that do not wait for the legacy one, and events between them.
struct Streams {
  Streams() {
    CUDA_OK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CUDA_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CUDA_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  ~Streams() {
    cudaEventDestroy(event);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
  }
  void after(cudaStream_t later, cudaStream_t earlier) {
    CUDA_OK(cudaEventRecord(event, earlier));
    CUDA_OK(cudaStreamWaitEvent(later, event));
  }
  cudaStream_t one = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
};

/// Read by another stream before it is overwritten.
static void test_other_stream(Random& random) {
  Arrays a(random, n);
  Device dout(random.words(n));
  Streams streams;
  for (int turn = 0; turn < 2; ++turn) {
    Hold hold(streams.one);
    scale<<<a.grid, 64, 0, streams.one>>>(a.dt.data(), a.dx.data(), 3, n);
    add<<<a.grid, 64, 0, streams.one>>>(a.dz.data(), a.dx.data(), a.dt.data(), n);
    streams.after(streams.other, streams.one);
    add<<<a.grid, 64, 0, streams.other>>>(dout.data(), a.dx.data(), a.dt.data(), n);
    streams.after(streams.one, streams.other);
    scale<<<a.grid, 64, 0, streams.one>>>(a.dt.data(), a.dz.data(), 5, n);
    hold.go();
    Words out(n);
    host_scale(a.t, a.x, 3, n);
    host_add(a.z, a.x, a.t, n);
    host_add(out, a.x, a.t, n);
    host_scale(a.t, a.z, 5, n);
    check::equal("other stream, out", dout.get(), out);
    a.check("other stream");
  }
}

/// Read by the launches behind the window, and by copies.
static void test_kept(Random& random) {
  Arrays a(random, n);
  Device du(random.words(n)), dv(random.words(n)), dw(random.words(n));
  Hold hold;
  for (U turn = 0; turn < 6; ++turn) {  // a window
    scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), turn + 3, n);
    add<<<a.grid, 64>>>(a.dz.data(), a.dz.data(), a.dt.data(), n);
  }
  add<<<a.grid, 64>>>(du.data(), a.dx.data(), a.dt.data(), n);
  CUDA_OK(cudaMemcpyAsync(dv.data(), a.dt.data(), n * sizeof(U), cudaMemcpyDeviceToDevice));
  scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), 99, n);
  add<<<a.grid, 64>>>(a.dz.data(), a.dz.data(), a.dt.data(), n);
  CUDA_OK(cudaMemcpy2DAsync(dw.data(), 4 * sizeof(U), a.dt.data(), 4 * sizeof(U), 3 * sizeof(U),
                            n / 4, cudaMemcpyDeviceToDevice));
  scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), 100, n);
  hold.go();
  for (U turn = 0; turn < 6; ++turn) {
    host_scale(a.t, a.x, turn + 3, n);
    host_add(a.z, a.z, a.t, n);
  }
  Words u(n), v = a.t;
  host_add(u, a.x, a.t, n);
  check::equal("kept, by a launch", du.get(), u);
  check::equal("kept, by a copy", dv.get(), v);
  host_scale(a.t, a.x, 99, n);
  host_add(a.z, a.z, a.t, n);
  const Words w = dw.get();
  for (int i = 0; i < n / 4 * 4; ++i)
    if (i % 4 != 3) CHECK_EQ(w[i], a.t[i]);
  host_scale(a.t, a.x, 100, n);
  a.check("kept");
}

// --- what must not be one kernel, and results if it is not

/// The same launches with other arguments that are equal, turn by turn: plans are known by then.
static void test_aliases(Random& random) {
  std::vector<Words> host{random.words(n), random.words(n), random.words(n)};
  Device a(host[0]), b(host[1]), c(host[2]);
  U* const device[] = {a.data(), b.data(), c.data()};
  const int grid = blocks(n, 64);
  const int t[] = {1, 0, 1, 0}, z[] = {2, 2, 0, 0};
  for (int turn = 0; turn < 12; ++turn) {
    const int kind = turn * 7 % 4;
    Hold hold;
    scale<<<grid, 64>>>(device[t[kind]], device[0], turn + 3, n);
    add<<<grid, 64>>>(device[z[kind]], device[t[kind]], device[0], n);
    hold.go();
    host_scale(host[t[kind]], host[0], turn + 3, n);
    host_add(host[z[kind]], host[t[kind]], host[0], n);
    check::equal("aliases, a", a.get(), host[0]);
    check::equal("aliases, b", b.get(), host[1]);
    check::equal("aliases, c", c.get(), host[2]);
  }
}

/// Overlaps in part after a turn without, with the same kernels and numbers.
static void test_overlaps_later(Random& random) {
  Words all = random.words(3 * n), z = random.words(n);
  Device dall(all), dz(z);
  const int grid = blocks(n, 64);
  for (const int distance : {n, 1, n, n - 1, 63, n}) {
    Hold hold;
    scale<<<grid, 64>>>(dall.data() + distance, dall.data() + 2 * n, 3, n);
    add<<<grid, 64>>>(dz.data(), dall.data(), dall.data() + distance, n);
    hold.go();
    for (int i = 0; i < n; ++i) all[distance + i] = 3 * all[2 * n + i] + 1;
    for (int i = 0; i < n; ++i) z[i] = mix(all[i], all[distance + i]);
    check::equal("overlaps later, all", dall.get(), all);
    check::equal("overlaps later, z", dz.get(), z);
  }
}

/// The producer makes fewer elements than the consumer reads, or more; the grid is the same.
static void test_other_n(Random& random) {
  Arrays a(random, n);
  const std::pair<int, int> pairs[] = {{n, n}, {n - 1, n}, {n, n - 1}, {n - 63, n}, {1, n},
                                       {n, 1}, {0, n},     {n, 0},     {n, n}};
  for (const auto [produced, consumed] : pairs) {
    Hold hold;
    scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), produced + 3, produced);
    add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), consumed);
    hold.go();
    host_scale(a.t, a.x, produced + 3, produced);
    host_add(a.z, a.x, a.t, consumed);
    a.check("other n");
  }
}

/// Unsigned sums in subscripts that wrap, which the model takes for granted that they don't.
static void test_wraps(Random& random) {
  constexpr U first = 7;
  for (const U offset : {0u, 0u - first}) {
    Arrays a(random, n);
    Hold hold;
    scale_from<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), first, offset, n);
    scale_from<<<a.grid, 64>>>(a.dz.data(), a.dt.data(), first, offset, n);
    hold.go();
    for (U i = first; i < U{n}; ++i) {
      a.t[i + offset] = 3 * a.x[i + offset] + 1;
      a.z[i + offset] = 3 * a.t[i + offset] + 1;
    }
    a.check("wraps");
  }
}

/// Its author counts on an index that fits.
static void test_narrow(Random& random) {
  for (const int read : {200, n}) {
    Arrays a(random, n);
    Hold hold;
    scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), 3, n);
    add_narrow<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), read);
    hold.go();
    host_scale(a.t, a.x, 3, n);
    for (int i = 0; i < read; ++i) a.z[i] = mix(a.x[i], a.t[i % 256]);
    a.check("narrow");
  }
}

/// The producer writes under a condition that its data decide.
static void test_guarded(Random& random) {
  Arrays a(random, n);
  for (int turn = 0; turn < 2; ++turn) {
    Hold hold;
    odd_only<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), n);
    add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), n);
    scale<<<a.grid, 64>>>(a.dx.data(), a.dz.data(), 3, n);
    odd_only<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), n);
    hold.go();
    for (int i = 0; i < n; ++i) {
      if (a.x[i] % 2) a.t[i] = a.x[i] / 2;
      a.z[i] = mix(a.x[i], a.t[i]);
      a.x[i] = 3 * a.z[i] + 1;
      if (a.x[i] % 2) a.t[i] = a.x[i] / 2;
    }
    a.check("guarded");
  }
}

static std::vector<int> shuffled(Random& random, int n) {
  std::vector<int> at(n);
  for (int i = 0; i < n; ++i) at[i] = i;
  for (int i = n - 1; i > 0; --i) std::swap(at[i], at[random.integer(0, i)]);
  return at;
}

static void test_gather(Random& random) {
  Arrays a(random, n);
  const std::vector<int> at = shuffled(random, n);
  check::Array<int> dat(at);
  Hold hold;
  scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), 3, n);
  gather<<<a.grid, 64>>>(a.dz.data(), a.dt.data(), dat.data(), n);
  hold.go();
  host_scale(a.t, a.x, 3, n);
  for (int i = 0; i < n; ++i) a.z[i] = a.t[at[i]] + 3;
  a.check("gather");
}

static void test_scatter(Random& random) {
  Arrays a(random, n);
  const std::vector<int> at = shuffled(random, n);
  check::Array<int> dat(at);
  Hold hold;
  scatter<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), dat.data(), n);
  add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), n);
  hold.go();
  for (int i = 0; i < n; ++i) a.t[at[i]] = 3 * a.x[i];
  host_add(a.z, a.x, a.t, n);
  a.check("scatter");
}

/// A launch that stays apart, between two that write what it reads; `host` does what it does.
template <class Launch, class Host>
void apart(Random& random, Launch launch, Host host, const char* what) {
  Arrays a(random, n);
  for (U turn = 0; turn < 2; ++turn) {
    Hold hold;
    scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), turn + 3, n);
    launch(a);
    scale<<<a.grid, 64>>>(a.dt.data(), a.dz.data(), 7, n);
    hold.go();
    host_scale(a.t, a.x, turn + 3, n);
    host(a);
    host_scale(a.t, a.z, 7, n);
    a.check(what);
  }
}

/// z = t + `more`.
static auto adds(U more) {
  return [more](Arrays& a) {
    for (int i = 0; i < n; ++i) a.z[i] = a.t[i] + more;
  };
}
#define APART(kernel, more)                                                             \
  static void test_##kernel(Random& random) {                                           \
    apart(                                                                              \
        random, [](Arrays& a) { kernel<<<a.grid, 64>>>(a.dz.data(), a.dt.data(), n); }, \
        adds(more), #kernel);                                                           \
  }
APART(prints, 5)
APART(traps, 6)
APART(looks_again, 7)
APART(fences, 8)
APART(reads_clock, 0)
APART(keeps_shared, 9)

static void test_keeps_dynamic(Random& random) {
  const auto launch = [](Arrays& a) {
    keeps_dynamic<<<a.grid, 64, 64 * sizeof(U)>>>(a.dz.data(), a.dt.data(), n);
  };
  apart(random, launch, adds(10), "keeps dynamic");
}

/// Of kernels that use none, but have it.
static void test_has_dynamic(Random& random) {
  apart(
      random, [](Arrays& a) { add<<<a.grid, 64, 256>>>(a.dz.data(), a.dx.data(), a.dt.data(), n); },
      [](Arrays& a) { host_add(a.z, a.x, a.t, n); }, "has dynamic");
}

/// The same elements by other blocks.
static void test_other_grid(Random& random) {
  apart(
      random, [](Arrays& a) { add<<<a.grid + 1, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), n); },
      [](Arrays& a) { host_add(a.z, a.x, a.t, n); }, "other grid");
  apart(
      random,
      [](Arrays& a) { add<<<blocks(n, 32), 32>>>(a.dz.data(), a.dx.data(), a.dt.data(), n); },
      [](Arrays& a) { host_add(a.z, a.x, a.t, n); }, "other block");
}

static void test_takes_numbers(Random& random) {
  Device next(Words(1, 0));
  apart(
      random,
      [&](Arrays& a) {
        takes_numbers<<<a.grid, 64>>>(a.dz.data(), a.dt.data(), next.data(), n);
        CUDA_OK(cudaMemsetAsync(next.data(), 0, sizeof(U)));
      },
      adds(0), "takes numbers");
}

static void test_meets(Random& random) {
  apart(
      random, [](Arrays& a) { meets<<<a.grid, 64>>>(a.dz.data(), a.dt.data(), n); },
      [](Arrays& a) {
        for (int i = 0; i < n; ++i) {
          const int other = i / 64 * 64 + 63 - i % 64;
          a.z[i] = (other < n ? a.t[other] : 0) + a.t[i];
        }
      },
      "meets");
}

static void test_meets_in_branches(Random& random) {
  apart(
      random, [](Arrays& a) { meets_in_branches<<<a.grid, 64>>>(a.dz.data(), a.dt.data(), n); },
      [](Arrays& a) {
        for (int first = 0; first < n; first += 64) {
          U sum[2] = {0, 0};
          for (int i = first; i < n && i < first + 64; ++i) sum[i % 64 >= 32] += a.t[i];
          for (int i = first; i < n && i < first + 64; ++i) a.z[i] = sum[0] - sum[1];
        }
      },
      "meets in branches");
}

static void test_meets_all(Random& random) {
  apart(
      random,
      [](Arrays& a) {
        U* z = a.dz.data();
        const U* t = a.dt.data();
        int words = n;
        void* arguments[] = {&z, &t, &words};
        CUDA_OK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(meets_all), dim3(a.grid),
                                            dim3(64), arguments, 0, nullptr));
      },
      [](Arrays& a) {
        // Sums that are 0 are too seldom to come by: t + 1 is never 0 for these numbers.
        for (int i = 0; i < n; ++i) a.z[i] = a.t[i] + 2;
      },
      "meets all");
}

// --- memory that others may look at

/// t is what `make` makes.
static void in_seen_memory(Random& random, const std::function<U*()>& make,
                           const std::function<void(U*)>& free, const char* what) {
  Arrays a(random, n);
  U* const t = make();
  for (U turn = 0; turn < 2; ++turn) {
    Hold hold;
    scale<<<a.grid, 64>>>(t, a.dx.data(), turn + 3, n);
    add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), t, n);
    scale<<<a.grid, 64>>>(t, a.dz.data(), 5, n);
    hold.go();
    host_scale(a.t, a.x, turn + 3, n);
    host_add(a.z, a.x, a.t, n);
    host_scale(a.t, a.z, 5, n);
    Words got(n, 1);
    CUDA_OK(cudaMemcpy(got.data(), t, n * sizeof(U), cudaMemcpyDefault));
    check::equal(what, got, a.t);
    check::equal(what, a.dz.get(), a.z);
  }
  free(t);
}

static void test_managed(Random& random) {
  in_seen_memory(
      random,
      [] {
        U* t = nullptr;
        CUDA_OK(cudaMallocManaged(&t, n * sizeof(U)));
        return t;
      },
      [](U* t) { CUDA_OK(cudaFree(t)); }, "managed");
}
static void test_page_locked(Random& random) {
  in_seen_memory(
      random,
      [] {
        U* t = nullptr;
        CUDA_OK(cudaMallocHost(&t, n * sizeof(U)));
        return t;
      },
      [](U* t) { CUDA_OK(cudaFreeHost(t)); }, "page-locked");
}
static void test_registered(Random& random) {
  static Words own(n + 1024);
  in_seen_memory(
      random,
      [] {
        CUDA_OK(cudaHostRegister(own.data(), own.size() * sizeof(U), cudaHostRegisterMapped));
        U* t = nullptr;
        CUDA_OK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&t), own.data(), 0));
        return t;
      },
      [](U*) { CUDA_OK(cudaHostUnregister(own.data())); }, "registered");
}
/// Less has no pages of its own.
static constexpr std::size_t exported_words = 1 << 16;
static void test_exported(Random& random) {
  in_seen_memory(
      random,
      [] {
        U* t = nullptr;
        cudaIpcMemHandle_t handle;
        CUDA_OK(cudaMalloc(&t, exported_words * sizeof(U)));
        CUDA_OK(cudaIpcGetMemHandle(&handle, t));
        return t;
      },
      [](U* t) { CUDA_OK(cudaFree(t)); }, "exported");
}

/// Exported only when the launches are known.
static void test_exported_later(Random& random) {
  Arrays a(random, n);
  U* t = nullptr;
  CUDA_OK(cudaMalloc(&t, exported_words * sizeof(U)));
  for (U turn = 0; turn < 4; ++turn) {
    Hold hold;
    scale<<<a.grid, 64>>>(t, a.dx.data(), 3, n);
    add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), t, n);
    scale<<<a.grid, 64>>>(t, a.dz.data(), 5, n);
    hold.go();
    host_scale(a.t, a.x, 3, n);
    host_add(a.z, a.x, a.t, n);
    host_scale(a.t, a.z, 5, n);
    Words got(n, 1);
    CUDA_OK(cudaMemcpy(got.data(), t, n * sizeof(U), cudaMemcpyDefault));
    check::equal("exported later, t", got, a.t);
    check::equal("exported later, z", a.dz.get(), a.z);
    cudaIpcMemHandle_t handle;
    if (turn == 1) CUDA_OK(cudaIpcGetMemHandle(&handle, t));
  }
  CUDA_OK(cudaFree(t));
}

// --- commands between

static void test_two_streams(Random& random) {
  Arrays a(random, n), b(random, n);
  Streams streams;
  Hold hold(streams.one);
  streams.after(streams.other, streams.one);
  for (U turn = 0; turn < 3; ++turn) {  // one's, the other's, ... none behind its own
    scale<<<a.grid, 64, 0, streams.one>>>(a.dt.data(), a.dx.data(), turn + 3, n);
    scale<<<b.grid, 64, 0, streams.other>>>(b.dt.data(), b.dx.data(), turn + 5, n);
    add<<<a.grid, 64, 0, streams.one>>>(a.dz.data(), a.dz.data(), a.dt.data(), n);
    add<<<b.grid, 64, 0, streams.other>>>(b.dz.data(), b.dz.data(), b.dt.data(), n);
  }
  // One's, then the other's, which waits for it.
  scale<<<a.grid, 64, 0, streams.one>>>(a.dt.data(), a.dx.data(), 11, n);
  streams.after(streams.other, streams.one);
  add<<<a.grid, 64, 0, streams.other>>>(a.dz.data(), a.dz.data(), a.dt.data(), n);
  hold.go();
  for (U turn = 0; turn < 3; ++turn) {
    host_scale(a.t, a.x, turn + 3, n);
    host_scale(b.t, b.x, turn + 5, n);
    host_add(a.z, a.z, a.t, n);
    host_add(b.z, b.z, b.t, n);
  }
  host_scale(a.t, a.x, 11, n);
  host_add(a.z, a.z, a.t, n);
  a.check("two streams, one");
  b.check("two streams, other");
}

static void test_timing(Random& random) {
  Arrays a(random, n);
  cudaEvent_t events[4];
  for (cudaEvent_t& event : events) CUDA_OK(cudaEventCreate(&event));
  for (U turn = 0; turn < 2; ++turn) {
    Hold hold;
    CUDA_OK(cudaEventRecord(events[0]));
    scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), turn + 3, n);
    CUDA_OK(cudaEventRecord(events[1]));
    add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), n);
    CUDA_OK(cudaEventRecord(events[2]));
    scale<<<a.grid, 64>>>(a.dt.data(), a.dz.data(), 5, n);
    CUDA_OK(cudaEventRecord(events[3]));
    hold.go();
    host_scale(a.t, a.x, turn + 3, n);
    host_add(a.z, a.x, a.t, n);
    host_scale(a.t, a.z, 5, n);
    a.check("timing");
    for (int i = 0; i < 3; ++i) {
      float milliseconds = -1;
      CUDA_OK(cudaEventElapsedTime(&milliseconds, events[i], events[i + 1]));
      CHECK(milliseconds >= 0);
    }
  }
  for (cudaEvent_t event : events) CUDA_OK(cudaEventDestroy(event));
}

// --- sizes

/// Of the last block, of one block, of nothing; three launches each time.
static void test_sizes(Random& random) {
  for (const int block : {1, 2, 32, 33, 64, 256}) {
    for (const int n :
         {0, 1, 2, block - 1, block, block + 1, 5 * block - 1, 5 * block, 5 * block + 1}) {
      if (n < 0) continue;
      const int room = std::max(n, 1), grid = std::max(1, blocks(n, block));
      Words x = random.words(room), t = random.words(room), z = random.words(room);
      Device dx(x), dt(t), dz(z);
      Hold hold;
      scale<<<grid, block>>>(dt.data(), dx.data(), 3, n);
      add<<<grid, block>>>(dz.data(), dx.data(), dt.data(), n);
      scale<<<grid, block>>>(dt.data(), dz.data(), 5, n);
      hold.go();
      host_scale(t, x, 3, n);
      host_add(z, x, t, n);
      host_scale(t, z, 5, n);
      check::equal("sizes, t", dt.get(), t);
      check::equal("sizes, z", dz.get(), z);
    }
  }
}

/// Launches of no block fail in their own call, and change nothing, between those that are held.
static void test_empty(Random& random) {
  Arrays a(random, n);
  for (U turn = 0; turn < 2; ++turn) {
    Hold hold;
    scale<<<a.grid, 64>>>(a.dt.data(), a.dx.data(), turn + 3, n);
    scale<<<0, 64>>>(a.dt.data(), a.dx.data(), 100, n);
    CHECK_EQ(int(cudaGetLastError()), int(cudaErrorInvalidConfiguration));
    add<<<a.grid, 64>>>(a.dz.data(), a.dx.data(), a.dt.data(), n);
    scale<<<a.grid, 2048>>>(a.dt.data(), a.dx.data(), 100, n);
    CHECK_EQ(int(cudaGetLastError()), int(cudaErrorInvalidConfiguration));
    scale<<<a.grid, 64>>>(a.dt.data(), a.dz.data(), 5, 0);
    CHECK_EQ(int(cudaGetLastError()), int(cudaSuccess));
    hold.go();
    host_scale(a.t, a.x, turn + 3, n);
    host_add(a.z, a.x, a.t, n);
    a.check("empty");
  }
}

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(Random&)> cases = {
      {"freed", test_freed},
      {"freed_in_order", test_freed_in_order},
      {"but_one", test_but_one},
      {"but_the_first", test_but_the_first},
      {"symbol", test_symbol},
      {"graph", test_graph},
      {"other_stream", test_other_stream},
      {"kept", test_kept},
      {"aliases", test_aliases},
      {"overlaps_later", test_overlaps_later},
      {"other_n", test_other_n},
      {"other_grid", test_other_grid},
      {"wraps", test_wraps},
      {"narrow", test_narrow},
      {"guarded", test_guarded},
      {"gather", test_gather},
      {"scatter", test_scatter},
      {"meets", test_meets},
      {"meets_in_branches", test_meets_in_branches},
      {"meets_all", test_meets_all},
      {"prints", test_prints},
      {"traps", test_traps},
      {"looks_again", test_looks_again},
      {"fences", test_fences},
      {"takes_numbers", test_takes_numbers},
      {"reads_clock", test_reads_clock},
      {"keeps_shared", test_keeps_shared},
      {"keeps_dynamic", test_keeps_dynamic},
      {"has_dynamic", test_has_dynamic},
      {"managed", test_managed},
      {"page_locked", test_page_locked},
      {"registered", test_registered},
      {"exported", test_exported},
      {"exported_later", test_exported_later},
      {"two_streams", test_two_streams},
      {"timing", test_timing},
      {"sizes", test_sizes},
      {"empty", test_empty},
  };
  Random random(2026);
  Device one(Words(1, 0));
  scale<<<1, 1>>>(one.data(), one.data(), 1, 1);  // loads the kernels
  KERNEL_OK();
  for (const auto& [name, test] : cases) {
    const bool is_asked_for = argc == 1 || std::find(argv + 1, argv + argc, name) != argv + argc;
    if (is_asked_for) test(random);
  }
  return check::finish();
}
