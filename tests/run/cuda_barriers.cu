// <cuda/barrier>, <cuda/pipeline>, <cuda/atomic> and the C interfaces of barriers and pipelines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_80
// FEATURE: Barriers | cuda::barrier of a block: init, arrive, wait, wait_parity, arrive_and_wait, arrive_and_drop, try_wait_for, completion functions, memcpy_async, barrier_native_handle
// FEATURE: Barriers | cuda::barrier of the device, between thread blocks
// FEATURE: Barriers | cuda::pipeline of a thread and of a block (unified, roles, numbers of producers), memcpy_async, aligned_size_t, pipeline_consumer_wait_prior
// FEATURE: Barriers | __mbarrier_* and __pipeline_*
// FEATURE: Atomics | cuda::atomic, cuda::atomic_ref, cuda::atomic_thread_fence, on host and device
#include "check.h"

#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/chrono>
#include <cuda/std/type_traits>

#include <algorithm>
#include <new>
#include <utility>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// --- barriers ------------------------------------------------------------------------------------

// Neighbours' cells, round after round, arriving and waiting in all ways; thread 3 leaves early.
__global__ void rounds(int* out, int count) {
  __shared__ block_barrier barrier;
  __shared__ int cells[2][256];
  const int t = int(threadIdx.x), n = int(blockDim.x);
  if (t == 0) init(&barrier, n);
  __syncthreads();
  int value = t + int(blockIdx.x);
  for (int i = 0; i < count; ++i) {
    int* const row = cells[i % 2];  // the round before may still be read
    row[t] = value;
    if (i % 4 == 0) {
      auto token = barrier.arrive();
      barrier.wait(std::move(token));
    } else if (i % 4 == 1) {
      (void)barrier.arrive();
      barrier.wait_parity(i & 1);
    } else if (i % 4 == 2) {
      if (t == 3) {
        barrier.arrive_and_drop();
        break;
      }
      barrier.arrive_and_wait();
    } else {
      auto token = barrier.arrive();
      while (!barrier.try_wait_for(std::move(token), cuda::std::chrono::nanoseconds(500))) {
      }
    }
    value += row[(t + 1) % n] % 100;
  }
  out[blockIdx.x * n + t] = value;
}

struct Sum {
  int* from;
  int* to;
  int count;
  __device__ void operator()() noexcept {
    for (int i = 0; i < count; ++i) *to += from[i];
  }
};
// The last to arrive adds up what all have brought.
__global__ void completions(int* out) {
  using summing = cuda::barrier<cuda::thread_scope_block, Sum>;
  __shared__ typename std::aligned_storage<sizeof(summing), alignof(summing)>::type room;
  __shared__ int cells[256];
  __shared__ int total;
  auto& barrier = reinterpret_cast<summing&>(room);
  if (threadIdx.x == 0) {
    total = 0;
    new (&room) summing(blockDim.x, Sum{cells, &total, int(blockDim.x)});
  }
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    cells[threadIdx.x] = int(threadIdx.x) * (i + 1);
    barrier.arrive_and_wait();
    if (int(threadIdx.x) == i) out[blockIdx.x * 3 + i] = total;
    barrier.arrive_and_wait();
  }
}

__device__ cuda::barrier<cuda::thread_scope_device> across;
__device__ int sums[8];
__global__ void open_across(int blocks) {
  if (threadIdx.x == 0) init(&across, blocks);
}
// One thread of each block meets the others' (all blocks are resident: cooperative launch).
__global__ void meet_across(int* out) {
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x) * 10 + 1;
    across.arrive_and_wait();
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += *(volatile int*)&sums[b];
    out[blockIdx.x] = total;
  }
}

__global__ void copies(const int* in, int* out) {
  __shared__ block_barrier barrier;
  __shared__ __align__(16) int row[256];
  auto block = cg::this_thread_block();
  const unsigned t = threadIdx.x, n = blockDim.x;
  if (t == 0) init(&barrier, n);
  block.sync();
  const int* from = in + blockIdx.x * n;
  cuda::memcpy_async(block, row, from, sizeof(int) * n, barrier);
  barrier.arrive_and_wait();
  const int first = row[n - 1 - t];
  barrier.arrive_and_wait();
  cuda::memcpy_async(row + t, from + (t + 5) % n, cuda::aligned_size_t<4>(4), barrier);
  unsigned long long* const native =
      reinterpret_cast<unsigned long long*>(cuda::device::barrier_native_handle(barrier));
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(unsigned(__cvta_generic_to_shared(native)))
               : "memory");
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(unsigned(__cvta_generic_to_shared(native))), "l"(token)
        : "memory");
  out[blockIdx.x * n + t] = first * 3 + row[(t + 1) % n];
}

