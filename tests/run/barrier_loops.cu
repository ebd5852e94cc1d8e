// Barriers in loops of every kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Barriers | in for loops, loop-carried values
// FEATURE: Barriers | in while and do-while loops whose condition is computed in shared memory
// FEATURE: Barriers | in nested loops, at several depths
// FEATURE: Barriers | with break, continue and goto
#include "check.h"

// Uniform trip count; a value is passed around the ring of threads.
__global__ void for_rotate(const int* in, int* out, int steps) {
  __shared__ int ring[1024];
  const unsigned t = check::thread_index(), n = check::thread_count();
  int value = in[blockIdx.x * n + t];
  for (int i = 0; i < steps; ++i) {
    ring[t] = value;
    __syncthreads();
    value = ring[(t + 1) % n] + i;
    __syncthreads();
  }
  out[blockIdx.x * n + t] = value;
}

// The shared flag decides for everyone; the number of rounds depends on the data.
__global__ void while_shared(const int* in, int* out, int* rounds) {
  __shared__ int changed, cells[1024];
  const unsigned t = check::thread_index(), n = check::thread_count();
  cells[t] = in[t];
  if (t == 0) changed = 1;
  __syncthreads();
  int round = 0;
  while (changed) {  // propagate the maximum to the right until nothing moves
    __syncthreads();
    if (t == 0) changed = 0;
    __syncthreads();
    const int left = t > 0 ? cells[t - 1] : cells[t];
    const int mine = cells[t];
    __syncthreads();
    if (left > mine) {
      cells[t] = left;
      changed = 1;
    }
    ++round;
    __syncthreads();
  }
  out[t] = cells[t];
  if (t == n - 1) *rounds = round;
}

__global__ void do_while_halving(int* out, const int* in) {
  extern __shared__ int partial[];
  const unsigned t = check::thread_index();
  unsigned width = check::thread_count();
  partial[t] = in[blockIdx.x * width + t];
  __syncthreads();
  if (width > 1) {
    do {
      const unsigned half = (width + 1) / 2;
      if (t + half < width) partial[t] += partial[t + half];
      width = half;
      __syncthreads();
    } while (width > 1);
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

// Depth one, two and three, the inner trip counts depending on the outer index.
__global__ void nested(int* out, int outer) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int value = t;
  for (int i = 0; i < outer; ++i) {
    cells[t] = value;
    __syncthreads();
    for (int j = 0; j <= i; ++j) {
      value += cells[(t + j) % n];
      __syncthreads();
      for (int k = j; k < 3; ++k) {
        cells[t] = value ^ k;
        __syncthreads();
        value = cells[(t + k + 1) % n] + j;
        __syncthreads();
      }
      cells[t] = value;
      __syncthreads();
    }
    __syncthreads();
  }
  out[t] = value;
}

// break and continue on block-uniform conditions, some work in between on divergent ones.
__global__ void break_continue(int* out, int stop) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int value = 0;
  for (int i = 0; i < 20; ++i) {
    if (i % 3 == 2) {
      value += 7;
      continue;
    }
    cells[t] = (value + t) & 0xffff;
    __syncthreads();
    for (int k = 0; k < t % 5; ++k) {  // divergent, without barriers
      if (k == 3) break;
      if (k == i % 4) continue;
      value += cells[(t + k) % n];
    }
    if (i == stop) break;
    __syncthreads();
  }
  out[t] = value;
}

__global__ void with_goto(int* out, int rounds) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int value = t, i = 0;
again:
  cells[t] = value;
  __syncthreads();
  if (i % 2 == 0) goto even;
  value += cells[(t + 2) % n];
  goto join;
even:
  value -= cells[(t + 1) % n];
join:
  __syncthreads();
  if (++i < rounds) goto again;
  out[t] = value;
}

// What the last round found decides who writes; without a round nobody has looked. Compilers let
// both ways meet at the write.
__global__ void last_flag(const int* in, int* out, int rounds) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  cells[t] = in[t];
  __syncthreads();
  bool found = true;
  for (int i = 0; i < rounds; ++i) {
    found = false;
    const int left = cells[(t + n - 1) % n];
    if (left > cells[t] + i) found = true;
    __syncthreads();
    if (i == rounds - 1) break;
    if (found) cells[t] = left;
    __syncthreads();
  }
  if (found) out[t] = cells[t] + rounds;
}

