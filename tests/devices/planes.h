// A stencil over rows of 64 floats that lie in a plane: each new row is made of the rows beside it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows stay whole, so that a cut across y moves runs of 256 bytes, as one across z does.
#pragma once

#include "devices.h"

#include <cstdlib>

namespace planes {

using namespace devices;

constexpr int row = 64;  // floats

__global__ void smooth(const float* in, float* out, int ny, int nz) {
  const int x = threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  float sum = in[(z * ny + y) * row + x];
  if (y > 0) sum += in[(z * ny + y - 1) * row + x];
  if (y < ny - 1) sum += in[(z * ny + y + 1) * row + x];
  if (z > 0) sum += in[((z - 1) * ny + y) * row + x];
  if (z < nz - 1) sum += in[((z + 1) * ny + y) * row + x];
  out[(z * ny + y) * row + x] = sum * 0.25f;
}

inline void host_smooth(const vector<float>& in, vector<float>& out, int ny, int nz) {
  const auto at = [&](int y, int z, int x) { return in[size_t(z * ny + y) * row + x]; };
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < row; ++x) {
        float sum = at(y, z, x);
        if (y > 0) sum += at(y - 1, z, x);
        if (y < ny - 1) sum += at(y + 1, z, x);
        if (z > 0) sum += at(y, z - 1, x);
        if (z < nz - 1) sum += at(y, z + 1, x);
        out[size_t(z * ny + y) * row + x] = sum * 0.25f;
      }
}

/// Verification looks at every access: a few steps will do.
inline int steps(int usual) { return std::getenv("GRIDSPAN_VERIFY") ? 4 : usual; }

/// The result of `count` steps, an even number, from random rows.
inline void smooth_planes(int ny, int nz, int count) {
  Random random(97);
  const size_t n = size_t(ny) * nz * row;
  vector<float> a = random.reals<float>(n, 0, 1), b(n);
  Array<float> da(a), db(n);
  const dim3 grid(1, ny, nz);
  for (int step = 0; step < count; step += 2) {
    smooth<<<grid, row>>>(da.data(), db.data(), ny, nz);
    smooth<<<grid, row>>>(db.data(), da.data(), ny, nz);
    host_smooth(a, b, ny, nz);
    host_smooth(b, a, ny, nz);
  }
  result("smoothed", da, a);
}

}  // namespace planes
