// The cases as a good programmer writes them with OpenMP, and what the machine can do at most.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.h"

#include <algorithm>
#include <cmath>

CASE(saxpy) {
  const int n = bench::vector;
  auto x = bench::numbers(n, 0, 1), y = bench::numbers(n, 0, 1, 2);
  const float* from = x.data();
  float* to = y.data();
  run.measure([&] {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) to[i] = 0.5f * from[i] + to[i];
  });
  run.result(to, n);
}

/// Four rows and 64 columns of the result in registers.
static void multiply(const float* a, const float* b, float* c, int n) {
  constexpr int height = 4, width = 64;
#pragma omp parallel for schedule(static)
  for (int panel = 0; panel < n / width; ++panel) {
    const int col = panel * width;
    static thread_local std::vector<float> packed;
    packed.resize(static_cast<std::size_t>(n) * width);
    for (int k = 0; k < n; ++k)
      std::memcpy(&packed[static_cast<std::size_t>(k * width)], b + k * n + col,
                  width * sizeof(float));
    const float* p = packed.data();
    for (int row = 0; row < n; row += height) {
      float sum[height][width] = {};
      for (int k = 0; k < n; ++k)
        for (int r = 0; r < height; ++r)
#pragma omp simd
          for (int x = 0; x < width; ++x) sum[r][x] += a[(row + r) * n + k] * p[k * width + x];
      for (int r = 0; r < height; ++r) std::memcpy(c + (row + r) * n + col, sum[r], sizeof sum[r]);
    }
  }
}

static void product(bench::Run& run) {
  const int n = bench::matrix;
  const auto a = bench::numbers(n * n, 0, 1), b = bench::numbers(n * n, 0, 1, 2);
  std::vector<float> c(n * n);
  run.measure([&] { multiply(a.data(), b.data(), c.data(), n); });
  run.result(c.data(), c.size());
}

CASE(matmul) { product(run); }
CASE(tiled) { product(run); }

static void hotspot_step(const float* power, const float* in, float* out, int n) {
  constexpr float cap = 0.5f, rx = 0.1f, ry = 0.1f, rz = 0.01f;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y) {
    const float *row = in + y * n, *north = in + std::max(y - 1, 0) * n,
                *south = in + std::min(y + 1, n - 1) * n, *heat = power + y * n;
    float* to = out + y * n;
    const auto cell = [&](int x, int west, int east) {
      const float c = row[x];
      to[x] = c + cap * (heat[x] + (north[x] + south[x] - 2 * c) * ry +
                         (row[west] + row[east] - 2 * c) * rx + (80.0f - c) * rz);
    };
    cell(0, 0, 1);
#pragma omp simd
    for (int x = 1; x < n - 1; ++x) cell(x, x - 1, x + 1);
    cell(n - 1, n - 2, n - 1);
  }
}

CASE(hotspot) {
  const int n = bench::chip;
  auto power = bench::numbers(n * n, 0, 1), a = bench::numbers(n * n, 70, 90, 2), b = a;
  run.measure([&] {
    for (int i = 0; i < bench::hotspot_steps; i += 2) {
      hotspot_step(power.data(), a.data(), b.data(), n);
      hotspot_step(power.data(), b.data(), a.data(), n);
    }
  });
  run.result(a.data(), a.size());
}

CASE(nbody) {
  const int n = bench::bodies;
  const auto bodies = bench::numbers(4 * n, 0, 1);
  std::vector<float> force(4 * n);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      const float mx = bodies[4 * i], my = bodies[4 * i + 1], mz = bodies[4 * i + 2];
      float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
      for (int j = 0; j < n; ++j) {
        const float dx = bodies[4 * j] - mx, dy = bodies[4 * j + 1] - my,
                    dz = bodies[4 * j + 2] - mz;
        const float r = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
        const float f = bodies[4 * j + 3] * r * r * r;
        ax += f * dx;
        ay += f * dy;
        az += f * dz;
      }
      force[4 * i] = ax;
      force[4 * i + 1] = ay;
      force[4 * i + 2] = az;
    }
  });
  run.result(force.data(), force.size());
}

CASE(reduction) {
  const int n = bench::sums;
  std::vector<int> in(n), out(n / 256);
  for (int i = 0; i < n; ++i) in[i] = i % 1000;
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int block = 0; block < n / 256; ++block) {
      int sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < 256; ++i) sum += in[block * 256 + i];
      out[block] = sum;
    }
  });
  run.result(out.data(), out.size());
}

CASE(mandelbrot) {
  const int n = bench::picture, limit = bench::picture_limit;
  std::vector<int> out(n * n);
  run.measure([&] {
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const float cr = static_cast<float>(x) * (3.0f / n) - 2,
                    ci = static_cast<float>(y) * (2.0f / n) - 1;
        float zr = 0, zi = 0;
        int i = 0;
        while (i < limit && zr * zr + zi * zi < 4) {
          const float t = zr * zr - zi * zi + cr;
          zi = 2 * zr * zi + ci;
          zr = t;
          ++i;
        }
        out[y * n + x] = i;
      }
  });
  run.result(out.data(), out.size());
}

CASE(spmv) {
  const int n = bench::rows;
  const bench::Sparse matrix(n);
  const auto x = bench::numbers(n, 0, 1);
  std::vector<float> y(n);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int k = matrix.begin[i]; k < matrix.begin[i + 1]; ++k)
        sum += matrix.value[k] * x[matrix.column[k]];
      y[i] = sum;
    }
  });
  run.result(y.data(), y.size());
}

CASE(softmax) {
  const int rows = bench::softmax_rows, columns = bench::softmax_columns;
  const auto in = bench::numbers(rows * columns, -4, 4);
  std::vector<float> out(rows * columns);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; ++r) {
      const float* row = in.data() + r * columns;
      float* to = out.data() + r * columns;
      float most = -1e30f, sum = 0;
#pragma omp simd reduction(max : most)
      for (int i = 0; i < columns; ++i) most = std::fmax(most, row[i]);
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < columns; ++i) sum += to[i] = std::exp(row[i] - most);
#pragma omp simd
      for (int i = 0; i < columns; ++i) to[i] /= sum;
    }
  });
  run.result(out.data(), out.size());
}

// --- limits of the machine -----------------------------------------------------------------------

/// Independent chains of fused multiply-add in registers; the result is operations, in 10^9.
CASE(limit_fma) {
  constexpr int width = 256, rounds = 1 << 18;
  float total = 0;
  run.measure([&] {
#pragma omp parallel reduction(+ : total)
    {
      float sum[width];
      for (int i = 0; i < width; ++i) sum[i] = static_cast<float>(i);
      for (int k = 0; k < rounds; ++k)
#pragma omp simd
        for (int i = 0; i < width; ++i) sum[i] = std::fma(sum[i], 0.999f, 0.001f);
      for (float one : sum) total += one;
    }
  });
  run.result(&total, 1);
}

/// a = b + s * c over arrays much larger than the caches.
CASE(limit_triad) {
  const std::size_t n = std::size_t{1} << 25;
  std::vector<float> a(n), b(n, 1), c(n, 2);
  float *to = a.data(), *left = b.data(), *right = c.data();
  run.measure([&] {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < n; ++i) to[i] = left[i] + 0.5f * right[i];
  });
  run.result(to, 16);
}

int main(int argc, char** argv) { return bench::main(argc, argv); }
