// Gravity between all pairs of bodies, positions shared through tiles.
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
#include <utility>
#include <vector>

static const char usage[] =
    "usage: nbody [BODIES [STEPS]]\n"
    "Moves BODIES bodies (default 4096) under their own gravity for STEPS steps (default 5).\n";
constexpr long largest = 1 << 24;

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

constexpr int tile = 128;
constexpr float softening = 0.01f;  // added to squared distances: no force is infinite
constexpr float time_step = 0.001f;

/// One step. A body is (x, y, z, mass); its velocity's w is unused.
__global__ void step(const float4* bodies, float4* moved, float4* velocities, int n) {
  __shared__ float4 near[tile];
  const int i = blockIdx.x * tile + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += tile) {
    const int j = first + threadIdx.x;
    near[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);  // no mass: no force
    __syncthreads();
    for (int t = 0; t < tile; ++t) {
      const float4 other = near[t];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      const float pull = other.w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  if (i >= n) return;
  float4 v = velocities[i];
  v = make_float4(v.x + time_step * ax, v.y + time_step * ay, v.z + time_step * az, 0);
  velocities[i] = v;
  moved[i] =
      make_float4(me.x + time_step * v.x, me.y + time_step * v.y, me.z + time_step * v.z, me.w);
}

/// The same steps in double, every pair once (action equals reaction). Arrays of x, y, z, mass.
static void reference(std::vector<double>& bodies, std::vector<double>& velocities, long steps) {
  const size_t n = bodies.size() / 4;
  std::vector<double> pulls(3 * n);
  for (long s = 0; s < steps; ++s) {
    pulls.assign(3 * n, 0);
    for (size_t i = 0; i < n; ++i) {
      progress(s * long(n) + long(i), steps * long(n));
      for (size_t j = i + 1; j < n; ++j) {
        double d[3], square = double(softening);
        for (int c = 0; c < 3; ++c) {
          d[c] = bodies[4 * j + c] - bodies[4 * i + c];
          square += d[c] * d[c];
        }
        const double strength = 1 / (square * std::sqrt(square));
        for (int c = 0; c < 3; ++c) {
          pulls[3 * i + c] += d[c] * strength * bodies[4 * j + 3];
          pulls[3 * j + c] -= d[c] * strength * bodies[4 * i + 3];
        }
      }
    }
    for (size_t i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) {
        velocities[4 * i + c] += double(time_step) * pulls[3 * i + c];
        bodies[4 * i + c] += double(time_step) * velocities[4 * i + c];
      }
  }
  progress(steps * long(n), steps * long(n));
}

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {4096, 5});
  const size_t n = sizes[0], bytes = n * sizeof(float4);
  const long steps = sizes[1];

  std::vector<float> bodies(4 * n), velocities(4 * n, 0);
  unsigned random = 1;
  for (size_t i = 0; i < 4 * n; ++i) {
    random = random * 1664525u + 1013904223u;
    const float uniform = float(random >> 8) / float(1 << 24);
    bodies[i] = i % 4 == 3 ? (0.5f + uniform) / float(n) : 2 * uniform - 1;  // masses add up to 1
    if (i % 4 != 3) velocities[i] = uniform - 0.5f;
  }
  std::vector<double> want(bodies.begin(), bodies.end());
  std::vector<double> want_velocities(velocities.begin(), velocities.end());

  float4 *device_bodies, *device_moved, *device_velocities;
  CHECK(cudaMalloc(&device_bodies, bytes));
  CHECK(cudaMalloc(&device_moved, bytes));
  CHECK(cudaMalloc(&device_velocities, bytes));
  CHECK(cudaMemcpy(device_bodies, bodies.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_velocities, velocities.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_moved, 0xff, bytes));
  const unsigned grid = unsigned((n + tile - 1) / tile);
  const double time = milliseconds(steps, [&](long) {
    step<<<grid, tile>>>(device_bodies, device_moved, device_velocities, int(n));
    std::swap(device_bodies, device_moved);
  });
  bodies.assign(4 * n, NAN);
  velocities.assign(4 * n, NAN);
  CHECK(cudaMemcpy(bodies.data(), device_bodies, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(velocities.data(), device_velocities, bytes, cudaMemcpyDeviceToHost));
  for (float4* array : {device_bodies, device_moved, device_velocities}) CHECK(cudaFree(array));
  printf("%-22s %.3f ms a step  %.2f million pairs/s  %.2f GFLOP/s\n", "nbody", time,
         1e-3 * n * n / time, 20e-6 * n * n / time);

  reference(want, want_velocities, steps);
  // Values are of size 1. A step rounds each once; a pull of size 1 carries a sum's error, times
  // dt.
  const double bound = 6e-8 * double(steps) * (2 + double(time_step) * double(n + 16));
  const bool places = agrees(
      "positions and masses", bodies, [&](size_t i) { return want[i]; },
      [&](size_t) { return bound; });
  const bool speeds = agrees(
      "velocities", velocities, [&](size_t i) { return want_velocities[i]; },
      [&](size_t) { return 4 * bound; });
  if (!places || !speeds) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
