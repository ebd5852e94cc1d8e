// Our own writing of PolyBench-GPU's CORR, COVAR, GRAMSCHM and LU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// data has n points (rows) of m variables (columns).
#include "model.h"

using namespace model;

__global__ void corr_mean(int m, int n, float* mean, const float* data) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    mean[j] = 0;
    for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
    mean[j] /= n;
  }
}

__global__ void corr_std(int m, int n, const float* mean, float* std, const float* data) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    std[j] = 0;
    for (int i = 0; i < n; i++) std[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    std[j] = sqrtf(std[j] / n);
    if (std[j] <= 0.005f) std[j] = 1;
  }
}

__global__ void corr_reduce(int m, int n, const float* mean, const float* std, float* data) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m) {
    data[i * m + j] -= mean[j];
    data[i * m + j] /= sqrtf(n) * std[j];
  }
}

// A thread fills row j1 right of the diagonal and column j1 below it.
__global__ void corr(int m, int n, float* symmat, const float* data) {
  const int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m - 1) {
    symmat[j1 * m + j1] = 1;
    for (int j2 = j1 + 1; j2 < m; j2++) {
      symmat[j1 * m + j2] = 0;
      for (int i = 0; i < n; i++) symmat[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
      symmat[j2 * m + j1] = symmat[j1 * m + j2];
    }
  }
}

__global__ void covar_reduce(int m, int n, const float* mean, float* data) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m) data[i * m + j] -= mean[j];
}

__global__ void covar(int m, int n, float* symmat, const float* data) {
  const int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m)
    for (int j2 = j1; j2 < m; j2++) {
      float sum = 0;
      for (int i = 0; i < n; i++) sum += data[i * m + j1] * data[i * m + j2];
      symmat[j1 * m + j2] = sum;
      symmat[j2 * m + j1] = sum;
    }
}

// Step k of Gram-Schmidt on the columns of a[m][n]: q[m][n], r[n][n].
__global__ void gramschmidt_norm(int m, int n, const float* a, float* r, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    float norm = 0;
    for (int row = 0; row < m; row++) norm += a[row * n + k] * a[row * n + k];
    r[k * n + k] = sqrtf(norm);
  }
}

__global__ void gramschmidt_q(int m, int n, const float* a, const float* r, float* q, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) q[i * n + k] = a[i * n + k] / r[k * n + k];
}

__global__ void gramschmidt_update(int m, int n, float* a, float* r, const float* q, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if ((j > k) && (j < n)) {
    r[k * n + j] = 0;
    for (int i = 0; i < m; i++) r[k * n + j] += q[i * n + k] * a[i * n + j];
    for (int i = 0; i < m; i++) a[i * n + j] -= q[i * n + k] * r[k * n + j];
  }
}

// PolyBench's LU scales row k, and guards a grid over the whole matrix.
__global__ void lu_row(int n, float* A, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if ((j > k) && (j < n)) A[k * n + j] = A[k * n + j] / A[k * n + k];
}

__global__ void lu_square(int n, float* A, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i > k) && (j > k) && (i < n) && (j < n))
    A[i * n + j] = A[i * n + j] - A[i * n + k] * A[k * n + j];
}

static vector<float> rounded(const vector<double>& v) { return {v.begin(), v.end()}; }

