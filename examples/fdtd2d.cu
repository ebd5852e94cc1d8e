// Electromagnetic waves in two dimensions: finite differences in time and space.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <vector>

static const char usage[] =
    "usage: fdtd2d [ROWS [COLUMNS [STEPS]]]\n"
    "A pulse enters a ROWS x COLUMNS field (default 1024 x 1024) for STEPS steps (default 100).\n";
constexpr long largest = 1 << 18;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, cudaGetErrorString(status));
  exit(1);
}

/// Sizes from the command line, in order, over the defaults; one error line for anything else.
static std::vector<long> sizes_from(int argc, char** argv, std::vector<long> sizes) {
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--help")) exit(fputs(usage, stdout) < 0);
    char* end = argv[i];
    const long value = strtol(argv[i], &end, 10);
    if (i <= int(sizes.size()) && end != argv[i] && !*end && value > 0 && value <= largest) {
      sizes[i - 1] = value;
      continue;
    }
    fprintf(stderr, "%s: bad argument '%s' (sizes are 1 to %ld; see --help)\n", argv[0], argv[i],
            largest);
    exit(1);
  }
  return sizes;
}

/// On a terminal, after two seconds, shows how far the work has come.
static void progress(long done, long total) {
  static time_t start;
  if (done == 0) start = time(nullptr);
  if ((done < total && done % (total / 50 + 1)) || !isatty(STDERR_FILENO)) return;
  CHECK(cudaDeviceSynchronize());
  if (time(nullptr) - start < 2) return;
  const int filled = int(done * 50 / total);
  fprintf(stderr, "\r[%.*s%*s] %3ld%%", filled,
          "##################################################", 50 - filled, "",
          done * 100 / total);
  if (done == total) fputs("\r\033[K", stderr);
}

