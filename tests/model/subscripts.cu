// Subscripts: structure of arrays, ping-pong, reversed, divided, masked, mixed integer types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// m fields of n elements each.
__global__ void soa(const float* in, float* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m; ++k) out[k * n + i] = 2 * in[k * n + i];
}

__global__ void soa_three(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[0 * n + i] = i;
  p[1 * n + i] = p[2 * n + i] + 1;
}

// Two halves of one array take turns; phase is 0 or 1.
__global__ void ping_pong(int* cells, int n, int phase) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) cells[(1 - phase) * n + i] = cells[phase * n + (i + 1 < n ? i + 1 : i)] + 1;
}

// The same with ready-made offsets.
__global__ void ping_pong_offsets(int* cells, int n, int from, int to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) cells[to + i] = cells[from + i] + 1;
}

__global__ void reverse(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}

__global__ void reverse_2d(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[(h - 1 - y) * w + (w - 1 - x)] = in[y * w + x];
}

__global__ void transpose(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

// Interleaved colours to planes: i / 3 and i % 3.
__global__ void planes(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 3 * n) out[(i % 3) * n + i / 3] = in[i];
}

// 2-D subscripts from a 1-D grid with a constant width.
__global__ void unflatten(const int* in, int* out, int h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = i % 24, y = i / 24;
  if (y < h) out[y * 24 + x] = in[y * 24 + (23 - x)];
}

// The same with a width that only the launch knows.
__global__ void unflatten_parameter(const int* in, int* out, int w, int h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h) return;
  const int x = i % w, y = i / w;
  out[y * w + x] = in[i] + (x < w - 1 ? in[y * w + x + 1] : 0);
}

__global__ void shift_parameter(const int* in, int* out, int n, int bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i << bits] = in[i];
}

__global__ void downsample(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) out[i] = in[4 * i] + in[4 * i + 2];
}

__global__ void every_fifth(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 5 == 2) out[i] = i;
}

// Division of negative numbers rounds towards zero: (i - 7) / 4.
__global__ void divide_negative(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i - 7) / 4 + 2] + in[(i - 7) % 4 + 3];
}

// Red-black sweeps, in place: one colour is written, the other read.
__global__ void checkerboard_guard(float* u, int w, int h, int colour) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  if ((x + y) % 2 == colour)
    u[y * w + x] =
        (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x]) / 4;
}

// The same without idle threads: x is computed from the row's parity.
__global__ void checkerboard_packed(float* u, int w, int h, int colour) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((y + 1 + colour) & 1);
  if (x >= w - 1 || y >= h - 1) return;
  u[y * w + x] =
      (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x]) / 4;
}

__global__ void shifts(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i >> 2] + in[i >> 3 << 3];
}

__global__ void masks(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i & 7] + in[i & ~3];
}

// Pairs are swapped: i ^ 1; and i * 2 + 1 written as a shift and an or.
__global__ void shift_or(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[(i << 1) | 1] = in[i];
}

__global__ void swap_pairs(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 * (n / 2)) out[i] = in[i ^ 1];
}

// Several bits at once: kept, filled, turned over.
__global__ void bit_fields(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 8 * (n / 8)) out[i] = in[i & 0x36] + in[i | 6] + in[i ^ 5];
}

__global__ void reversed_groups(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 8 * (n / 8)) out[(i >> 3 << 3) | (7 - (i & 7))] = in[i];
}

// One exchange of a butterfly: halves of groups of 32.
__global__ void butterfly(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int low = (i >> 4 << 5) | (i & 15), high = low ^ 16;
  if (i >= n / 32 * 16) return;
  out[low] = in[high];
  out[high] = in[low];
}

__global__ void constant_extent(const int* in, int* out, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 37 && y < h) out[y * 37 + x] = in[y * 37 + 36 - x];
}

__global__ void array_pointer(const int (*in)[19], int (*out)[19], int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 19 && y < h) out[y][x] = in[y][18 - x];
}

// Integer types in every mixture.
__global__ void index_unsigned(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}

__global__ void index_64(const int* in, int* out, size_t w, size_t h) {
  const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x] + 1;
}

__global__ void index_mixed(const int* in, int* out, unsigned w, int h) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= w || y >= h) return;
  const long long at = static_cast<long long>(y) * w + x;
  out[at] = in[static_cast<size_t>(y) * w + (w - 1 - x)];
}

__global__ void index_narrow(const int* in, int* out, short n, unsigned char step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (unsigned char k = 0; k < 3; ++k) out[i * 3 + k] = in[i * step];
}

