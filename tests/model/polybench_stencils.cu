// Our own writing of PolyBench-GPU's stencils: 2DCONV 3DCONV FDTD-2D JACOBI1D JACOBI2D ADI.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// Weights that floats multiply exactly.
__host__ __device__ static float weight(int dy, int dx) { return 0.25f * (3 * dy + dx) + 0.5f; }

__global__ void conv2d(const float* A, float* B, int ni, int nj) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < ni - 1) && (j < nj - 1) && (i > 0) && (j > 0))
    B[i * nj + j] = weight(-1, -1) * A[(i - 1) * nj + (j - 1)] +
                    weight(-1, 0) * A[(i - 1) * nj + j] +
                    weight(-1, 1) * A[(i - 1) * nj + (j + 1)] +
                    weight(0, -1) * A[i * nj + (j - 1)] + weight(0, 0) * A[i * nj + j] +
                    weight(0, 1) * A[i * nj + (j + 1)] + weight(1, -1) * A[(i + 1) * nj + (j - 1)] +
                    weight(1, 0) * A[(i + 1) * nj + j] + weight(1, 1) * A[(i + 1) * nj + (j + 1)];
}

// The host loops over the planes i.
__global__ void conv3d(const float* A, float* B, int ni, int nj, int nk, int i) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < ni - 1) && (j < nj - 1) && (k < nk - 1) && (i > 0) && (j > 0) && (k > 0))
    B[i * (nk * nj) + j * nk + k] =
        2 * A[(i - 1) * (nk * nj) + (j - 1) * nk + (k - 1)] +
        3 * A[(i + 1) * (nk * nj) + (j - 1) * nk + (k - 1)] - A[i * (nk * nj) + j * nk + k] +
        4 * A[(i - 1) * (nk * nj) + (j + 1) * nk + (k + 1)] +
        5 * A[(i + 1) * (nk * nj) + j * nk + (k + 1)] - A[i * (nk * nj) + (j - 1) * nk + k];
}

__global__ void fdtd_ey(const float* fict, float* ey, const float* hz, int nx, int ny, int t) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    if (i == 0)
      ey[i * ny + j] = fict[t];
    else
      ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
  }
}

__global__ void fdtd_ex(float* ex, const float* hz, int nx, int ny) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny && j > 0)
    ex[i * (ny + 1) + j] = ex[i * (ny + 1) + j] - 0.5f * (hz[i * ny + j] - hz[i * ny + (j - 1)]);
}

__global__ void fdtd_hz(const float* ex, const float* ey, float* hz, int nx, int ny) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny)
    hz[i * ny + j] = hz[i * ny + j] - 0.25f * (ex[i * (ny + 1) + (j + 1)] - ex[i * (ny + 1) + j] +
                                               ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

__global__ void jacobi1d(int n, const float* A, float* B) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((i > 0) && (i < (n - 1))) B[i] = 0.5f * (A[i - 1] + A[i] + A[i + 1]);
}

__global__ void jacobi1d_copy(int n, float* A, const float* B) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if ((j > 0) && (j < (n - 1))) A[j] = B[j];
}

__global__ void jacobi2d(int n, const float* A, float* B) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if ((i >= 1) && (i < (n - 1)) && (j >= 1) && (j < (n - 1)))
    B[i * n + j] = 0.25f * (A[i * n + j] + A[i * n + (j - 1)] + A[i * n + (1 + j)] +
                            A[(1 + i) * n + j] + A[(i - 1) * n + j]);
}

__global__ void jacobi2d_copy(int n, float* A, const float* B) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if ((i >= 1) && (i < (n - 1)) && (j >= 1) && (j < (n - 1))) A[i * n + j] = B[i * n + j];
}

// Row sweeps: a thread does a row.
__global__ void adi_row_forward(int n, const float* A, float* B, float* X) {
  const int i1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i1 < n)
    for (int i2 = 1; i2 < n; i2++) {
      X[i1 * n + i2] -= X[i1 * n + (i2 - 1)] * A[i1 * n + i2] / B[i1 * n + (i2 - 1)];
      B[i1 * n + i2] -= A[i1 * n + i2] * A[i1 * n + i2] / B[i1 * n + (i2 - 1)];
    }
}

__global__ void adi_row_last(int n, const float* B, float* X) {
  const int i1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i1 < n) X[i1 * n + (n - 1)] /= B[i1 * n + (n - 1)];
}