/// Milliseconds that one of `count` calls of `work` takes, measured with CUDA events.
template <class Work>
static double milliseconds(long count, Work work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  for (long i = 0; i < count; ++i) {
    progress(i, count);
    work(i);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  progress(count, count);
  float total = 0;
  CHECK(cudaEventElapsedTime(&total, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return total / count;
}

/// Compares element by element with `want(i)`, at most `bound(i)` away; names the first difference.
template <class T, class Want, class Bound>
static bool agrees(const char* what, const std::vector<T>& got, Want want, Bound bound) {
  size_t wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = std::fabs(double(got[i]) - double(want(i)));
    if (error > worst) worst = error;
    if (error <= bound(i)) continue;  // a NaN is wrong too
    if (wrong++ == 0)
      fprintf(stderr, "%s[%zu] is %.9g, reference %.9g\n", what, i, double(got[i]),
              double(want(i)));
  }
  if (wrong)
    fprintf(stderr, "%s: %zu of %zu elements are wrong\n", what, wrong, got.size());
  else
    printf("%-22s %zu elements agree, largest error %.2g\n", what, got.size(), worst);
  return wrong == 0;
}

// ex lies between rows, ey between columns, hz in the cells. The first row of ey is the source; the
// outermost ex and ey that no kernel writes stay as they are: a wall.

__device__ bool locate(int rows, int columns, int& row, int& column) {
  column = blockIdx.x * blockDim.x + threadIdx.x;
  row = blockIdx.y * blockDim.y + threadIdx.y;
  return row < rows && column < columns;
}

__global__ void step_ey(float* ey, const float* hz, float source, int rows, int columns) {
  int row, column;
  if (!locate(rows, columns, row, column)) return;
  const size_t i = size_t(row) * columns + column;
  ey[i] = row == 0 ? source : ey[i] - 0.5f * (hz[i] - hz[i - columns]);
}

__global__ void step_ex(float* ex, const float* hz, int rows, int columns) {
  int row, column;
  if (!locate(rows, columns, row, column) || column == 0) return;
  const size_t i = size_t(row) * columns + column;
  ex[i] -= 0.5f * (hz[i] - hz[i - 1]);
}

__global__ void step_hz(const float* ex, const float* ey, float* hz, int rows, int columns) {
  int row, column;
  if (!locate(rows - 1, columns - 1, row, column)) return;
  const size_t i = size_t(row) * columns + column;
  hz[i] -= 0.7f * (ex[i + 1] - ex[i] + ey[i + columns] - ey[i]);
}

static float source_at(long step) {
  return float(std::exp(-0.001 * double(step - 50) * (step - 50)));
}

struct Field {
  std::vector<double> ex, ey, hz;
};

/// The same scheme in double, one fused sweep a step: hz of a row as soon as its fields are new.
static void reference(Field& f, size_t rows, size_t columns, long steps) {
  const double c = 0.5f, d = 0.7f;
  for (long step = 0; step < steps; ++step) {
    progress(step, steps);
    for (size_t row = 0; row < rows; ++row) {
      const size_t i = row * columns;
      double *ex = &f.ex[i], *ey = &f.ey[i], *hz = &f.hz[i];
      // hz of this row is still old here; hz of the row above is old too, see the end of the sweep.
      for (size_t x = 1; x < columns; ++x) ex[x] -= c * (hz[x] - hz[x - 1]);
      for (size_t x = 0; x < columns; ++x)
        ey[x] = row == 0 ? double(source_at(step)) : ey[x] - c * (hz[x] - f.hz[i - columns + x]);
      if (row < 2) continue;
      const size_t above = (row - 2) * columns;  // two rows up: nobody needs its old hz any more
      for (size_t x = 0; x + 1 < columns; ++x)
        f.hz[above + x] -= d * (f.ex[above + x + 1] - f.ex[above + x] + f.ey[above + columns + x] -
                                f.ey[above + x]);
    }
    if (rows < 2) continue;
    const size_t last = (rows - 2) * columns;
    for (size_t x = 0; x + 1 < columns; ++x)
      f.hz[last + x] -=
          d * (f.ex[last + x + 1] - f.ex[last + x] + f.ey[last + columns + x] - f.ey[last + x]);
  }
  progress(steps, steps);
}

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {1024, 1024, 100});
  const int rows = int(sizes[0]), columns = int(sizes[1]);
  const long steps = sizes[2];
  const size_t n = size_t(rows) * columns, bytes = n * sizeof(float);

  std::vector<float> host[3];  // ex, ey, hz
  float* device[3];
  for (int f = 0; f < 3; ++f) {
    host[f].resize(n);
    for (size_t i = 0; i < n; ++i) host[f][i] = float(i * (7919 + 2 * f) % 2003) / 20030;
    CHECK(cudaMalloc(&device[f], bytes));
    CHECK(cudaMemcpy(device[f], host[f].data(), bytes, cudaMemcpyHostToDevice));
  }
  Field want{{host[0].begin(), host[0].end()},
             {host[1].begin(), host[1].end()},
             {host[2].begin(), host[2].end()}};
  float *ex = device[0], *ey = device[1], *hz = device[2];

  const dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
  const double time = milliseconds(steps, [&](long step) {
    step_ey<<<grid, block>>>(ey, hz, source_at(step), rows, columns);
    step_ex<<<grid, block>>>(ex, hz, rows, columns);
    step_hz<<<grid, block>>>(ex, ey, hz, rows, columns);
  });
  printf("%-22s %.3f ms a step  %.2f GB/s  %.2f GFLOP/s\n", "fdtd2d", time, 10e-6 * bytes / time,
         11e-6 * n / time);

  reference(want, rows, columns, steps);
  // Every step rounds a few times at the scale of the field, and the scheme does not amplify it.
  double scale = 1;
  for (const auto* field : {&want.ex, &want.ey, &want.hz})
    for (const double value : *field) scale = std::max(scale, std::fabs(value));
  const double bound = 6e-8 * 8 * double(steps) * scale;
  const char* const names[] = {"ex", "ey", "hz"};
  const std::vector<double>* const wanted[] = {&want.ex, &want.ey, &want.hz};
  bool right = true;
  for (int f = 0; f < 3; ++f) {
    host[f].assign(n, NAN);
    CHECK(cudaMemcpy(host[f].data(), device[f], bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device[f]));
    right &= agrees(
        names[f], host[f], [&](size_t i) { return (*wanted[f])[i]; },
        [&](size_t) { return bound; });
  }
  if (!right) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
