// rsqrtf of all kinds of numbers, by vectors of threads and by threads alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | rsqrtf of zeros, infinities, denormals, NaN and any other number: within 2 ulp, and the same for threads in vectors and alone
#include "check.h"
#include "math_check.h"

#include <limits>

__global__ void roots(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = rsqrtf(in[i]);
}

/// A branch that few threads take, and a loop.
__global__ void some_roots(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < i % 5; ++k)
    if (in[(i + k) % n] > 1) sum += rsqrtf(in[(i + k) % n]);
  out[i] = sum;
}

/// Threads that gather: some CPUs have other code for these, which must not have other roots.
__global__ void gathered_roots(const float* in, const int* from, float* out, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < steps; ++k) sum += in[from[i * steps + k]];
  out[i] = rsqrtf(sum);
}

static std::vector<float> numbers() {
  using limits = std::numeric_limits<float>;
  std::vector<float> all = {0.0f,
                            -0.0f,
                            1.0f,
                            4.0f,
                            -1.0f,
                            -limits::infinity(),
                            limits::max(),
                            limits::infinity(),
                            limits::min(),
                            limits::denorm_min(),
                            limits::quiet_NaN(),
                            limits::min() - limits::denorm_min()};
  check::Random random(7);
  for (int exponent = -149; exponent < 128; ++exponent)
    for (int i = 0; i < 60; ++i) all.push_back(std::ldexp(1 + float(random.real(0, 1)), exponent));
  for (int i = 0; i < 1 << 16; ++i)  // every number near an end of the two octaves
    all.push_back(std::ldexp(float((1 << 23) + i), -23)),
        all.push_back(std::ldexp(float((1 << 25) - 2 * i), -23));
  return all;
}

int main() {
  const std::vector<float> in = numbers();
  const int n = in.size();
  check::Array<float> from(in), to(std::vector<float>(n, -7.0f)),
      alone(std::vector<float>(n, -8.0f));
  roots<<<(n + 255) / 256, 256>>>(from.data(), to.data(), n);
  roots<<<n, 1>>>(from.data(), alone.data(), n);
  KERNEL_OK();
  const std::vector<float> got = to.get(), one = alone.get();
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double want = 1 / std::sqrt(double(in[i]));
    CHECK(std::memcmp(&got[i], &one[i], sizeof(float)) == 0 ||
          (got[i] != got[i] && one[i] != one[i]));
    if (std::isnan(want))
      CHECK(std::isnan(got[i]));
    else if (std::isinf(want) || want == 0)
      CHECK_EQ(got[i], float(want));
    else
      worst = std::max(worst, math_check::ulps(got[i], float(want)));
  }
  CHECK(worst <= 2);

  constexpr int steps = 3;
  check::Random random(5);
  std::vector<int> places;
  std::vector<float> added(n);
  for (int i = 0; i < n * steps; ++i) places.push_back(static_cast<int>(random.integer(0, n - 1)));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < steps; ++k) added[i] += in[places[i * steps + k]];
  check::Array<float> sums_of(added), gathered(n);
  check::Array<int> which(places);
  gathered_roots<<<(n + 127) / 128, 128>>>(from.data(), which.data(), gathered.data(), n, steps);
  roots<<<(n + 127) / 128, 128>>>(sums_of.data(), to.data(), n);
  KERNEL_OK();
  const std::vector<float> apart = to.get(), together = gathered.get();
  for (int i = 0; i < n; ++i)
    CHECK(apart[i] == together[i] || (apart[i] != apart[i] && together[i] != together[i]));

  some_roots<<<(n + 127) / 128, 128>>>(from.data(), to.data(), n);
  KERNEL_OK();
  const std::vector<float> sums = to.get();
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < i % 5; ++k)
      if (in[(i + k) % n] > 1) sum += got[(i + k) % n];
    CHECK_EQ(sums[i], sum);
  }
  return check::finish();
}
