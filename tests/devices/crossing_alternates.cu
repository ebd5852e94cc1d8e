// Steps that move least when cut along two axes, among steps that can be cut along one only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planes.h"

using namespace planes;

constexpr int ny = 61, nz = 67;

__global__ void add_along_y(float* a) {  // one block for each z
  const int x = threadIdx.x, z = blockIdx.x;
  for (int y = 1; y < ny; ++y)
    a[(z * ny + y) * row + x] = 0.5f * (a[(z * ny + y) * row + x] + a[(z * ny + y - 1) * row + x]);
}

__global__ void add_along_z(float* a) {  // one block for each y
  const int x = threadIdx.x, y = blockIdx.x;
  for (int z = 1; z < nz; ++z)
    a[(z * ny + y) * row + x] =
        0.5f * (a[(z * ny + y) * row + x] + a[((z - 1) * ny + y) * row + x]);
}

/// A row becomes the mean of itself and the one `back` rows before it.
void host_add(vector<float>& a, int y, int z, int back) {
  float* const own = &a[size_t(z * ny + y) * row];
  for (int x = 0; x < row; ++x) own[x] = 0.5f * (own[x] + own[x - back * row]);
}

int main() {
  Random random(5);
  const size_t n = size_t(ny) * nz * row;
  vector<float> a = random.reals<float>(n, 0, 1), b(n);
  Array<float> da(a), db(n);
  const int rounds = steps(60);
  for (int round = 0; round < rounds; ++round) {
    const int many = 2 + 2 * (round % 3);
    for (int step = 0; step < many; step += 2) {
      smooth<<<dim3(1, ny, nz), row>>>(da.data(), db.data(), ny, nz);
      smooth<<<dim3(1, ny, nz), row>>>(db.data(), da.data(), ny, nz);
      host_smooth(a, b, ny, nz), host_smooth(b, a, ny, nz);
    }
    if (round % 4 == 1) {
      add_along_y<<<nz, row>>>(da.data());
      for (int z = 0; z < nz; ++z)
        for (int y = 1; y < ny; ++y) host_add(a, y, z, 1);
    }
    if (round % 6 == 3) {
      add_along_z<<<ny, row>>>(da.data());
      for (int z = 1; z < nz; ++z)
        for (int y = 0; y < ny; ++y) host_add(a, y, z, ny);
    }
  }
  result("in the end", da, a);
  return finish();
}