__global__ void adi_row_backward(int n, const float* A, const float* B, float* X) {
  const int i1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i1 < n)
    for (int i2 = 0; i2 < n - 2; i2++)
      X[i1 * n + (n - i2 - 2)] =
          (X[i1 * n + (n - 2 - i2)] - X[i1 * n + (n - 2 - i2 - 1)] * A[i1 * n + (n - i2 - 3)]) /
          B[i1 * n + (n - 3 - i2)];
}

// Column sweeps: a launch does one row i1 of all columns.
__global__ void adi_column_forward(int n, const float* A, float* B, float* X, int i1) {
  const int i2 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i2 < n) {
    X[i1 * n + i2] -= X[(i1 - 1) * n + i2] * A[i1 * n + i2] / B[(i1 - 1) * n + i2];
    B[i1 * n + i2] -= A[i1 * n + i2] * A[i1 * n + i2] / B[(i1 - 1) * n + i2];
  }
}

__global__ void adi_column_last(int n, const float* B, float* X) {
  const int i2 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i2 < n) X[(n - 1) * n + i2] /= B[(n - 1) * n + i2];
}

__global__ void adi_column_backward(int n, const float* A, const float* B, float* X, int i1) {
  const int i2 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i2 < n)
    X[(n - 2 - i1) * n + i2] =
        (X[(n - 2 - i1) * n + i2] - X[(n - i1 - 3) * n + i2] * A[(n - 3 - i1) * n + i2]) /
        B[(n - 2 - i1) * n + i2];
}

static void test_conv2d(Random& random, int ni, int nj, dim3 block) {
  const auto a = small<float>(random, ni * nj);
  auto b = poisoned<float>(a.size());
  Array<float> da(a), db(a.size());
  conv2d<<<blocks(nj, ni, block), block>>>(da.data(), db.data(), ni, nj);
  for (int i = 1; i < ni - 1; ++i)
    for (int j = 1; j < nj - 1; ++j) {
      float sum = 0;
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) sum += weight(y, x) * a[(i + y) * nj + j + x];
      b[i * nj + j] = sum;
    }
  equal("conv2d", db.get(), b);
}

static void test_conv3d(Random& random, int ni, int nj, int nk, dim3 block) {
  const auto a = small<float>(random, ni * nj * nk);
  auto b = poisoned<float>(a.size());
  Array<float> da(a), db(a.size());
  for (int i = 0; i < ni; ++i)
    conv3d<<<blocks(nk, nj, block), block>>>(da.data(), db.data(), ni, nj, nk, i);
  const auto at = [&](int i, int j, int k) { return a[(i * nj + j) * nk + k]; };
  for (int i = 1; i < ni - 1; ++i)
    for (int j = 1; j < nj - 1; ++j)
      for (int k = 1; k < nk - 1; ++k)
        b[(i * nj + j) * nk + k] = 2 * at(i - 1, j - 1, k - 1) + 3 * at(i + 1, j - 1, k - 1) -
                                   at(i, j, k) + 4 * at(i - 1, j + 1, k + 1) +
                                   5 * at(i + 1, j, k + 1) - at(i, j - 1, k);
  equal("conv3d", db.get(), b);
}

