// Our own writing of PolyBench-GPU's linear algebra: 2MM 3MM ATAX BICG DOITGEN GEMM GEMVER GESUMMV
// MVT SYR2K SYRK. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;
using Matrix = vector<float>;

__global__ void mm2_first(int ni, int nj, int nk, float alpha, float* tmp, const float* A,
                          const float* B) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    tmp[i * nj + j] = 0;
    for (int k = 0; k < nk; k++) tmp[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
  }
}

__global__ void mm2_second(int ni, int nj, int nl, float beta, const float* tmp, const float* C,
                           float* D) {
  const int l = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && l < nl) {
    D[i * nl + l] *= beta;
    for (int k = 0; k < nj; k++) D[i * nl + l] += tmp[i * nj + k] * C[k * nl + l];
  }
}

// Used for all three products of 3MM.
__global__ void mm3(int rows, int columns, int inner, const float* left, const float* right,
                    float* product) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= rows || j >= columns) return;
  float sum = 0;
  for (int k = 0; k < inner; k++) sum += left[i * inner + k] * right[k * columns + j];
  product[i * columns + j] = sum;
}

__global__ void atax_first(int nx, int ny, const float* A, const float* x, float* tmp) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    tmp[i] = 0;
    for (int j = 0; j < ny; j++) tmp[i] += A[i * ny + j] * x[j];
  }
}

__global__ void atax_second(int nx, int ny, const float* A, float* y, const float* tmp) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    y[j] = 0;
    for (int i = 0; i < nx; i++) y[j] += A[i * ny + j] * tmp[i];
  }
}

__global__ void bicg_s(int nx, int ny, const float* A, const float* r, float* s) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    s[j] = 0;
    for (int i = 0; i < nx; i++) s[j] += r[i] * A[i * ny + j];
  }
}

__global__ void bicg_q(int nx, int ny, const float* A, const float* p, float* q) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    q[i] = 0;
    for (int j = 0; j < ny; j++) q[i] += A[i * ny + j] * p[j];
  }
}

// One plane r of A[nr][nq][np]; threads over q and p.
__global__ void doitgen_sum(int nr, int nq, int np, const float* A, const float* C4, float* sum,
                            int r) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const int q = blockIdx.y * blockDim.y + threadIdx.y;
  if (p < np && q < nq) {
    sum[r * (nq * np) + q * np + p] = 0;
    for (int s = 0; s < np; s++)
      sum[r * (nq * np) + q * np + p] += A[r * (nq * np) + q * np + s] * C4[s * np + p];
  }
}

__global__ void doitgen_copy(int nr, int nq, int np, float* A, const float* sum, int r) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const int q = blockIdx.y * blockDim.y + threadIdx.y;
  if (p < np && q < nq) A[r * (nq * np) + q * np + p] = sum[r * (nq * np) + q * np + p];
}

__global__ void gemm(int ni, int nj, int nk, float alpha, float beta, const float* a,
                     const float* b, float* c) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    c[i * nj + j] *= beta;
    for (int k = 0; k < nk; k++) c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}

__global__ void gemver_a(int n, float* a, const float* v1, const float* v2, const float* u1,
                         const float* u2) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

__global__ void gemver_x(int n, float beta, const float* a, float* x, const float* y,
                         const float* z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) x[i] += beta * a[j * n + i] * y[j];
    x[i] += z[i];
  }
}

__global__ void gemver_w(int n, float alpha, const float* a, const float* x, float* w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++) w[i] += alpha * a[i * n + j] * x[j];
}

__global__ void gesummv(int n, float alpha, float beta, const float* A, const float* B, float* tmp,
                        const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    tmp[i] = 0;
    y[i] = 0;
    for (int j = 0; j < n; j++) {
      tmp[i] += A[i * n + j] * x[j];
      y[i] += B[i * n + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}

__global__ void mvt_rows(int n, const float* a, float* x1, const float* y1) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++) x1[i] += a[i * n + j] * y1[j];
}

__global__ void mvt_columns(int n, const float* a, float* x2, const float* y2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++) x2[i] += a[j * n + i] * y2[j];
}