void barriers() {
  for (int n : {32, 100, 256}) {
    const int blocks = 3, count = 7;
    check::Array<int> dout(blocks * n), dtotals(blocks * 3);
    rounds<<<blocks, n>>>(dout.data(), count);
    completions<<<blocks, n>>>(dtotals.data());
    std::vector<int> want, totals;
    for (int b = 0; b < blocks; ++b) {
      std::vector<int> value(n), cells(n), rows[2] = {cells, cells};
      for (int t = 0; t < n; ++t) value[t] = t + b;
      for (int i = 0; i < count; ++i) {
        for (int t = 0; t < n; ++t)
          if (t != 3 || i <= 2) rows[i % 2][t] = value[t];
        for (int t = 0; t < n; ++t)
          if (t != 3 || i < 2) value[t] += rows[i % 2][(t + 1) % n] % 100;
      }
      want.insert(want.end(), value.begin(), value.end());
      // Each round adds its cells twice: when they are brought and when they have been read.
      const int all = n * (n - 1) / 2;
      totals.insert(totals.end(), {all, 2 * all + 2 * all, 2 * all + 4 * all + 3 * all});
    }
    check::equal("rounds " + std::to_string(n), dout.get(), want);
    check::equal("completions " + std::to_string(n), dtotals.get(), totals);

    check::Random random(n);
    const auto in = random.integers<int>(blocks * n, -1000, 1000);
    check::Array<int> din(in), copied(in.size());
    copies<<<blocks, n>>>(din.data(), copied.data());
    std::vector<int> moved(in.size());
    for (int i = 0; i < int(in.size()); ++i) {
      const int first = i / n * n, t = i % n;
      moved[i] = in[first + n - 1 - t] * 3 + in[first + (t + 1 + 5) % n];
    }
    check::equal("copies " + std::to_string(n), copied.get(), moved);
  }
  const int blocks = 8;
  check::Array<int> dout(blocks);
  open_across<<<1, 32>>>(blocks);
  int* to = dout.data();
  void* arguments[] = {&to};
  CUDA_OK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(meet_across), dim3(blocks), dim3(64),
                                      arguments, 0, nullptr));
  check::equal("across blocks", dout.get(), std::vector<int>(blocks, 10 * 28 + blocks));
}

// --- pipelines -----------------------------------------------------------------------------------

constexpr int batch = 64;

