// BBMM's programs as CUDA: Floyd-Warshall, heat, FDTD, LU, ADI, matrix-vector, Black-Scholes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// Row k and column k are read while others "rewrite" them, with the same values.
__global__ void floyd(int* distance, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  const int through = distance[i * n + k] + distance[k * n + j];
  distance[i * n + j] = min(distance[i * n + j], through);
}

__global__ void heat2d(const float* in, float* out, int nx, int ny, float c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    out[y * nx + x] =
        in[y * nx + x] + c * (in[(y - 1) * nx + x] + in[(y + 1) * nx + x] + in[y * nx + x - 1] +
                              in[y * nx + x + 1] - 4 * in[y * nx + x]);
}

// ex has a column more than the cells, ey a row more.
__global__ void fdtd2d_e(float* ex, float* ey, const float* hz, int nx, int ny) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j > 0 && j < ny)
    ex[i * (ny + 1) + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
  if (i > 0 && i < nx && j < ny) ey[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

__global__ void fdtd2d_h(const float* ex, const float* ey, float* hz, int nx, int ny) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny)
    hz[i * ny + j] -= 0.25f * (ex[i * (ny + 1) + j + 1] - ex[i * (ny + 1) + j] +
                               ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

__global__ void heat3d(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  const int row = nx, plane = nx * ny;
  const int c = z * plane + y * row + x;
  out[c] = 0.5f * in[c] + 0.0625f * (in[c - 1] + in[c + 1] + in[c - row] + in[c + row] +
                                     in[c - plane] + in[c + plane]);
}

// LU without pivoting, one step of the elimination: a column, then the trailing square.
__global__ void lu_column(float* a, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
  if (i < n) a[i * n + k] /= a[k * n + k];
}

__global__ void lu_update(float* a, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
  const int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
  if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

// Tridiagonal systems along the rows, then along the columns: forward elimination into p and q,
// then back substitution into u.
__global__ void adi_rows(const float* v, float* u, float* p, float* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i >= n - 1) return;
  u[i * n] = 1;
  p[i * n] = 0;
  q[i * n] = 1;
  for (int j = 1; j < n - 1; ++j) {
    p[i * n + j] = 1 / (4 - p[i * n + j - 1]);
    q[i * n + j] =
        (v[(i - 1) * n + j] + v[i * n + j] + v[(i + 1) * n + j] + q[i * n + j - 1]) * p[i * n + j];
  }
  u[i * n + n - 1] = 1;
  for (int j = n - 2; j >= 1; --j) u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
}

__global__ void adi_columns(const float* u, float* v, float* p, float* q, int n) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (j >= n - 1) return;
  v[j] = 1;
  p[j] = 0;
  q[j] = 1;
  for (int i = 1; i < n - 1; ++i) {
    p[i * n + j] = 1 / (4 - p[(i - 1) * n + j]);
    q[i * n + j] =
        (u[i * n + j - 1] + u[i * n + j] + u[i * n + j + 1] + q[(i - 1) * n + j]) * p[i * n + j];
  }
  v[(n - 1) * n + j] = 1;
  for (int i = n - 2; i >= 1; --i) v[i * n + j] = p[i * n + j] * v[(i + 1) * n + j] + q[i * n + j];
}

// y = A x on a rectangular matrix.
__global__ void mvt(const float* A, const float* x, float* y, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = 0;
  for (int j = 0; j < columns; ++j) sum += A[i * columns + j] * x[j];
  y[i] = sum;
}

__host__ __device__ static float normal_cdf(float d) { return 0.5f * erfcf(-d * 0.70710678f); }

__global__ void black_scholes(float* call, float* put, const float* price, const float* strike,
                              const float* years, float rate, float volatility, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float s = price[i], x = strike[i], t = years[i];
  const float root = volatility * sqrtf(t);
  const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / root;
  const float d2 = d1 - root;
  const float discounted = x * expf(-rate * t);
  call[i] = s * normal_cdf(d1) - discounted * normal_cdf(d2);
  put[i] = discounted * normal_cdf(-d2) - s * normal_cdf(-d1);
}

static void test_floyd(Random& random, int n, dim3 block) {
  auto d = random.integers<int>(size_t(n) * n, 1, 1000);
  for (int i = 0; i < n; ++i) d[i * n + i] = 0;
  Array<int> d_d(d);
  for (int k = 0; k < n; ++k) floyd<<<blocks(n, n, block), block>>>(d_d.data(), n, k);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  equal("floyd", d_d.get(), d);
}

static void test_heat2d(Random& random, int nx, int ny, dim3 block) {
  auto a = small<float>(random, size_t(nx) * ny, 0, 64);
  auto b = a;
  Array<float> d_a(a), d_b(b);
  float *from = d_a.data(), *to = d_b.data();
  for (int step = 0; step < 2; ++step) {
    heat2d<<<blocks(nx, ny, block), block>>>(from, to, nx, ny, 0.125f);
    std::swap(from, to);
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const float* c = &a[y * nx + x];
        b[y * nx + x] = *c + 0.125f * (c[-nx] + c[nx] + c[-1] + c[1] - 4 * *c);
      }
    std::swap(a, b);
  }
  equal("heat2d", d_a.get(), a);
  equal("heat2d, other", d_b.get(), b);
}

