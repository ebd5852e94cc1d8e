// Time of one footprint call: closed forms, against enumerating rows, and other shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"
#include "hand_kernel.h"
#include "rows.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace gridspan;
using tests::Launch;

namespace {

using Clock = std::chrono::steady_clock;

struct Counter : abi::BoxSink {
  std::int64_t boxes = 0, sum = 0;
};

void count(abi::BoxSink* sink, const std::int64_t* box) {
  auto* counter = static_cast<Counter*>(sink);
  ++counter->boxes;
  counter->sum += box[1] - box[0];  // keeps the ends alive
}

struct Timing {
  double nanoseconds;  // median per call
  std::int64_t boxes;
};

Timing measure(abi::FootprintFunction function, const Launch& launch) {
  const auto values = launch.values(), part = launch.part();
  Counter counter;
  counter.take = count;
  auto run = [&](std::int64_t calls) {
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i) function(values.data(), part.data(), &counter);
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  };
  run(1);
  const std::int64_t boxes = counter.boxes;
  const std::int64_t calls =
      std::clamp<std::int64_t>(100'000 / std::max<std::int64_t>(boxes, 1), 3, 100'000);
  std::vector<double> samples;
  for (int i = 0; i < 21; ++i) samples.push_back(run(calls) / static_cast<double>(calls));
  std::ranges::nth_element(samples, samples.begin() + 10);
  return {samples[10], boxes};
}

/// A launch over an array of size*size, in blocks of 16*16; the part is the middle third of it.
Launch launch_of(std::int64_t size) {
  Launch launch;
  const std::int64_t blocks = (size + 15) / 16;
  launch.grid = {blocks, blocks, 1};
  launch.block = {16, 16, 1};
  launch.n = launch.m = size;
  launch.s = 1;
  launch.l = size;
  launch.first = {0, blocks / 3, 0};
  launch.last = {blocks - 1, blocks - 1 - blocks / 3, 0};
  return launch;
}

model::Kernel kernel_of(isl::ctx context, unsigned rank, const std::string& image) {
  model::Kernel kernel = tests::make_kernel(context);
  tests::add_set(kernel, rank, model::SetKind::read, image);
  return kernel;
}

const std::string block_rows = "o_y_first <= i < o_y_last + blockDim_y and 0 <= i < n";
const std::string block_columns = "o_x_first <= j < o_x_last + blockDim_x and 0 <= j < m";

void compare_with_rows(isl::ctx context) {
  const std::string image = "{ A[i, j] : " + block_rows + " and " + block_columns + " }";
  const model::Kernel kernel = kernel_of(context, 2, image);
  const tests::CompiledModel compiled(kernel);
  const bench::Rows rows = bench::compile_rows(kernel, tests::image_of(context, image));
  std::printf("rectangle      closed form        rows as Mekong    ratio\n");
  for (std::int64_t size = 64; size <= 65536; size *= 4) {
    const Timing closed = measure(compiled->arrays[0].sets[0].footprint, launch_of(size));
    const Timing enumerated = measure(rows.function, launch_of(size));
    std::printf(
        "%6lld^2  %8.1f ns %3lld box  %10.0f ns %6lld  %7.1f\n", static_cast<long long>(size),
        closed.nanoseconds, static_cast<long long>(closed.boxes), enumerated.nanoseconds,
        static_cast<long long>(enumerated.boxes), enumerated.nanoseconds / closed.nanoseconds);
  }
}

void other_shapes(isl::ctx context) {
  const struct {
    const char* name;
    unsigned rank;
    std::string image;
  } shapes[] = {
      {"1-D block", 1, "{ A[i] : o_y_first <= i < o_y_last + blockDim_y and 0 <= i < n }"},
      {"whole array", 1, "{ A[i] : 0 <= i < n }"},
      {"checkerboard", 2,
       "{ A[i, j] : " + block_rows + " and " + block_columns + " and (i + j + s) mod 2 = 0 }"},
      {"5-point stencil", 2,
       "{ [i, j, a, b] -> A[i + a, j + b] : ((a = 0 and -1 <= b <= 1) or "
       "(b = 0 and -1 <= a <= 1)) and " +
           block_rows + " and " + block_columns + " and 1 <= i < n - 1 and 1 <= j < m - 1 }"},
      {"triangle", 2, "{ A[i, j] : " + block_rows + " and 0 <= j <= i }"},
  };
  std::printf("\nother shapes, 4096^2\n");
  for (const auto& shape : shapes) {
    const model::Kernel kernel = kernel_of(context, shape.rank, shape.image);
    const auto start = Clock::now();
    const tests::CompiledModel compiled(kernel);
    const double compile = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    const Timing timing = measure(compiled->arrays[0].sets[0].footprint, launch_of(4096));
    std::printf("%-16s %8.1f ns  %5lld boxes  (compiled in %.0f ms)\n", shape.name,
                timing.nanoseconds, static_cast<long long>(timing.boxes), compile);
  }
}

}  // namespace

int main() {
  model::IslContext context;
  compare_with_rows(context.get());
  other_shapes(context.get());
}
