// Loops that are left in several places, and what happens after them depends on where.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "It was left here" means: in some iteration. Its opposite is "in none", not "not in that one".
#include "model.h"

using namespace model;

// A flag that is set where the loop is left, then asked whether it is not set.
__global__ void leaving_found(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int found = 0;
  for (int k = 0; k < w; ++k)
    if (k == i) {
      found = 1;
      break;
    }
  if (found) return;
  out[i] = i;
}

// The same with a bool, a step of two, and both branches; those who stop write one element, the
// others another one.
__global__ void leaving_both(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool found = false;
  for (int k = 0; k < w; k += 2) {
    if (k == i) {
      found = true;
      break;
    }
  }
  if (!found)
    out[2 * i] = i;
  else
    out[2 * i + 1] = i;
}

// Three ways out, of which one is asked about.
__global__ void leaving_three(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int how = 5;
  for (int k = 0; k < w; ++k) {
    if (k + 3 == i) {
      how = 7;
      break;
    }
    if (2 * k > i) {
      how = 9;
      break;
    }
  }
  if (how != 7) out[i] = i;
}

// Where the loop stopped.
__global__ void leaving_where(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 0;
  for (; k < w; ++k)
    if (k >= i - 4) break;
  if (!(k < w)) out[i] = i;
}

// An early return out of a block with a variable of its own: only the first thread gets through.
__global__ void leaving_at_once(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    {
      size_t k = 0;
      do {
        if (k != i) return;
        k += 1;
      } while (k <= threadIdx.x);
    }
    out[i] = i;
  }
}

// Out of two loops at once, told by a flag.
__global__ void leaving_two(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int found = 0;
  for (int k = 0; k < w; ++k) {
    for (int j = 0; j < k; ++j)
      if (j + 2 * k == i) {
        found = 1;
        break;
      }
    if (found) break;
  }
  if (found == 0) out[i] = i;
}

__global__ void leaving_return(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < w; ++k)
    for (int j = 0; j < k; ++j)
      if (j == i) return;
  out[i] = i;
}

__device__ int first_half(int i, int w) {
  for (int k = 0; k < w; ++k)
    if (2 * k >= i) return k;
  return -1;
}

// What a function found, and that it found nothing.
__global__ void leaving_function(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int half = first_half(i, w);
  if (half >= 0)
    out[2 * i] = half;
  else
    out[2 * i + 1] = i;
}

__device__ bool is_third(int i, int w) {
  for (int k = 0; k < w; k += 3)
    if (k == i) return true;
  return false;
}

// As part of a subscript.
__global__ void leaving_subscript(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[2 * i + is_third(i, w)] = i;
}

// In each iteration of a loop around it.
__global__ void leaving_inside(int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int side = 0; side < 2; ++side) {
    int found = 0;
    for (int k = 0; k < w; ++k)
      if (k == i + side) {
        found = 1;
        break;
      }
    if (!found) out[2 * i + side] = i;
  }
}

// What data say in some iteration is not known.
__global__ void leaving_data(const int* in, int* out, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int found = 0;
  for (int k = 0; k < w; ++k)
    if (in[k] == i) {
      found = 1;
      break;
    }
  if (!found) out[i] = i;
}

// For each of the numbers there is an iteration that leaves, but they are not the same number.
__global__ void leaving_other_data(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int found = 0;
  for (int k = 0; k < 2; ++k)
    if ((k == 0) == (in[2 * i + k] > 0)) {
      found = 1;
      break;
    }
  if (found) out[i] = i;
}

static void test(Random& random, int n, int w, unsigned block) {
  const auto in = small<int>(random, 2 * n + w, 0, n);
  Array<int> d_in(in);
  const unsigned grid = blocks(n, block);
  const int size = 2 * n;
  /// `writes(i, want)`: what thread i does.
  const auto run = [&](const char* name, auto launch, auto writes) {
    Array<int> out(size);
    auto want = poisoned<int>(size);
    launch(out.data());
    for (int i = 0; i < n; ++i) writes(i, want);
    equal(name, out.get(), want);
  };
  run(
      "found", [&](int* out) { leaving_found<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) {
        if (i >= w) want[i] = i;
      });
  run(
      "both", [&](int* out) { leaving_both<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) { want[2 * i + (i < w && i % 2 == 0)] = i; });
  run(
      "three", [&](int* out) { leaving_three<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) {
        const bool is_seven = i >= 3 && i - 3 < w && 2 * (i - 4) <= i;
        if (!is_seven) want[i] = i;
      });
  run(
      "where", [&](int* out) { leaving_where<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) {
        if (w <= 0 || i - 4 >= w) want[i] = i;
      });
  run(
      "at once", [&](int* out) { leaving_at_once<<<grid, block>>>(out, n); },
      [&](int i, auto& want) {
        if (i == 0) want[i] = i;
      });
  run(
      "two", [&](int* out) { leaving_two<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) {
        bool found = false;
        for (int k = 0; k < w; ++k) found |= 2 * k <= i && i < 3 * k;
        if (!found) want[i] = i;
      });
  run(
      "return", [&](int* out) { leaving_return<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) {
        if (i >= w - 1) want[i] = i;
      });
  run(
      "function", [&](int* out) { leaving_function<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) {
        const int half = (i + 1) / 2;
        want[2 * i + (half >= w)] = half < w ? half : i;
      });
  run(
      "subscript", [&](int* out) { leaving_subscript<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) { want[2 * i + (i < w && i % 3 == 0)] = i; });
  run(
      "inside", [&](int* out) { leaving_inside<<<grid, block>>>(out, n, w); },
      [&](int i, auto& want) {
        for (int side : {0, 1})
          if (i + side >= w) want[2 * i + side] = i;
      });
  run(
      "data", [&](int* out) { leaving_data<<<grid, block>>>(d_in.data(), out, n, w); },
      [&](int i, auto& want) {
        if (std::count(in.begin(), in.begin() + std::max(w, 0), i) == 0) want[i] = i;
      });
  run(
      "other data", [&](int* out) { leaving_other_data<<<grid, block>>>(d_in.data(), out, n); },
      [&](int i, auto& want) {
        if (in[2 * i] > 0 || in[2 * i + 1] <= 0) want[i] = i;
      });
}

int main() {
  Random random(43);
  test(random, 61, 17, 16);
  test(random, 1, 0, 7);
  test(random, 47, 60, 13);
  test(random, 100, 1, 32);
  return check::finish();
}