static void test_statistics(Random& random, int m, int n, dim3 block) {
  const auto input = random.reals<float>(n * m, 0, 10);
  Array<float> data(input), centred(input), mean(m), std(m), symmat(m * m), covariance(m * m);
  const unsigned width = check::volume(block), line = blocks(m, width);
  const dim3 plane = blocks(m, n, block);
  corr_mean<<<line, width>>>(m, n, mean.data(), data.data());
  corr_std<<<line, width>>>(m, n, mean.data(), std.data(), data.data());
  corr_reduce<<<plane, block>>>(m, n, mean.data(), std.data(), data.data());
  corr<<<line, width>>>(m, n, symmat.data(), data.data());
  covar_reduce<<<plane, block>>>(m, n, mean.data(), centred.data());
  covar<<<line, width>>>(m, n, covariance.data(), centred.data());

  vector<double> means(m), deviations(m);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i) means[j] += double(input[i * m + j]) / n;
    for (int i = 0; i < n; ++i) deviations[j] += std::pow(input[i * m + j] - means[j], 2) / n;
    deviations[j] = std::sqrt(deviations[j]);
    if (deviations[j] <= 0.005) deviations[j] = 1;
  }
  // correlation[m-1][m-1] is left as it was: no thread owns it.
  vector<double> correlation(m * m), covariances(m * m), middle(n * m), scaled(n * m);
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < m; ++b) {
      double sum = 0;
      for (int i = 0; i < n; ++i)
        sum += (input[i * m + a] - means[a]) * (input[i * m + b] - means[b]);
      covariances[a * m + b] = sum;
      correlation[a * m + b] = a == b ? 1 : sum / (n * deviations[a] * deviations[b]);
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      middle[i * m + j] = input[i * m + j] - means[j];
      scaled[i * m + j] = middle[i * m + j] / (std::sqrt(double(n)) * deviations[j]);
    }
  auto wanted = rounded(correlation);
  wanted[m * m - 1] = poison<float>();
  near("mean", mean.get(), rounded(means), 1e-4);
  near("std", std.get(), rounded(deviations), 1e-4);
  near("scaled", data.get(), rounded(scaled), 1e-4);
  near("correlation", symmat.get(), wanted, 1e-3);
  near("centred", centred.get(), rounded(middle), 1e-4);
  near("covariance", covariance.get(), rounded(covariances), 1e-3);
}

static void test_gramschmidt(Random& random, int m, int n, unsigned block) {
  const auto input = random.reals<float>(m * n, 1, 2);
  Array<float> a(input), r(n * n), q(m * n);
  vector<double> A(input.begin(), input.end()), R(n * n, poison<float>()), Q(m * n);
  for (int k = 0; k < n; ++k) {
    gramschmidt_norm<<<2, block>>>(m, n, a.data(), r.data(), k);
    gramschmidt_q<<<blocks(m, block), block>>>(m, n, a.data(), r.data(), q.data(), k);
    gramschmidt_update<<<blocks(n, block), block>>>(m, n, a.data(), r.data(), q.data(), k);
    double norm = 0;
    for (int i = 0; i < m; ++i) norm += A[i * n + k] * A[i * n + k];
    R[k * n + k] = std::sqrt(norm);
    for (int i = 0; i < m; ++i) Q[i * n + k] = A[i * n + k] / R[k * n + k];
    for (int j = k + 1; j < n; ++j) {
      double dot = 0;
      for (int i = 0; i < m; ++i) dot += Q[i * n + k] * A[i * n + j];
      R[k * n + j] = dot;
      for (int i = 0; i < m; ++i) A[i * n + j] -= Q[i * n + k] * dot;
    }
  }
  near("gramschmidt a", a.get(), rounded(A), 1e-3);
  near("gramschmidt r", r.get(), rounded(R), 1e-3);
  near("gramschmidt q", q.get(), rounded(Q), 1e-3);
}

static void test_lu(Random& random, int n, dim3 block) {
  auto input = random.reals<float>(n * n, -1, 1);
  for (int i = 0; i < n; ++i) input[i * n + i] += 2 * n;
  Array<float> a(input);
  vector<double> A(input.begin(), input.end());
  for (int k = 0; k < n; ++k) {
    lu_row<<<blocks(n, 16), 16>>>(n, a.data(), k);
    lu_square<<<blocks(n, n, block), block>>>(n, a.data(), k);
    for (int j = k + 1; j < n; ++j) A[k * n + j] /= A[k * n + k];
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) A[i * n + j] -= A[i * n + k] * A[k * n + j];
  }
  near("lu", a.get(), rounded(A), 1e-4);
}

int main() {
  Random random(5);
  test_statistics(random, 23, 31, dim3(8, 2));
  test_statistics(random, 2, 3, dim3(5, 5));
  test_gramschmidt(random, 37, 11, 8);
  test_gramschmidt(random, 1, 1, 8);
  test_lu(random, 29, dim3(8, 4));
  return check::finish();
}
