// Compare-and-swap loops that build other atomics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Atomics | CAS loops: float maximum, double sum through 64-bit CAS, complex update
// FEATURE: Atomics | atomicCAS on 16 bits
#include "check.h"

#include <algorithm>

__device__ float atomic_max(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__device__ double add_by_cas(double* address, double value) {
  unsigned long long* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

// Two floats updated together inside one 64-bit word.
__device__ void minmax_together(unsigned long long* cell, float value) {
  unsigned long long old = *cell;
  for (;;) {
    const float low = __uint_as_float(static_cast<unsigned>(old));
    const float high = __uint_as_float(static_cast<unsigned>(old >> 32));
    const unsigned long long next =
        static_cast<unsigned long long>(__float_as_uint(fmaxf(high, value))) << 32 |
        __float_as_uint(fminf(low, value));
    const unsigned long long seen = atomicCAS(cell, old, next);
    if (seen == old) return;
    old = seen;
  }
}

__global__ void update(const float* in, float* high, double* sum, unsigned long long* range,
                       unsigned short* counter) {
  const unsigned i = check::global_index();
  atomic_max(high, in[i]);
  add_by_cas(sum, static_cast<double>(in[i]));
  minmax_together(range, in[i]);
  unsigned short old = *counter;
  for (;;) {
    const unsigned short seen = atomicCAS(counter, old, static_cast<unsigned short>(old + 3));
    if (seen == old) break;
    old = seen;
  }
}

__global__ void shared_maximum(const float* in, float* out) {
  __shared__ float high;
  if (check::thread_index() == 0) high = -1e30f;
  __syncthreads();
  atomic_max(&high, in[check::global_index()]);
  __syncthreads();
  if (check::thread_index() == 0) out[blockIdx.x] = high;
}

// CAS that must fail leaves the cell alone and returns what is there.
__global__ void outcome(int* cell, int* results) {
  results[0] = atomicCAS(cell, 5, 6);
  results[1] = atomicCAS(cell, 4, 9);
  results[2] = *cell;
}

// The rows of the frontier's nodes; a row's end is read again in each round.
__global__ void expand(const int* begin, const int* target, const int* frontier, int count,
                       int* depth, int level, int* next, int* next_count) {
  const int i = check::global_index();
  if (i >= count) return;
  const int node = frontier[i];
  for (int k = begin[node]; k < begin[node + 1]; ++k)
    if (depth[target[k]] == -1 && atomicCAS(&depth[target[k]], -1, level) == -1)
      next[atomicAdd(next_count, 1)] = target[k];
}

static void search(int nodes) {
  check::Random random(nodes);
  std::vector<int> begin(1, 0), target, want(nodes, -1), order(1, 0);
  for (int i = 0; i < nodes; ++i) {
    for (int k = i % 7; k > 0; --k)
      target.push_back(static_cast<int>(random.integer(0, nodes - 1)));
    target.push_back((i + 1) % nodes);
    begin.push_back(static_cast<int>(target.size()));
  }
  want[0] = 0;
  for (std::size_t at = 0; at < order.size(); ++at)
    for (int k = begin[order[at]]; k < begin[order[at] + 1]; ++k)
      if (want[target[k]] == -1) {
        want[target[k]] = want[order[at]] + 1;
        order.push_back(target[k]);
      }
  std::vector<int> start(nodes, -1), first(nodes, 0);
  start[0] = 0;
  check::Array<int> rows(begin), targets(target), depth(start), frontier(first), next(first),
      counter(1);
  int *from = frontier.data(), *to = next.data();
  for (int level = 1, count = 1; count > 0; ++level) {
    CUDA_OK(cudaMemset(counter.data(), 0, sizeof(int)));
    expand<<<(count + 63) / 64, 64>>>(rows.data(), targets.data(), from, count, depth.data(), level,
                                      to, counter.data());
    CUDA_OK(cudaMemcpy(&count, counter.data(), sizeof count, cudaMemcpyDeviceToHost));
    std::swap(from, to);
  }
  check::equal("depths of " + std::to_string(nodes), depth.get(), want);
}

int main() {
  for (int nodes : {1, 63, 2000}) search(nodes);
  for (dim3 block : check::few_block_shapes()) {
    const int n = check::volume(block), blocks = 5, total = n * blocks;
    check::Random random(n);
    auto in = random.integers<float>(total, -100000, 100000);
    check::Array<float> source(in), high(std::vector<float>(1, -1e30f)), block_high(blocks);
    check::Array<double> sum(std::vector<double>(1, 0.0));
    const float start[2] = {1e30f, -1e30f};
    unsigned long long bits;
    std::memcpy(&bits, start, 8);
    check::Array<unsigned long long> range(std::vector<unsigned long long>(1, bits));
    check::Array<unsigned short> counter(std::vector<unsigned short>(2, 7));
    update<<<blocks, block>>>(source.data(), high.data(), sum.data(), range.data(), counter.data());
    double want_sum = 0;
    for (float x : in) want_sum += x;
    const float want_high = *std::max_element(in.begin(), in.end());
    CHECK_EQ(high.get()[0], want_high);
    CHECK_EQ(sum.get()[0], want_sum);
    float got[2];
    std::memcpy(got, range.get().data(), 8);
    CHECK_EQ(got[0], *std::min_element(in.begin(), in.end()));
    CHECK_EQ(got[1], want_high);
    const auto counts = counter.get();
    CHECK_EQ(counts[0], static_cast<unsigned short>(7 + 3 * total));
    CHECK_EQ(counts[1], 7);
    shared_maximum<<<blocks, block>>>(source.data(), block_high.data());
    std::vector<float> want(blocks);
    for (int b = 0; b < blocks; ++b)
      want[b] = *std::max_element(in.begin() + b * n, in.begin() + (b + 1) * n);
    check::equal(check::name("shared_maximum", block), block_high.get(), want);
  }
  check::Array<int> cell(std::vector<int>(1, 4)), results(3);
  outcome<<<1, 1>>>(cell.data(), results.data());
  check::equal("outcome", results.get(), std::vector<int>{4, 4, 9});
  return check::finish();
}
