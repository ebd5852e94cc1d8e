// Hotspot as one writes it with OpenMP: how much this machine gains from a second thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   openmp_hotspot SIZE STEPS RUNS        (OMP_NUM_THREADS, OMP_PROC_BIND as usual)
//
// The arithmetic of the kernel in bench/programs. Rows are dealt out in slabs; each is touched
// first by the thread that works on it.
#include "../programs/results.h"
#include "../programs/values.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace {

using Field = std::unique_ptr<float[]>;

std::size_t at(int row, int n) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(n);
}

void copy(float* to, const float* from, int n) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y) {
    std::memcpy(to + at(y, n), from + at(y, n), static_cast<std::size_t>(n) * sizeof(float));
  }
}

/// One row; `x` inside, so that neighbours need no clamping.
void row(const float* power, const float* in, const float* north, const float* south, float* out,
         int n) {
  constexpr float cap = 0.5f, rx = 0.1f, ry = 0.1f, rz = 0.01f;
  const auto cell = [&](int x, int west, int east) {
    const float c = in[x];
    const float v = north[x] + south[x] - 2 * c, h = in[west] + in[east] - 2 * c;
    out[x] = c + cap * (power[x] + v * ry + h * rx + (80.0f - c) * rz);
  };
  cell(0, 0, std::min(1, n - 1));
#pragma omp simd
  for (int x = 1; x < n - 1; ++x) cell(x, x - 1, x + 1);
  if (n > 1) cell(n - 1, n - 2, n - 1);
}

void step(const float* power, const float* in, float* out, int n) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y) {
    row(power + at(y, n), in + at(y, n), in + at(std::max(y - 1, 0), n),
        in + at(std::min(y + 1, n - 1), n), out + at(y, n), n);
  }
}

Field filled(int n, float low, float high) {
  const auto value = bench::numbers(low, high);
  Field field(new float[at(n, n)]);
  for (std::size_t i = 0; i < at(n, n); ++i) field[i] = value(i);
  return field;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: openmp_hotspot SIZE STEPS RUNS\n");
    return 1;
  }
  const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]), runs = std::atoi(argv[3]);
  const Field first_power = filled(n, 0, 1), first = filled(n, 20, 90);
  const Field power(new float[at(n, n)]), a(new float[at(n, n)]), b(new float[at(n, n)]);
  std::vector<char> result(at(n, n) * sizeof(float));
  for (int run = 0; run < runs; ++run) {
    const auto start = bench::Clock::now();
    copy(power.get(), first_power.get(), n);
    copy(a.get(), first.get(), n);
    copy(b.get(), first.get(), n);
    const auto uploaded = bench::Clock::now();
    float *in = a.get(), *out = b.get();
    for (int i = 0; i < steps; ++i) {
      step(power.get(), in, out, n);
      std::swap(in, out);
    }
    const auto computed = bench::Clock::now();
    copy(reinterpret_cast<float*>(result.data()), in, n);
    bench::print_run(start, uploaded, computed, bench::Clock::now());
  }
  bench::Digest digest;
  digest.add(result);
  digest.print();
  return 0;
}