static void test_fdtd(Random& random, int nx, int ny, dim3 block) {
  const int steps = 3;
  const auto fict = small<float>(random, steps);
  auto ex = small<float>(random, nx * (ny + 1)), ey = small<float>(random, (nx + 1) * ny),
       hz = small<float>(random, nx * ny);
  Array<float> dfict(fict), dex(ex), dey(ey), dhz(hz);
  const dim3 grid = blocks(ny, nx, block);
  for (int t = 0; t < steps; ++t) {
    fdtd_ey<<<grid, block>>>(dfict.data(), dey.data(), dhz.data(), nx, ny, t);
    fdtd_ex<<<grid, block>>>(dex.data(), dhz.data(), nx, ny);
    fdtd_hz<<<grid, block>>>(dex.data(), dey.data(), dhz.data(), nx, ny);
    for (int j = 0; j < ny; ++j) {
      ey[j] = fict[t];
      for (int i = 1; i < nx; ++i) ey[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    }
    for (int i = 0; i < nx; ++i)
      for (int j = 1; j < ny; ++j)
        ex[i * (ny + 1) + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        hz[i * ny + j] -= 0.25f * (ex[i * (ny + 1) + j + 1] - ex[i * (ny + 1) + j] +
                                   ey[(i + 1) * ny + j] - ey[i * ny + j]);
  }
  equal("fdtd ex", dex.get(), ex);
  equal("fdtd ey", dey.get(), ey);
  equal("fdtd hz", dhz.get(), hz);
}

static void test_jacobi(Random& random, int n, dim3 block) {
  auto a = small<float>(random, n), a2 = small<float>(random, n * n);
  auto b = poisoned<float>(n), b2 = poisoned<float>(n * n);
  Array<float> da(a), db(n), da2(a2), db2(n * n);
  const unsigned width = check::volume(block);
  for (int t = 0; t < 2; ++t) {
    jacobi1d<<<blocks(n, width), width>>>(n, da.data(), db.data());
    jacobi1d_copy<<<blocks(n, width), width>>>(n, da.data(), db.data());
    jacobi2d<<<blocks(n, n, block), block>>>(n, da2.data(), db2.data());
    jacobi2d_copy<<<blocks(n, n, block), block>>>(n, da2.data(), db2.data());
    for (int i = 1; i < n - 1; ++i) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 2;
    for (int i = 1; i < n - 1; ++i) a[i] = b[i];
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) {
        const float* c = &a2[i * n + j];
        b2[i * n + j] = (*c + c[-1] + c[1] + c[n] + c[-n]) / 4;
      }
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) a2[i * n + j] = b2[i * n + j];
  }
  equal("jacobi1d A", da.get(), a);
  equal("jacobi1d B", db.get(), b);
  equal("jacobi2d A", da2.get(), a2);
  equal("jacobi2d B", db2.get(), b2);
}

static void test_adi(Random& random, int n, unsigned block) {
  const auto a = random.reals<float>(n * n, 0, 1);
  auto b = random.reals<float>(n * n, 4, 5), x = random.reals<float>(n * n, 0, 1);
  Array<float> da(a), db(b), dx(x);
  const unsigned grid = blocks(n, block);
  adi_row_forward<<<grid, block>>>(n, da.data(), db.data(), dx.data());
  adi_row_last<<<grid, block>>>(n, db.data(), dx.data());
  adi_row_backward<<<grid, block>>>(n, da.data(), db.data(), dx.data());
  for (int i1 = 1; i1 < n; ++i1)
    adi_column_forward<<<grid, block>>>(n, da.data(), db.data(), dx.data(), i1);
  adi_column_last<<<grid, block>>>(n, db.data(), dx.data());
  for (int i1 = 0; i1 < n - 2; ++i1)
    adi_column_backward<<<grid, block>>>(n, da.data(), db.data(), dx.data(), i1);
  vector<double> B(b.begin(), b.end()), X(x.begin(), x.end());
  for (int r = 0; r < n; ++r) {
    double *xr = &X[r * n], *br = &B[r * n];
    const float* ar = &a[r * n];
    for (int c = 1; c < n; ++c) {
      xr[c] -= xr[c - 1] * ar[c] / br[c - 1];
      br[c] -= double(ar[c]) * ar[c] / br[c - 1];
    }
    xr[n - 1] /= br[n - 1];
    for (int c = n - 2; c >= 1; --c) xr[c] = (xr[c] - xr[c - 1] * ar[c - 1]) / br[c - 1];
  }
  for (int c = 0; c < n; ++c) {
    for (int r = 1; r < n; ++r) {
      X[r * n + c] -= X[(r - 1) * n + c] * a[r * n + c] / B[(r - 1) * n + c];
      B[r * n + c] -= double(a[r * n + c]) * a[r * n + c] / B[(r - 1) * n + c];
    }
    X[(n - 1) * n + c] /= B[(n - 1) * n + c];
    for (int r = n - 2; r >= 1; --r)
      X[r * n + c] = (X[r * n + c] - X[(r - 1) * n + c] * a[(r - 1) * n + c]) / B[r * n + c];
  }
  near("adi X", dx.get(), vector<float>(X.begin(), X.end()), 1e-4);
  near("adi B", db.get(), vector<float>(B.begin(), B.end()), 1e-4);
}

int main() {
  Random random(4);
  test_conv2d(random, 23, 37, dim3(16, 4));
  test_conv2d(random, 2, 2, dim3(16, 4));
  test_conv3d(random, 5, 11, 17, dim3(8, 4));
  test_fdtd(random, 19, 23, dim3(8, 8));
  test_fdtd(random, 1, 1, dim3(8, 8));
  test_jacobi(random, 31, dim3(8, 4));
  test_jacobi(random, 1, dim3(8, 4));
  test_adi(random, 29, 16);
  return check::finish();
}