__global__ void syr2k(int ni, int nj, float alpha, float beta, const float* a, const float* b,
                      float* c) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < ni) {
    c[i * ni + j] *= beta;
    for (int k = 0; k < nj; k++)
      c[i * ni + j] +=
          alpha * a[i * nj + k] * b[j * nj + k] + alpha * b[i * nj + k] * a[j * nj + k];
  }
}

__global__ void syrk(int ni, int nj, float alpha, float beta, const float* a, float* c) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < ni) {
    c[i * ni + j] *= beta;
    for (int k = 0; k < nj; k++) c[i * ni + j] += alpha * a[i * nj + k] * a[j * nj + k];
  }
}

// References: everything is a product of matrices; numbers are small integers, so order and
// contraction do not matter.
static Matrix multiply(const Matrix& a, const Matrix& b, int rows, int inner, int columns) {
  Matrix c(size_t(rows) * columns);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k)
      for (int j = 0; j < columns; ++j) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  return c;
}
static Matrix transposed(const Matrix& a, int rows, int columns) {
  Matrix t(a.size());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) t[j * rows + i] = a[i * columns + j];
  return t;
}
static Matrix combine(float alpha, const Matrix& a, float beta, const Matrix& b) {
  Matrix c(a.size());
  for (size_t i = 0; i < c.size(); ++i) c[i] = alpha * a[i] + beta * b[i];
  return c;
}

static void test_products(Random& random, int ni, int nj, int nk, int nl, dim3 block) {
  const auto a = small<float>(random, ni * nk), b = small<float>(random, nk * nj),
             c = small<float>(random, nj * nl), d = small<float>(random, ni * nl),
             e = small<float>(random, ni * nj);
  Array<float> da(a), db(b), dc(c), dd(d), de(e), tmp(ni * nj), ab(ni * nj), abc(ni * nl);
  mm2_first<<<blocks(nj, ni, block), block>>>(ni, nj, nk, 2, tmp.data(), da.data(), db.data());
  mm2_second<<<blocks(nl, ni, block), block>>>(ni, nj, nl, 3, tmp.data(), dc.data(), dd.data());
  mm3<<<blocks(nj, ni, block), block>>>(ni, nj, nk, da.data(), db.data(), ab.data());
  mm3<<<blocks(nl, ni, block), block>>>(ni, nl, nj, ab.data(), dc.data(), abc.data());
  gemm<<<blocks(nj, ni, block), block>>>(ni, nj, nk, 2, 3, da.data(), db.data(), de.data());
  const Matrix product = multiply(a, b, ni, nk, nj);
  const Matrix all = multiply(product, c, ni, nj, nl);
  equal("2mm tmp", tmp.get(), combine(2, product, 0, product));
  equal("2mm", dd.get(), combine(2, all, 3, d));
  equal("3mm", abc.get(), all);
  equal("gemm", de.get(), combine(2, product, 3, e));
}

static void test_vectors(Random& random, int nx, int ny, unsigned block) {
  const auto a = small<float>(random, nx * ny), x = small<float>(random, ny),
             r = small<float>(random, nx);
  Array<float> da(a), dx(x), dr(r), tmp(nx), y(ny), s(ny), q(nx);
  const unsigned bx = blocks(nx, block), by = blocks(ny, block);
  atax_first<<<bx, block>>>(nx, ny, da.data(), dx.data(), tmp.data());
  atax_second<<<by, block>>>(nx, ny, da.data(), y.data(), tmp.data());
  bicg_s<<<by, block>>>(nx, ny, da.data(), dr.data(), s.data());
  bicg_q<<<bx, block>>>(nx, ny, da.data(), dx.data(), q.data());
  const Matrix ax = multiply(a, x, nx, ny, 1);
  equal("atax tmp", tmp.get(), ax);
  equal("atax", y.get(), multiply(ax, a, 1, nx, ny));
  equal("bicg s", s.get(), multiply(r, a, 1, nx, ny));
  equal("bicg q", q.get(), ax);
}

