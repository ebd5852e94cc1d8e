// Control flow of every kind, without synchronisation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | divergent control flow: nested loops with break, continue, goto, switch with fall-through, early return
// FEATURE: Language | irreducible loops, loops that some threads never enter, short-circuit evaluation with side effects
#include "check.h"

__host__ __device__ inline unsigned wander(unsigned x) {
  unsigned sum = 0;
  for (int i = 0; i < 20; ++i) {
    switch (x % 7) {
      case 0:
        sum += 1;
        [[fallthrough]];
      case 1:
        sum += 10;
        break;
      case 2:
        continue;
      case 3:
        if (sum > 1000) return sum;
        sum += 300;
        break;
      case 4: {
        unsigned y = x;
        while (y > 3) {
          if (y % 5 == 4) goto out;
          do {
            --y;
            if (y % 11 == 0) break;
            if (y % 3 == 0) continue;
            ++sum;
          } while (y % 4 != 1);
          y /= 2;
        }
        break;
      }
      default:
        sum ^= x;
    }
    x = x * 1664525u + 1013904223u;
    x >>= i % 3;
  }
  return sum;
out:
  return sum + 77777;
}

// A loop with two entries.
__host__ __device__ inline unsigned irreducible(unsigned x) {
  unsigned n = 0;
  if (x & 1) goto second;
first:
  n += 3;
  if (n > 40) return n;
  x >>= 1;
second:
  n += x & 3;
  x += 5;
  if (x % 13 != 0 && n < 100) goto first;
  if (x > 50) {
    x /= 3;
    goto second;
  }
  return n * 1000 + x;
}

__host__ __device__ inline bool count(int& n) { return ++n % 3 == 0; }
__host__ __device__ inline int short_circuit(int x) {
  int n = x;
  const bool a = count(n) && count(n) && count(n);
  const bool b = count(n) || count(n) || count(n);
  const int c = a ? count(n) : b ? 2 * count(n) : 5;
  return n * 100 + c * 10 + a + 2 * b;
}

__host__ __device__ inline unsigned collatz(unsigned x) {
  unsigned steps = 0;
  for (; x > 1; ++steps) x = x % 2 ? 3 * x + 1 : x / 2;
  return steps;
}

__global__ void kernel(const unsigned* in, unsigned* out) {
  const int i = check::global_index();
  out[i * 4] = wander(in[i]);
  out[i * 4 + 1] = irreducible(in[i] % 1000);
  out[i * 4 + 2] = static_cast<unsigned>(short_circuit(static_cast<int>(in[i] % 9)));
  out[i * 4 + 3] = collatz(in[i] % 3000);
}

int main() {
  check::Random random(113);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block) * 2;
    const auto in = random.integers<unsigned>(n, 0, 0xffffffffll);
    check::Array<unsigned> source(in), out(n * 4);
    kernel<<<2, block>>>(source.data(), out.data());
    std::vector<unsigned> want(n * 4);
    for (int i = 0; i < n; ++i) {
      want[i * 4] = wander(in[i]);
      want[i * 4 + 1] = irreducible(in[i] % 1000);
      want[i * 4 + 2] = static_cast<unsigned>(short_circuit(static_cast<int>(in[i] % 9)));
      want[i * 4 + 3] = collatz(in[i] % 3000);
    }
    check::equal(check::name("kernel", block), out.get(), want);
  }
  return check::finish();
}