int main() {
  check::Random random(3);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block);
    for (int steps : {0, 1, 5}) {
      const int blocks = 2;
      const auto in = random.integers<int>(blocks * n, -1000, 1000);
      check::Array<int> source(in), out(blocks * n);
      for_rotate<<<blocks, block>>>(source.data(), out.data(), steps);
      std::vector<int> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i)
        want[i] = in[i / n * n + (i % n + steps) % n] + steps * (steps - 1) / 2;
      check::equal(check::name("for_rotate", block), out.get(), want);
    }
    {
      auto in = random.integers<int>(n, 0, 1000000);
      for (int t = 0; t < n; ++t) in[t] += t / 9 * 1000000;  // bounds the number of rounds
      check::Array<int> source(in), out(n), rounds(1);
      while_shared<<<1, block>>>(source.data(), out.data(), rounds.data());
      int want_rounds = 0;
      for (bool changed = true; changed;) {
        changed = false;
        auto next = in;
        for (int t = 1; t < n; ++t)
          if (in[t - 1] > in[t]) next[t] = in[t - 1], changed = true;
        in = next;
        ++want_rounds;
      }
      check::equal(check::name("while_shared", block), out.get(), in);
      CHECK_EQ(rounds.get()[0], want_rounds);
    }
    {
      const int blocks = 3;
      const auto in = random.integers<int>(blocks * n, -100000, 100000);
      check::Array<int> source(in), out(blocks);
      do_while_halving<<<blocks, block, n * sizeof(int)>>>(out.data(), source.data());
      std::vector<int> want(blocks, 0);
      for (int i = 0; i < blocks * n; ++i) want[i / n] += in[i];
      check::equal(check::name("do_while_halving", block), out.get(), want);
    }
    {
      check::Array<int> out(n);
      nested<<<1, block>>>(out.data(), 3);
      std::vector<int> value(n), cells(n);
      for (int t = 0; t < n; ++t) value[t] = t;
      for (int i = 0; i < 3; ++i) {
        cells = value;
        for (int j = 0; j <= i; ++j) {
          for (int t = 0; t < n; ++t) value[t] += cells[(t + j) % n];
          for (int k = j; k < 3; ++k) {
            for (int t = 0; t < n; ++t) cells[t] = value[t] ^ k;
            for (int t = 0; t < n; ++t) value[t] = cells[(t + k + 1) % n] + j;
          }
          cells = value;
        }
      }
      check::equal(check::name("nested", block), out.get(), value);
    }
    for (int stop : {0, 4, 19, 100}) {
      check::Array<int> out(n);
      break_continue<<<1, block>>>(out.data(), stop);
      std::vector<int> value(n, 0), cells(n);
      for (int i = 0; i < 20; ++i) {
        if (i % 3 == 2) {
          for (int& v : value) v += 7;
          continue;
        }
        for (int t = 0; t < n; ++t) cells[t] = (value[t] + t) & 0xffff;
        for (int t = 0; t < n; ++t)
          for (int k = 0; k < t % 5 && k != 3; ++k)
            if (k != i % 4) value[t] += cells[(t + k) % n];
        if (i == stop) break;
      }
      check::equal(check::name("break_continue", block), out.get(), value);
    }
    for (int rounds : {0, 1, 2, 6}) {
      auto cells = random.integers<int>(n, 0, 100);
      check::Array<int> source(cells), out(std::vector<int>(n, -1));
      last_flag<<<1, block>>>(source.data(), out.data(), rounds);
      std::vector<int> want(n, -1);
      std::vector<bool> found(n, true);
      for (int i = 0; i < rounds; ++i) {
        const auto before = cells;
        for (int t = 0; t < n; ++t) {
          const int left = before[(t + n - 1) % n];
          found[t] = left > before[t] + i;
          if (found[t] && i < rounds - 1) cells[t] = left;
        }
      }
      for (int t = 0; t < n; ++t)
        if (found[t]) want[t] = cells[t] + rounds;
      check::equal(check::name("last_flag", block), out.get(), want);
    }
    for (int rounds : {1, 2, 7}) {
      check::Array<int> out(n);
      with_goto<<<1, block>>>(out.data(), rounds);
      std::vector<int> value(n), cells(n);
      for (int t = 0; t < n; ++t) value[t] = t;
      for (int i = 0; i < rounds; ++i) {
        cells = value;
        for (int t = 0; t < n; ++t)
          value[t] = i % 2 == 0 ? value[t] - cells[(t + 1) % n] : value[t] + cells[(t + 2) % n];
      }
      check::equal(check::name("with_goto", block), out.get(), value);
    }
  }
  return check::finish();
}