static void test_fdtd2d(Random& random, int nx, int ny, dim3 block) {
  auto ex = small<float>(random, size_t(nx) * (ny + 1));
  auto ey = small<float>(random, size_t(nx + 1) * ny);
  auto hz = small<float>(random, size_t(nx) * ny);
  Array<float> d_ex(ex), d_ey(ey), d_hz(hz);
  for (int step = 0; step < 2; ++step) {
    fdtd2d_e<<<blocks(ny, nx, block), block>>>(d_ex.data(), d_ey.data(), d_hz.data(), nx, ny);
    fdtd2d_h<<<blocks(ny, nx, block), block>>>(d_ex.data(), d_ey.data(), d_hz.data(), nx, ny);
    for (int i = 0; i < nx; ++i)
      for (int j = 1; j < ny; ++j)
        ex[i * (ny + 1) + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
    for (int i = 1; i < nx; ++i)
      for (int j = 0; j < ny; ++j) ey[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        hz[i * ny + j] -= 0.25f * (ex[i * (ny + 1) + j + 1] - ex[i * (ny + 1) + j] +
                                   ey[(i + 1) * ny + j] - ey[i * ny + j]);
  }
  equal("fdtd2d ex", d_ex.get(), ex);
  equal("fdtd2d ey", d_ey.get(), ey);
  equal("fdtd2d hz", d_hz.get(), hz);
}

static void test_heat3d(Random& random, int nx, int ny, int nz, dim3 block) {
  const auto a = small<float>(random, size_t(nx) * ny * nz, 0, 64);
  auto b = poisoned<float>(a.size());
  Array<float> d_a(a), d_b(a.size());
  heat3d<<<blocks(nx, ny, nz, block), block>>>(d_a.data(), d_b.data(), nx, ny, nz);
  const auto at = [&](int z, int y, int x) { return a[(size_t(z) * ny + y) * nx + x]; };
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x)
        b[(size_t(z) * ny + y) * nx + x] =
            at(z, y, x) / 2 + (at(z, y, x - 1) + at(z, y, x + 1) + at(z, y - 1, x) +
                               at(z, y + 1, x) + at(z - 1, y, x) + at(z + 1, y, x)) /
                                  16;
  equal("heat3d", d_b.get(), b);
}

static void test_lu(Random& random, int n, dim3 block) {
  auto a = random.reals<float>(size_t(n) * n, -1, 1);
  for (int i = 0; i < n; ++i) a[i * n + i] += 2 * n;
  Array<float> d_a(a);
  vector<double> want(a.begin(), a.end());
  for (int k = 0; k < n - 1; ++k) {
    const int left = n - k - 1;
    lu_column<<<blocks(left, 16), 16>>>(d_a.data(), n, k);
    lu_update<<<blocks(left, left, block), block>>>(d_a.data(), n, k);
    for (int i = k + 1; i < n; ++i) want[i * n + k] /= want[k * n + k];
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) want[i * n + j] -= want[i * n + k] * want[k * n + j];
  }
  near("lu", d_a.get(), vector<float>(want.begin(), want.end()), 1e-5);
}