static void test_lines(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, 4 * n + 8);
  Array<int> d_in(in);
  const auto run = [&](const char* name, size_t size, auto launch, auto value) {
    Array<int> out(size);
    auto want = poisoned<int>(size);
    launch(out.data());
    for (int i = 0; i < n; ++i) value(want, i);
    equal(name, out.get(), want);
  };
  const int* p = d_in.data();
  run(
      "reverse", n, [&](int* out) { reverse<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) { want[n - 1 - i] = in[i]; });
  run(
      "planes", 3 * n, [&](int* out) { planes<<<blocks(3 * n, block), block>>>(p, out, n); },
      [&](auto& want, int i) {
        for (int c = 0; c < 3; ++c) want[c * n + i] = in[3 * i + c];
      });
  run(
      "downsample", n, [&](int* out) { downsample<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) {
        if (i < n / 4) want[i] = in[4 * i] + in[4 * i + 2];
      });
  run(
      "every_fifth", n, [&](int* out) { every_fifth<<<grid, block>>>(out, n); },
      [&](auto& want, int i) {
        if (i % 5 == 2) want[i] = i;
      });
  run(
      "divide_negative", n, [&](int* out) { divide_negative<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) {
        const int quotient = i < 7 ? -((7 - i) / 4) : (i - 7) / 4;
        want[i] = in[quotient + 2] + in[i - 7 - 4 * quotient + 3];
      });
  run(
      "shifts", n, [&](int* out) { shifts<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) { want[i] = in[i / 4] + in[i - i % 8]; });
  run(
      "masks", n, [&](int* out) { masks<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) { want[i] = in[i % 8] + in[i - i % 4]; });
  run(
      "shift_or", 2 * n, [&](int* out) { shift_or<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) { want[2 * i + 1] = in[i]; });
  for (int bits : {0, 1})
    run(
        "shift_parameter", 2 * n,
        [&](int* out) { shift_parameter<<<grid, block>>>(p, out, n, bits); },
        [&](auto& want, int i) { want[i << bits] = in[i]; });
  run(
      "swap_pairs", n, [&](int* out) { swap_pairs<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) {
        if (i < n - n % 2) want[i] = in[i % 2 ? i - 1 : i + 1];
      });
  run(
      "bit_fields", n, [&](int* out) { bit_fields<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) {
        const int bits = i % 8, rest = i - bits, toggled[8] = {5, 4, 7, 6, 1, 0, 3, 2};
        const int kept = 2 * (bits / 2 % 4) + i / 16 % 4 * 16;
        if (i < n - n % 8) want[i] = in[kept] + in[rest + 6 + i % 2] + in[rest + toggled[bits]];
      });
  run(
      "reversed_groups", n, [&](int* out) { reversed_groups<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) {
        if (i < n - n % 8) want[i / 8 * 8 + 7 - i % 8] = in[i];
      });
  run(
      "butterfly", n, [&](int* out) { butterfly<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) {
        if (i < n - n % 32) want[i] = in[i % 32 < 16 ? i + 16 : i - 16];
      });
  run(
      "index_unsigned", n, [&](int* out) { index_unsigned<<<grid, block>>>(p, out, n); },
      [&](auto& want, int i) { want[i] = in[n - 1 - i]; });
  run(
      "index_narrow", 3 * n, [&](int* out) { index_narrow<<<grid, block>>>(p, out, n, 4); },
      [&](auto& want, int i) {
        for (int k = 0; k < 3; ++k) want[3 * i + k] = in[4 * i];
      });
}

static void test_halves(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  auto cells = small<int>(random, 2 * n), offset_cells = cells;
  Array<int> d_cells(cells), d_offset_cells(cells);
  for (int phase : {0, 1, 0}) {
    ping_pong<<<grid, block>>>(d_cells.data(), n, phase);
    ping_pong_offsets<<<grid, block>>>(d_offset_cells.data(), n, phase * n, n - phase * n);
    for (int i = 0; i < n; ++i) {
      cells[n - phase * n + i] = cells[phase * n + std::min(i + 1, n - 1)] + 1;
      offset_cells[n - phase * n + i] = offset_cells[phase * n + i] + 1;
    }
  }
  equal("ping_pong", d_cells.get(), cells);
  equal("ping_pong_offsets", d_offset_cells.get(), offset_cells);

  const int m = 5;
  const auto fields = small<float>(random, m * n);
  auto doubled = fields, three = vector<float>(fields.begin(), fields.begin() + 3 * n);
  Array<float> d_fields(fields), d_doubled(m * n), d_three(three);
  soa<<<grid, block>>>(d_fields.data(), d_doubled.data(), n, m);
  soa_three<<<grid, block>>>(d_three.data(), n);
  for (auto& x : doubled) x *= 2;
  for (int i = 0; i < n; ++i) three[i] = i, three[n + i] = three[2 * n + i] + 1;
  equal("soa", d_doubled.get(), doubled);
  equal("soa_three", d_three.get(), three);
}