static void test_square(Random& random, int n, dim3 block) {
  const auto a = small<float>(random, n * n), b = small<float>(random, n * n),
             x = small<float>(random, n), y = small<float>(random, n), z = small<float>(random, n),
             w = small<float>(random, n);
  Array<float> da(a), db(b), dx(x), dy(y), dz(z), dw(w), tmp(n), sum(n), x1(x), x2(x);
  const unsigned width = check::volume(block), bx = blocks(n, width);
  gesummv<<<bx, width>>>(n, 2, 3, da.data(), db.data(), tmp.data(), dx.data(), sum.data());
  const Matrix ax = multiply(a, x, n, n, 1);
  equal("gesummv tmp", tmp.get(), ax);
  equal("gesummv", sum.get(), combine(2, ax, 3, multiply(b, x, n, n, 1)));
  mvt_rows<<<bx, width>>>(n, da.data(), x1.data(), dy.data());
  mvt_columns<<<bx, width>>>(n, da.data(), x2.data(), dz.data());
  equal("mvt x1", x1.get(), combine(1, x, 1, multiply(a, y, n, n, 1)));
  equal("mvt x2", x2.get(), combine(1, x, 1, multiply(z, a, 1, n, n)));
  gemver_a<<<blocks(n, n, block), block>>>(n, da.data(), dx.data(), dy.data(), dz.data(),
                                           dw.data());
  gemver_x<<<bx, width>>>(n, 2, da.data(), dx.data(), dy.data(), dz.data());
  gemver_w<<<bx, width>>>(n, 3, da.data(), dx.data(), dw.data());
  const Matrix a2 =
      combine(1, a, 1, combine(1, multiply(z, x, n, 1, n), 1, multiply(w, y, n, 1, n)));
  const Matrix xt = combine(1, combine(1, x, 2, multiply(y, a2, 1, n, n)), 1, z);
  equal("gemver a", da.get(), a2);
  equal("gemver x", dx.get(), xt);
  equal("gemver w", dw.get(), combine(1, w, 3, multiply(a2, xt, n, n, 1)));
}

static void test_rank_k(Random& random, int ni, int nj, dim3 block) {
  const auto a = small<float>(random, ni * nj), b = small<float>(random, ni * nj),
             c = small<float>(random, ni * ni);
  Array<float> da(a), db(b), once(c), twice(c);
  syrk<<<blocks(ni, ni, block), block>>>(ni, nj, 2, 3, da.data(), once.data());
  syr2k<<<blocks(ni, ni, block), block>>>(ni, nj, 2, 3, da.data(), db.data(), twice.data());
  const Matrix at = transposed(a, ni, nj), bt = transposed(b, ni, nj);
  equal("syrk", once.get(), combine(2, multiply(a, at, ni, nj, ni), 3, c));
  equal("syr2k", twice.get(),
        combine(2, combine(1, multiply(a, bt, ni, nj, ni), 1, multiply(b, at, ni, nj, ni)), 3, c));
}

static void test_doitgen(Random& random, int nr, int nq, int np, dim3 block) {
  const auto a = small<float>(random, nr * nq * np), c4 = small<float>(random, np * np);
  Array<float> da(a), dc(c4), sum(a.size());
  for (int r = 0; r < nr; ++r) {
    doitgen_sum<<<blocks(np, nq, block), block>>>(nr, nq, np, da.data(), dc.data(), sum.data(), r);
    doitgen_copy<<<blocks(np, nq, block), block>>>(nr, nq, np, da.data(), sum.data(), r);
  }
  const Matrix want = multiply(a, c4, nr * nq, np, np);
  equal("doitgen sum", sum.get(), want);
  equal("doitgen", da.get(), want);
}

int main() {
  Random random(3);
  test_products(random, 17, 23, 13, 29, dim3(8, 4));
  test_products(random, 1, 1, 1, 1, dim3(8, 4));
  test_vectors(random, 67, 41, 32);
  test_vectors(random, 1, 5, 32);
  test_square(random, 37, dim3(16, 2));
  test_square(random, 1, dim3(3, 3));
  test_rank_k(random, 19, 11, dim3(4, 8));
  test_doitgen(random, 3, 11, 13, dim3(8, 4));
  return check::finish();
}
