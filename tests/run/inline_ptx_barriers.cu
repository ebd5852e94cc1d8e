// Numbered barriers, mbarrier objects, bulk copies and isspacep in inline PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Inline PTX | bar.sync and bar.arrive with a number and a count of threads: producer and consumer warps, parts of a block, numbers in registers
// FEATURE: Inline PTX | mbarrier: init, arrive, arrive_drop, expect_tx, test_wait, try_wait, parity, pending_count
// FEATURE: Inline PTX | cp.async.bulk between global and shared memory, cp.async.mbarrier.arrive, createpolicy, isspacep
#include "check.h"

__device__ unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

__device__ void meet(unsigned id, unsigned count) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}
__device__ void announce(unsigned id, unsigned count) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory");
}

// The lower half of the block fills two buffers in turn, the upper half empties them.
__global__ void producers_and_consumers(const int* in, int* out, int rounds) {
  __shared__ int buffers[2][512];
  const unsigned half = blockDim.x / 2, t = threadIdx.x % half;
  const unsigned full = 1, empty = 3;
  if (threadIdx.x < half) {
    for (int i = 0; i < rounds; ++i) {
      if (i >= 2) meet(empty + i % 2, blockDim.x);
      buffers[i % 2][t] = in[(blockIdx.x * rounds + i) * half + t] + 1;
      announce(full + i % 2, blockDim.x);
    }
  } else {
    for (int i = 0; i < rounds; ++i) {
      meet(full + i % 2, blockDim.x);
      out[(blockIdx.x * rounds + i) * half + t] = buffers[i % 2][(t + 37) % half];
      if (i + 2 < rounds) announce(empty + i % 2, blockDim.x);
    }
  }
}

// Each half of the block sums in steps of its own: how many depends on the half.
__global__ void halves(int* out) {
  __shared__ int cells[1024];
  const unsigned half = blockDim.x / 2, part = threadIdx.x / half, t = threadIdx.x % half;
  int value = int(threadIdx.x);
  for (unsigned step = 0; step < 3 + part; ++step) {
    cells[threadIdx.x] = value;
    meet(1 + part, half);
    value += cells[part * half + (t + 1 + step) % half];
    meet(1 + part, half);
  }
  cells[threadIdx.x] = value;
  __syncthreads();
  value += cells[blockDim.x - 1 - threadIdx.x];
  asm volatile("barrier.sync %0;" ::"r"(blockIdx.x % 8) : "memory");
  cells[threadIdx.x] = value;
  asm volatile("barrier.sync.aligned 15;" ::: "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = cells[(threadIdx.x + 40) % blockDim.x];
}

// A block whose last warp is not full counts as whole warps.
__global__ void short_warp(int* out) {
  __shared__ int cells[64];
  cells[threadIdx.x] = int(threadIdx.x) * 5;
  asm volatile("bar.sync 2, 64;" ::: "memory");
  out[threadIdx.x] = cells[blockDim.x - 1 - threadIdx.x];
}

void numbered() {
  for (unsigned threads : {64u, 128u, 448u}) {
    const int rounds = 7, blocks = 3, n = int(threads / 2);
    check::Random random(threads);
    const auto in = random.integers<int>(blocks * rounds * n, -1000, 1000);
    check::Array<int> din(in), dout(in.size());
    producers_and_consumers<<<blocks, threads>>>(din.data(), dout.data(), rounds);
    std::vector<int> want(in.size());
    for (int i = 0; i < int(in.size()); ++i) want[i] = in[i / n * n + (i % n + 37) % n] + 1;
    check::equal("producers and consumers " + std::to_string(threads), dout.get(), want);
  }
  for (unsigned threads : {64u, 192u, 1024u}) {
    const unsigned blocks = 9, half = threads / 2;
    check::Array<int> dout(blocks * threads);
    halves<<<blocks, threads>>>(dout.data());
    std::vector<int> value(threads);
    for (unsigned t = 0; t < threads; ++t) value[t] = int(t);
    for (unsigned part = 0; part < 2; ++part)
      for (unsigned step = 0; step < 3 + part; ++step) {
        const auto before = value;
        for (unsigned t = 0; t < half; ++t)
          value[part * half + t] += before[part * half + (t + 1 + step) % half];
      }
    auto sum = value;
    for (unsigned t = 0; t < threads; ++t) sum[t] += value[threads - 1 - t];
    std::vector<int> want;
    for (unsigned b = 0; b < blocks; ++b)
      for (unsigned t = 0; t < threads; ++t) want.push_back(sum[(t + 40) % threads]);
    check::equal("halves " + std::to_string(threads), dout.get(), want);
  }
  check::Array<int> dout(48);
  short_warp<<<1, 48>>>(dout.data());
  std::vector<int> want(48);
  for (int t = 0; t < 48; ++t) want[t] = (47 - t) * 5;
  check::equal("short warp", dout.get(), want);
}

// --- mbarrier ------------------------------------------------------------------------------------

using Object = unsigned long long;

__device__ void make(Object* object, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(object)), "r"(count));
}
__device__ Object arrive(Object* object) {
  Object state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(shared_address(object))
               : "memory");
  return state;
}
__device__ void wait(Object* object, Object state) {
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(object)), "l"(state)
        : "memory");
}
__device__ void wait_parity(Object* object, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@p bra done;\n"
      "bra again;\n"
      "done:\n"
      "}" ::"r"(shared_address(object)),
      "r"(parity)
      : "memory");
}