static void test_adi(Random& random, int n, unsigned block) {
  auto u = random.reals<float>(size_t(n) * n, 0, 1), v = u;
  auto p = poisoned<float>(u.size()), q = p;
  Array<float> d_u(u), d_v(v), d_p(p), d_q(q);
  // One direction on the host: `along` is the step of the sweep, `across` that of the systems.
  const auto sweep = [&](const vector<float>& from, vector<float>& to, int along, int across) {
    for (int s = 1; s < n - 1; ++s) {
      const int base = s * across;
      to[base] = 1, p[base] = 0, q[base] = 1;
      for (int c = base + along; c < base + (n - 1) * along; c += along) {
        p[c] = 1 / (4 - p[c - along]);
        q[c] = (from[c - across] + from[c] + from[c + across] + q[c - along]) * p[c];
      }
      to[base + (n - 1) * along] = 1;
      for (int j = n - 2; j >= 1; --j) {
        const int c = base + j * along;
        to[c] = p[c] * to[c + along] + q[c];
      }
    }
  };
  for (int step = 0; step < 2; ++step) {
    adi_columns<<<blocks(n - 2, block), block>>>(d_u.data(), d_v.data(), d_p.data(), d_q.data(), n);
    adi_rows<<<blocks(n - 2, block), block>>>(d_v.data(), d_u.data(), d_p.data(), d_q.data(), n);
    sweep(u, v, n, 1);
    sweep(v, u, 1, n);
  }
  near("adi u", d_u.get(), u, 1e-4);
  near("adi v", d_v.get(), v, 1e-4);
}

static void test_mvt(Random& random, int rows, int columns, unsigned block) {
  const auto a = small<float>(random, size_t(rows) * columns), x = small<float>(random, columns);
  vector<float> y(rows);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) y[i] += a[i * columns + j] * x[j];
  Array<float> d_a(a), d_x(x), d_y(rows);
  mvt<<<blocks(rows, block), block>>>(d_a.data(), d_x.data(), d_y.data(), rows, columns);
  equal("mvt", d_y.get(), y);
}

static void test_black_scholes(Random& random, int n, unsigned block) {
  const auto price = random.reals<float>(n, 5, 30), strike = random.reals<float>(n, 1, 100),
             years = random.reals<float>(n, 0.25, 10);
  Array<float> d_price(price), d_strike(strike), d_years(years), d_call(n), d_put(n);
  black_scholes<<<blocks(n, block), block>>>(d_call.data(), d_put.data(), d_price.data(),
                                             d_strike.data(), d_years.data(), 0.02f, 0.3f, n);
  vector<float> call(n), put(n);
  for (int i = 0; i < n; ++i) {
    const double s = price[i], x = strike[i], t = years[i], r = 0.02f, v = 0.3f;
    const double d1 = (std::log(s / x) + (r + v * v / 2) * t) / (v * std::sqrt(t));
    const double d2 = d1 - v * std::sqrt(t);
    const auto cdf = [](double d) { return std::erfc(-d / std::sqrt(2.0)) / 2; };
    call[i] = s * cdf(d1) - x * std::exp(-r * t) * cdf(d2);
    put[i] = x * std::exp(-r * t) * cdf(-d2) - s * cdf(-d1);
  }
  near("black_scholes call", d_call.get(), call, 1e-4);
  near("black_scholes put", d_put.get(), put, 1e-4);
}

int main() {
  Random random(2);
  test_floyd(random, 1, dim3(4, 4));
  test_floyd(random, 29, dim3(8, 5));
  test_heat2d(random, 41, 23, dim3(16, 4));
  test_heat2d(random, 2, 7, dim3(3, 3));
  test_fdtd2d(random, 31, 19, dim3(7, 8));
  test_fdtd2d(random, 1, 1, dim3(4, 4));
  test_heat3d(random, 13, 11, 7, dim3(8, 4, 2));
  test_heat3d(random, 3, 3, 3, dim3(3, 1, 1));
  test_lu(random, 31, dim3(8, 4));
  test_lu(random, 2, dim3(8, 4));
  test_adi(random, 37, 16);
  test_adi(random, 3, 16);
  test_mvt(random, 101, 67, 32);
  test_mvt(random, 1, 1, 64);
  test_black_scholes(random, 257, 64);
  return check::finish();
}
