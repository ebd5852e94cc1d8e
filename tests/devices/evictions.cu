// More data than devices have memory for: parts of buffers come and go, launches are done in
// rounds. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of memory are devices_test.py's and gpu_tests.py's. Arrays are larger than a unit of a
// GPU's.
//   SETTINGS and TRAFFIC: see devices_test.py
// TRAFFIC cpu:3x1 evictions == 0
// TRAFFIC cpu:3x1 launches_in_rounds == 0
// TRAFFIC cpu:3x1/4M evictions >= 1
// TRAFFIC cpu:3x1/1M evictions >= 1
// TRAFFIC cpu:3x1/1M written_back_bytes >= 1
// TRAFFIC cpu:3x1/1M launches_in_rounds >= 1
// TRAFFIC cpu:3x1/64K launches_in_rounds >= 1
#include "devices.h"

#include <cstdlib>
#include <string>

using namespace devices;

constexpr int width = 1027, height = 1531, n = width * height;

__global__ void scale_add(float* out, const float* a, const float* b, float factor, int count) {
  const int i = global_x();
  if (i < count) out[i] = a[i] + factor * b[i];
}
// Rows above and below.
__global__ void smooth(const float* in, float* out, int columns, int rows) {
  const int x = global_x(), y = global_y();
  if (x >= columns || y >= rows) return;
  const float above = y > 0 ? in[(y - 1) * columns + x] : 0.0f;
  const float below = y + 1 < rows ? in[(y + 1) * columns + x] : 0.0f;
  out[y * columns + x] = 0.5f * in[y * columns + x] + 0.25f * (above + below);
}
// Every block reads all of the table.
__global__ void look_up(const int* place, const float* table, float* out, int count) {
  const int i = global_x();
  if (i < count) out[i] = table[place[i]];
}
__global__ void count_places(const int* place, int count, int* bins) {
  const int i = global_x();
  if (i < count) atomicAdd(&bins[place[i] % 101], 1);
}

// Blocks above each other write the same elements, each something else.
__global__ void last_of_rows(const float* in, float* out, int columns) {
  const int x = global_x();
  out[x] = in[static_cast<int>(blockIdx.y) * columns + x];
}

// Where a device has one thread its blocks come in order, and so do a launch's rounds.
bool keeps_block_order() {
  const char* const set = std::getenv("GRIDSPAN_DEVICES");
  const std::string devices = set ? set : "";
  return devices.rfind("cpu:", 0) == 0 && devices.size() > 2 &&
         devices.compare(devices.size() - 2, 2, "x1") == 0;
}

int main() {
  Random random(7);
  vector<float> a(n), b(n), c(n);
  const vector<int> place = random.integers<int>(n, 0, n - 1);
  for (int i = 0; i < n; ++i)
    a[i] = static_cast<float>(place[i] % 64), b[i] = static_cast<float>(i % 32);
  Array<float> d_a(a), d_b(b), d_c(c);
  Array<int> d_place(place), d_bins(vector<int>(101, 1));
  const dim3 block(32, 8);
  for (int turn = 0; turn < 3; ++turn) {
    scale_add<<<blocks(n, 256), 256>>>(d_c.data(), d_a.data(), d_b.data(), 0.5f, n);
    for (int i = 0; i < n; ++i) c[i] = a[i] + 0.5f * b[i];
    smooth<<<blocks(width, height, block), block>>>(d_c.data(), d_b.data(), width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const float above = y > 0 ? c[(y - 1) * width + x] : 0.0f;
        const float below = y + 1 < height ? c[(y + 1) * width + x] : 0.0f;
        b[y * width + x] = 0.5f * c[y * width + x] + 0.25f * (above + below);
      }
    }
    CUDA_OK(cudaMemcpy(d_a.data(), d_b.data(), n / 2 * sizeof(float), cudaMemcpyDeviceToDevice));
    std::copy_n(b.begin(), n / 2, a.begin());
  }
  look_up<<<blocks(n, 256), 256>>>(d_place.data(), d_b.data(), d_c.data(), n);
  for (int i = 0; i < n; ++i) c[i] = b[place[i]];
  vector<int> bins(101, 1);
  count_places<<<blocks(n, 256), 256>>>(d_place.data(), n, d_bins.data());
  for (const int one : place) ++bins[one % 101];
  CUDA_OK(cudaMemset(d_a.data() + n / 4, 0, n / 2 * sizeof(float)));
  std::fill_n(a.begin() + n / 4, n / 2, 0.0f);
  result("a", d_a, a);
  result("b", d_b, b);
  result("c", d_c, c);
  result("bins", d_bins, bins);
  if (keeps_block_order()) {
    constexpr int columns = 768;  // a block for each of three devices: rounds are cut between rows
    Array<float> d_last(columns);
    for (int turn = 0; turn < 3; ++turn) {
      CUDA_OK(cudaMemset(d_last.data(), 255, columns * sizeof(float)));
      last_of_rows<<<dim3(columns / 256, height), 256>>>(d_c.data(), d_last.data(), columns);
      check::equal("last", d_last.get(),
                   vector<float>(c.begin() + columns * (height - 1), c.begin() + columns * height));
    }
  }
  return finish();
}