// Neighbours' cells, round after round; thread 5 drops out after the second round.
__global__ void rounds_of_arrivals(int* out, int rounds) {
  __shared__ Object ready, taken;
  __shared__ int cells[256];
  const unsigned t = threadIdx.x, n = blockDim.x;
  if (t == 0) {
    make(&ready, n);
    make(&taken, n);
  }
  __syncthreads();
  int value = int(t) + int(blockIdx.x);
  for (int i = 0; i < rounds; ++i) {
    cells[t] = value;
    if (t == 5 && i == 2) {
      asm volatile(
          "{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0]; }" ::"r"(shared_address(&ready))
          : "memory");
      asm volatile(
          "{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0]; }" ::"r"(shared_address(&taken))
          : "memory");
      break;
    }
    wait(&ready, arrive(&ready));
    value += cells[(t + 1) % n] % 100;
    asm volatile("{ .reg .b64 s; mbarrier.arrive.release.cta.shared::cta.b64 s, [%0], 1; }" ::"r"(
                     shared_address(&taken))
                 : "memory");
    wait_parity(&taken, i & 1);
  }
  out[blockIdx.x * n + t] = value;
}

// One thread has a row copied; all wait for its bytes. Then the changed row is copied back.
__global__ void bulk_copies(const int* in, int* out, int* facts) {
  __shared__ __align__(16) int row[256];
  __shared__ Object arrived;
  const unsigned t = threadIdx.x, bytes = 4 * blockDim.x;
  if (t == 0) {
    make(&arrived, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const int* from = in + blockIdx.x * blockDim.x;
  if (t == 0) {
    unsigned pending;
    Object state;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(shared_address(&arrived)), "r"(bytes)
                 : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    facts[blockIdx.x] = int(pending);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_address(row)),
        "l"(from), "r"(bytes), "r"(shared_address(&arrived))
        : "memory");
  }
  wait_parity(&arrived, 0);
  row[t] = row[t] * 3 + int(t);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                     out + blockIdx.x * blockDim.x),
                 "r"(shared_address(row)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

// Every thread copies four bytes and arrives for them.
__global__ void small_copies(const int* in, int* out) {
  __shared__ int row[256];
  __shared__ Object arrived;
  const unsigned t = threadIdx.x, n = blockDim.x;
  if (t == 0) make(&arrived, n);
  __syncthreads();
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile(
      "cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, %2;" ::"r"(shared_address(row + t)),
      "l"(in + blockIdx.x * n + t), "l"(policy)
      : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&arrived))
               : "memory");
  wait_parity(&arrived, 0);
  out[blockIdx.x * n + t] = row[n - 1 - t];
}

void objects() {
  for (int threads : {32, 100, 256}) {
    const int blocks = 3, rounds = 5, n = threads;
    check::Array<int> dout(blocks * n);
    rounds_of_arrivals<<<blocks, n>>>(dout.data(), rounds);
    std::vector<int> want;
    for (int b = 0; b < blocks; ++b) {
      std::vector<int> value(n), cells(n);
      for (int t = 0; t < n; ++t) value[t] = t + b;
      for (int i = 0; i < rounds; ++i) {
        for (int t = 0; t < n; ++t)
          if (t != 5 || i <= 2) cells[t] = value[t];
        for (int t = 0; t < n; ++t)
          if (t != 5 || i < 2) value[t] += cells[(t + 1) % n] % 100;
      }
      want.insert(want.end(), value.begin(), value.end());
    }
    check::equal("rounds of arrivals " + std::to_string(n), dout.get(), want);

    const int m = n / 4 * 4;  // bytes in multiples of 16
    check::Random random(n);
    const auto in = random.integers<int>(blocks * m, -5000, 5000);
    check::Array<int> din(in), copied(in.size()), facts(blocks), reversed(in.size());
    bulk_copies<<<blocks, m>>>(din.data(), copied.data(), facts.data());
    small_copies<<<blocks, m>>>(din.data(), reversed.data());
    std::vector<int> changed(in), mirrored(in);
    for (int i = 0; i < int(in.size()); ++i) {
      changed[i] = in[i] * 3 + i % m;
      mirrored[i] = in[i / m * m + m - 1 - i % m];
    }
    check::equal("bulk copies", copied.get(), changed);
    check::equal("pending arrivals", facts.get(), std::vector<int>(blocks, 1));
    check::equal("small copies", reversed.get(), mirrored);
  }
}

// --- address spaces ------------------------------------------------------------------------------

__global__ void spaces(const int* global, int* out) {
  __shared__ int cells[8];
  extern __shared__ int more[];
  int own = 0;
  const int* pointers[5] = {global, out, cells + 3, more, more + 9};
  int* facts = out + threadIdx.x * 16;
  for (int i = 0; i < 5; ++i) {
    int answer;
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }"
        : "=r"(answer)
        : "l"(pointers[i]));
    facts[2 * i] = answer;
    facts[2 * i + 1] = int(__isGlobal(pointers[i]));
  }
  facts[10] = int(__isShared(&own));
  for (int i = 11; i < 16; ++i) facts[i] = int(threadIdx.x) + (own = 3) - 3;
}

void address_spaces() {
  check::Array<int> in(16), out(40 * 16);
  spaces<<<1, 40, 40>>>(in.data(), out.data());
  std::vector<int> want;
  for (int t = 0; t < 40; ++t)
    for (int fact : {0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, t, t, t, t, t}) want.push_back(fact);
  check::equal("isspacep", out.get(), want);
}

int main() {
  numbered();
  objects();
  address_spaces();
  return check::finish();
}