// Two stages in flight, all threads copy and all compute.
template <int form>
__global__ void staged(const int* in, int* out, int batches) {
  constexpr int stages = 2;
  __shared__ __align__(16) int rows[stages][batch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int* from = in + blockIdx.x * batches * batch;
  int filled = 0;
  for (int i = 0; i < batches; ++i) {
    for (; filled < batches && filled < i + stages; ++filled) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, rows[filled % stages], from + filled * batch,
                         cuda::aligned_size_t<16>(sizeof(int) * batch), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    const int got = rows[i % stages][(threadIdx.x + 7) % batch];
    pipe.consumer_release();
    out[(blockIdx.x * batches + i) * batch + threadIdx.x] = got * 2 + i;
  }
}

// A third of the threads fills, the others empty.
template <bool by_role>
__global__ void divided(const int* in, int* out, int batches) {
  constexpr int stages = 3;
  __shared__ int rows[stages][batch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  const unsigned producers = 32;
  const bool produces = block.thread_rank() < producers;
  auto run = [&](auto& pipe) {
    const int* from = in + blockIdx.x * batches * batch;
    if (produces) {
      for (int i = 0; i < batches; ++i) {
        pipe.producer_acquire();
        for (unsigned k = threadIdx.x; k < batch; k += producers)
          cuda::memcpy_async(&rows[i % stages][k], &from[i * batch + k], sizeof(int), pipe);
        pipe.producer_commit();
      }
    } else {
      for (int i = 0; i < batches; ++i) {
        pipe.consumer_wait();
        const unsigned t = threadIdx.x - producers;
        const int got = rows[i % stages][(t + 7) % batch];
        pipe.consumer_release();
        out[(blockIdx.x * batches + i) * batch + t] = got * 2 + i;
      }
    }
  };
  if constexpr (by_role) {
    auto pipe = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    run(pipe);
  } else {
    auto pipe = cuda::make_pipeline(block, &state, std::size_t(producers));
    run(pipe);
  }
}

__global__ void of_one_thread(const int* in, int* out, int batches) {
  __shared__ int rows[2][batch];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const unsigned t = threadIdx.x;
  const int* from = in + blockIdx.x * batches * batch;
  int filled = 0;
  for (int i = 0; i < batches; ++i) {
    for (; filled < batches && filled < i + 2; ++filled) {
      pipe.producer_acquire();
      cuda::memcpy_async(&rows[filled % 2][t], &from[filled * batch + t],
                         cuda::aligned_size_t<alignof(int)>(sizeof(int)), pipe);
      pipe.producer_commit();
    }
    if (i + 1 < batches)
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    else
      pipe.consumer_wait();
    __syncthreads();
    out[(blockIdx.x * batches + i) * batch + t] = rows[i % 2][(t + 7) % batch] * 2 + i;
    __syncthreads();
    pipe.consumer_release();
  }
}

// The C interfaces. Bytes that are to be zero are not read.
__global__ void primitives(const int* in, int* out, int batches) {
  __shared__ __align__(16) int rows[batch];
  __shared__ __mbarrier_t arrived;
  const unsigned t = threadIdx.x;
  if (t == 0) __mbarrier_init(&arrived, blockDim.x);
  __syncthreads();
  const int* from = in + blockIdx.x * batches * batch;
  for (int i = 0; i < batches; ++i) {
    if (t < batch / 4) __pipeline_memcpy_async(rows + 4 * t, from + i * batch + 4 * t, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    auto token = __mbarrier_arrive(&arrived);
    while (!__mbarrier_test_wait(&arrived, token)) {
    }
    out[(blockIdx.x * batches + i) * batch + t] = rows[(t + 7) % batch] * 2 + i;
    __syncthreads();
  }
}
__global__ void filled_with_zeros(const int* in, int* out) {
  __shared__ __align__(16) int row[32];
  const unsigned t = threadIdx.x;
  row[4 * t] = row[4 * t + 1] = row[4 * t + 2] = row[4 * t + 3] = -1;
  __pipeline_memcpy_async(row + 4 * t, in + 4 * t, 16, 4 * (t % 4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 4; ++i) out[4 * t + i] = row[4 * t + i];
}

void pipelines() {
  const int blocks = 3, batches = 8;
  check::Random random(3);
  const auto in = random.integers<int>(blocks * batches * batch, -10000, 10000);
  check::Array<int> din(in);
  std::vector<int> want(in.size());
  for (int i = 0; i < int(in.size()); ++i)
    want[i] = in[i / batch * batch + (i % batch + 7) % batch] * 2 + i / batch % batches;
  auto run = [&](const char* name, auto kernel, int threads) {
    check::Array<int> dout(in.size());
    kernel<<<blocks, threads>>>(din.data(), dout.data(), batches);
    check::equal(name, dout.get(), want);
  };
  run("unified pipeline", staged<0>, batch);
  run("pipeline by roles", divided<true>, batch + 32);
  run("pipeline by number", divided<false>, batch + 32);
  run("pipeline of a thread", of_one_thread, batch);
  run("primitives", primitives, batch);
  check::Array<int> dout(32);
  filled_with_zeros<<<1, 8>>>(din.data(), dout.data());
  std::vector<int> some(32);
  for (int i = 0; i < 32; ++i) some[i] = i % 4 < 4 - i / 4 % 4 ? in[i] : 0;
  check::equal("zero fill", dout.get(), some);
}

// --- atomics -------------------------------------------------------------------------------------

__device__ cuda::atomic<int, cuda::thread_scope_device> counter{0};

__global__ void count(int* plain, unsigned long long* mask, float* real, int* largest,
                      int* tickets) {
  const int i = int(check::global_index());
  volatile auto& watched = counter;
  tickets[i] = watched.fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(*plain);
  sum += i;
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> bits(*mask);
  bits.fetch_or(1ull << (i % 64), cuda::std::memory_order_acq_rel);
  cuda::atomic_ref<float, cuda::thread_scope_device> total(*real);
  total.fetch_add(0.5f);
  cuda::atomic_ref<int> most(*largest);
  most.fetch_max(i * 7 % 1001);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

// Block 1 waits for what block 0 publishes.
__global__ void publish(int* value, cuda::atomic<int, cuda::thread_scope_device>* ready, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = 42;
    ready->store(1, cuda::memory_order_release);
  } else {
    while (ready->load(cuda::memory_order_acquire) == 0) {
    }
    int expected = 1;
    const bool exchanged = ready->compare_exchange_strong(expected, 5);
    *out = *value + (exchanged ? 100 : 0) + expected;
  }
}

void atomics() {
  const int blocks = 7, threads = 99, n = blocks * threads;
  check::Array<int> sum(std::vector<int>{5}), largest(std::vector<int>{-1}), tickets(n);
  check::Array<unsigned long long> mask(std::vector<unsigned long long>{0});
  check::Array<float> real(std::vector<float>{1});
  count<<<blocks, threads>>>(sum.data(), mask.data(), real.data(), largest.data(), tickets.data());
  int most = 0;
  for (int i = 0; i < n; ++i) most = std::max(most, i * 7 % 1001);
  auto drawn = tickets.get();
  std::sort(drawn.begin(), drawn.end());
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = i;
  check::equal("tickets", drawn, want);
  CHECK_EQ(sum.get()[0], 5 + n * (n - 1) / 2);
  CHECK_EQ(mask.get()[0], ~0ull);
  CHECK_EQ(real.get()[0], 1 + 0.5f * n);
  CHECK_EQ(largest.get()[0], most);

  check::Array<int> value(1), out(1);
  cuda::atomic<int, cuda::thread_scope_device>* ready = nullptr;
  CUDA_OK(cudaMalloc(&ready, sizeof *ready));
  CUDA_OK(cudaMemset(ready, 0, sizeof *ready));
  publish<<<2, 32>>>(value.data(), ready, out.data());
  CHECK_EQ(out.get()[0], 143);
  CUDA_OK(cudaFree(ready));

  cuda::atomic<long long> on_host(3);
  on_host += 4;
  CHECK_EQ(on_host.load(), 7);
  CHECK_EQ(on_host.exchange(9), 7);
  CHECK_EQ(on_host++, 9);
  CHECK_EQ(on_host.fetch_min(2), 10);
  CHECK_EQ(on_host.load(), 2);
  volatile cuda::std::atomic<long long>& watched = on_host;
  watched.store(11, cuda::std::memory_order_release);
  watched -= 1;
  CHECK_EQ(watched.load(), 10);
  CHECK_EQ(watched = 12, 12);
  long long expected = 5;
  CHECK_EQ(watched.compare_exchange_strong(expected, 6), false);
  CHECK_EQ(expected, 12);
  static_assert(cuda::std::is_same<cuda::std::remove_const<const int>::type, int>::value);
}

// Twelve lanes of the first warp wait for what the second one writes; the others are at a vote of
// all 32 lanes by then.
__global__ void some_lanes_wait(const int* in, int* got, unsigned* votes) {
  __shared__ block_barrier ready;
  __shared__ int values[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&ready, 32);
  __syncthreads();
  if (threadIdx.x >= 32) {
    values[lane] = in[lane];
    static_cast<void>(ready.arrive());
  }
  int value = -1;
  if (threadIdx.x < 12) {
    ready.wait_parity(false);
    value = values[lane + 5];
  }
  votes[threadIdx.x] = __ballot_sync(~0u, value > 0);
  got[threadIdx.x] = value;
}

static void waits_in_a_warp() {
  check::Random random(5);
  const auto in = random.integers<int>(32, -100, 100);
  check::Array<int> source(in), got(64);
  check::Array<unsigned> votes(64);
  some_lanes_wait<<<1, 64>>>(source.data(), got.data(), votes.data());
  std::vector<int> want(64, -1);
  std::vector<unsigned> want_votes(64, 0);
  unsigned vote = 0;
  for (int i = 0; i < 12; ++i) {
    want[i] = in[i + 5];
    vote |= static_cast<unsigned>(want[i] > 0) << i;
  }
  for (int i = 0; i < 32; ++i) want_votes[i] = vote;
  check::equal("some_lanes_wait", got.get(), want);
  check::equal("votes of some_lanes_wait", votes.get(), want_votes);
}

int main() {
  barriers();
  waits_in_a_warp();
  pipelines();
  atomics();
  return check::finish();
}
