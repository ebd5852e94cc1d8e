// Guards joined by & and | instead of && and ||, kept in variables, multiplied, used as masks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// Six comparisons, and a stencil that reads two beside.
__global__ void flags_and(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if ((x >= 2 & x < w - 2) & (y >= 1) & y <= h - 2)
    out[y * w + x] = in[y * w + x - 2] + in[(y + 1) * w + x + 2];
}

__global__ void flags_or(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if ((x < 2) | (y < 1) | (x >= w - 2) | (y > h - 2)) return;
  out[y * w + x] = in[(y - 1) * w + x - 2] + in[y * w + x + 2];
}

// A bool, refined step by step and used twice.
__global__ void flags_bool(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool inside = i > 3;
  inside = inside & (i < n);
  inside &= i != 17;
  int sum = 0;
  if (inside) sum = in[i - 1];
  if (inside && sum > -100) sum += in[i];
  if (inside) out[i] = sum;
}

__global__ void flags_int(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int inside = i > 3;
  inside &= i < n;
  inside &= !(i == 17);
  if (inside) out[i] = in[i];
}

__global__ void flags_byte(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char inside = i < n - 5;
  inside |= i == n - 2;
  if (inside) out[i] = in[i];
}

__global__ void flags_not(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int outside = (i < 2) | (i >= n);
  if (outside ^ 1) out[i] = in[i];
}

// Between the two sizes, whichever is the larger.
__global__ void flags_xor(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((i < n) ^ (i < m)) out[i] = in[i];
}

__global__ void flags_product(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int inside = (i > 3) * (i < n);
  if (inside) out[i] = in[i];
}

__global__ void flags_choice(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int skip = i < 3 ? 1 : i >= n ? 1 : 0;
  skip |= i == 9;
  if (!skip) out[i] = in[i];
}

__device__ bool is_interior(int i, int n) { return (i > 0) & (i < n - 1); }

__global__ void flags_function(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool interior = is_interior(i, n);
  if (i >= n) return;
  int sum = in[i];
  if (interior) sum += in[i - 1] + in[i + 1];
  out[i] = sum;
}

// A step that is taken or not: i - 1 or i, without a branch.
__global__ void flags_step(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i - (i > 0)] + in[i + (i < n - 1) * 1];
}

// The subscript or 0, by multiplication and by a mask of bits.
__global__ void flags_mask(const int* in, const int* other, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int inside = i < m;
  if (i < n) out[i] = in[i * inside] + other[i & -inside];
}

// In part data: the sizes bound the write all the same.
__global__ void flags_data(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((i < n) & (in[i < n ? i : 0] & 1)) out[i] = 7;
}

__global__ void flags_loop(const int* in, int* out, int n, int skip) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inside = (i < n) & (i > 0);
  for (int k = 0; k < 5; ++k)
    if (inside & (k != skip)) out[i * 5 + k] = in[i];
}

// A flag beside the bits of a number.
__global__ void flags_odd(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((i < n) & i) out[i] = in[i];
}

template <class Launch, class Reference>
static void line(const char* name, int size, Launch launch, Reference reference) {
  Array<int> out(size);
  auto want = poisoned<int>(size);
  launch(out.data());
  reference(want);
  equal(name, out.get(), want);
}

static void test_lines(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n + 3, block);
  const auto in = small<int>(random, n);
  Array<int> d_in(in);
  const int* from = d_in.data();
  const auto where = [&](auto condition) {
    return [&in, n, condition](vector<int>& want) {
      for (int i = 0; i < n; ++i)
        if (condition(i)) want[i] = in[i];
    };
  };
  line(
      "bool", n, [&](int* out) { flags_bool<<<grid, block>>>(from, out, n); },
      [&](auto& want) {
        for (int i = 4; i < n; ++i)
          if (i != 17) want[i] = in[i - 1] + in[i];
      });
  line(
      "int", n, [&](int* out) { flags_int<<<grid, block>>>(from, out, n); },
      where([](int i) { return i > 3 && i != 17; }));
  line(
      "byte", n, [&](int* out) { flags_byte<<<grid, block>>>(from, out, n); },
      where([n](int i) { return i < n - 5 || i == n - 2; }));
  line(
      "not", n, [&](int* out) { flags_not<<<grid, block>>>(from, out, n); },
      where([](int i) { return i >= 2; }));
  line(
      "xor", n, [&](int* out) { flags_xor<<<grid, block>>>(from, out, n / 3, n - 1); },
      where([n](int i) { return i >= n / 3 && i < n - 1; }));
  line(
      "product", n, [&](int* out) { flags_product<<<grid, block>>>(from, out, n); },
      where([](int i) { return i > 3; }));
  line(
      "choice", n, [&](int* out) { flags_choice<<<grid, block>>>(from, out, n); },
      where([](int i) { return i >= 3 && i != 9; }));
  line(
      "odd", n, [&](int* out) { flags_odd<<<grid, block>>>(from, out, n); },
      where([](int i) { return i % 2 == 1; }));
  line(
      "function", n, [&](int* out) { flags_function<<<grid, block>>>(from, out, n); },
      [&](auto& want) {
        for (int i = 0; i < n; ++i)
          want[i] = in[i] + (i > 0 && i < n - 1 ? in[i - 1] + in[i + 1] : 0);
      });
  line(
      "step", n, [&](int* out) { flags_step<<<grid, block>>>(from, out, n); },
      [&](auto& want) {
        for (int i = 0; i < n; ++i) want[i] = in[i == 0 ? 0 : i - 1] + in[i == n - 1 ? i : i + 1];
      });
  line(
      "mask", n, [&](int* out) { flags_mask<<<grid, block>>>(from, from, out, n, n / 2); },
      [&](auto& want) {
        for (int i = 0; i < n; ++i) want[i] = 2 * in[i < n / 2 ? i : 0];
      });
  line(
      "data", n, [&](int* out) { flags_data<<<grid, block>>>(from, out, n); },
      [&](auto& want) {
        for (int i = 0; i < n; ++i)
          if (in[i] & 1) want[i] = 7;
      });
  line(
      "loop", 5 * n, [&](int* out) { flags_loop<<<grid, block>>>(from, out, n, 3); },
      [&](auto& want) {
        for (int i = 1; i < n; ++i)
          for (int k : {0, 1, 2, 4}) want[i * 5 + k] = in[i];
      });
}

static void test_planes(Random& random, int w, int h, dim3 block) {
  const auto in = small<int>(random, w * h);
  Array<int> d_in(in);
  const dim3 grid = blocks(w, h, block);
  const auto plane = [&](const char* name, auto kernel, int above, int below) {
    line(
        name, w * h, [&](int* out) { kernel<<<grid, block>>>(d_in.data(), out, w, h); },
        [&](auto& want) {
          for (int y = 1; y <= h - 2; ++y)
            for (int x = 2; x < w - 2; ++x)
              want[y * w + x] = in[(y + above) * w + x - 2] + in[(y + below) * w + x + 2];
        });
  };
  plane("and", flags_and, 0, 1);
  plane("or", flags_or, -1, 0);
}

int main() {
  Random random(41);
  test_lines(random, 61, 16);
  test_lines(random, 1, 7);
  test_lines(random, 47, 13);
  test_planes(random, 37, 11, dim3(8, 4));
  test_planes(random, 5, 3, dim3(8, 4));
  test_planes(random, 33, 29, dim3(16, 3));
  return check::finish();
}