static void test_planes(Random& random, int w, int h, dim3 block) {
  const auto in = small<int>(random, std::max(w, 37) * h);
  Array<int> d_in(in);
  const auto run = [&](const char* name, int width, auto launch, auto value) {
    Array<int> out(width * h);
    launch(d_in.data(), out.data(), blocks(width, h, block));
    vector<int> want(width * h);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < width; ++x) value(want, x, y);
    equal(name, out.get(), want);
  };
  run(
      "reverse_2d", w,
      [&](const int* p, int* out, dim3 grid) { reverse_2d<<<grid, block>>>(p, out, w, h); },
      [&](auto& want, int x, int y) { want[(h - 1 - y) * w + w - 1 - x] = in[y * w + x]; });
  run(
      "transpose", w,
      [&](const int* p, int* out, dim3 grid) { transpose<<<grid, block>>>(p, out, w, h); },
      [&](auto& want, int x, int y) { want[x * h + y] = in[y * w + x]; });
  run(
      "unflatten", 24,
      [&](const int* p, int* out, dim3) { unflatten<<<blocks(24 * h, 32), 32>>>(p, out, h); },
      [&](auto& want, int x, int y) { want[y * 24 + x] = in[y * 24 + 23 - x]; });
  run(
      "unflatten_parameter", w,
      [&](const int* p, int* out, dim3) {
        unflatten_parameter<<<blocks(w * h, 32), 32>>>(p, out, w, h);
      },
      [&](auto& want, int x, int y) {
        want[y * w + x] = in[y * w + x] + (x + 1 < w ? in[y * w + x + 1] : 0);
      });
  run(
      "constant_extent", 37,
      [&](const int* p, int* out, dim3 grid) { constant_extent<<<grid, block>>>(p, out, h); },
      [&](auto& want, int x, int y) { want[y * 37 + x] = in[y * 37 + 36 - x]; });
  run(
      "array_pointer", 19,
      [&](const int* p, int* out, dim3 grid) {
        array_pointer<<<grid, block>>>(reinterpret_cast<const int(*)[19]>(p),
                                       reinterpret_cast<int(*)[19]>(out), h);
      },
      [&](auto& want, int x, int y) { want[y * 19 + x] = in[y * 19 + 18 - x]; });
  run(
      "index_64", w,
      [&](const int* p, int* out, dim3 grid) { index_64<<<grid, block>>>(p, out, w, h); },
      [&](auto& want, int x, int y) { want[y * w + x] = in[y * w + x] + 1; });
  run(
      "index_mixed", w,
      [&](const int* p, int* out, dim3 grid) { index_mixed<<<grid, block>>>(p, out, w, h); },
      [&](auto& want, int x, int y) { want[y * w + x] = in[y * w + w - 1 - x]; });

  auto board = small<float>(random, w * h, 0, 64);
  Array<float> guarded(board), packed(board);
  for (int colour = 0; colour < 2; ++colour) {
    checkerboard_guard<<<blocks(w, h, block), block>>>(guarded.data(), w, h, colour);
    checkerboard_packed<<<blocks(w, h, block), block>>>(packed.data(), w, h, colour);
    for (int y = 1; y < h - 1; ++y)
      for (int x = 1; x < w - 1; ++x)
        if ((x + y) % 2 == colour) {
          float* c = &board[y * w + x];
          *c = (c[-1] + c[1] + c[-w] + c[w]) / 4;
        }
  }
  equal("checkerboard_guard", guarded.get(), board);
  equal("checkerboard_packed", packed.get(), board);
}

int main() {
  Random random(8);
  test_lines(random, 101, 32);
  test_lines(random, 1, 5);
  test_halves(random, 67, 16);
  test_halves(random, 1, 16);
  test_planes(random, 41, 23, dim3(8, 4));
  test_planes(random, 1, 7, dim3(5, 3));
  return check::finish();
}
