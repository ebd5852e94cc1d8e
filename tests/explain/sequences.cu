// Sequences of which tests/explain/sequences.py knows what `gridspan explain` must say: the eleven
// of Filipovic et al., and such as must not become one kernel. SPDX-License-Identifier: Apache-2.0
// WITH LLVM-exception
#include <cooperative_groups.h>

#include <cstdio>
#include <utility>

#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define ROW (blockIdx.y * blockDim.y + threadIdx.y)

// ---- Vectors of n.
__global__ void copy(float* y, const float* x, int n) {
  if (I < n) y[I] = x[I];
}
__global__ void scale(float* y, float a, int n) {
  if (I < n) y[I] *= a;
}
__global__ void scaled(float* y, const float* x, float a, int n) {
  if (I < n) y[I] = a * x[I];
}
__global__ void axpy(float* y, const float* x, float a, int n) {
  if (I < n) y[I] += a * x[I];
}
__global__ void subtract(float* z, const float* w, const float* v, float a, int n) {
  if (I < n) z[I] = w[I] - a * v[I];
}
__global__ void add(float* z, const float* x, const float* y, int n) {
  if (I < n) z[I] = x[I] + y[I];
}
__global__ void dot(float* parts, const float* x, const float* y, int n) {
  __shared__ float sums[256];
  const int t = threadIdx.x;
  sums[t] = I < n ? x[I] * y[I] : 0;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = sums[0];
}
// ---- Matrices of n x n.
__global__ void copy_matrix(float* c, const float* a, int n) {
  if (I < n && ROW < n) c[ROW * n + I] = a[ROW * n + I];
}
__global__ void add_matrix(float* c, const float* a, const float* b, int n) {
  if (I < n && ROW < n) c[ROW * n + I] = a[ROW * n + I] + b[ROW * n + I];
}
__global__ void add_to_matrix(float* c, const float* a, int n) {
  if (I < n && ROW < n) c[ROW * n + I] += a[ROW * n + I];
}
__global__ void rank_one(float* b, const float* a, const float* u, const float* v, int n) {
  if (I < n && ROW < n) b[ROW * n + I] = a[ROW * n + I] + u[ROW] * v[I];
}
__global__ void rank_two(float* b, const float* a, const float* u, const float* v, const float* p,
                         const float* q, int n) {
  if (I < n && ROW < n) b[ROW * n + I] = a[ROW * n + I] + u[ROW] * v[I] + p[ROW] * q[I];
}
/// y = a A x + b z, a thread for a row; y = a A'x + b z, a thread for a column.
__global__ void rows(float* y, const float* m, const float* x, const float* z, float a, float b,
                     int n) {
  if (I >= n) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += m[I * n + j] * x[j];
  y[I] = a * sum + b * z[I];
}
__global__ void columns(float* y, const float* m, const float* x, const float* z, float a, float b,
                        int n) {
  if (I >= n) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += m[i * n + I] * x[i];
  y[I] = a * sum + b * z[I];
}
/// The same by tiles: each adds what it has of a sum.
__global__ void rows_of_tile(float* y, const float* m, const float* x, int n) {
  if (I < n && ROW < n) atomicAdd(&y[ROW], m[ROW * n + I] * x[I]);
}
__global__ void columns_of_tile(float* y, const float* m, const float* x, int n) {
  if (I < n && ROW < n) atomicAdd(&y[I], m[ROW * n + I] * x[ROW]);
}

#define LINE <<<grid, 256>>>
#define TILES <<<grid, block>>>

void axpydot_library(float* z, const float* w, const float* v, const float* u, float* parts,
                     float a, int n, int grid) {
  copy LINE(z, w, n);
  axpy LINE(z, v, a, n);
  dot LINE(parts, z, u, n);
}
void axpydot_natural(float* z, const float* w, const float* v, const float* u, float* parts,
                     float a, int n, int grid) {
  subtract LINE(z, w, v, a, n);
  dot LINE(parts, z, u, n);
}
void vadd_library(float* x, const float* w, const float* y, const float* z, int n, int grid) {
  copy LINE(x, w, n);
  axpy LINE(x, y, 1, n);
  axpy LINE(x, z, 1, n);
}
void vadd_natural(float* x, float* t, const float* w, const float* y, const float* z, int n,
                  int grid) {
  add LINE(t, w, y, n);
  add LINE(x, t, z, n);
}
void waxpby_seven(float* w, const float* x, const float* y, float a, float b, int n, int grid) {
  copy LINE(w, x, n);
  scale LINE(w, a, n);
  axpy LINE(w, y, b, n);
}
void waxpby_five(float* w, const float* x, const float* y, float a, float b, int n, int grid) {
  scaled LINE(w, x, a, n);
  axpy LINE(w, y, b, n);
}
void sgemvt(float* x, float* w, const float* m, const float* y, const float* z, float a, float b,
            int n, int grid) {
  columns LINE(x, m, y, z, b, 1, n);
  rows LINE(w, m, x, w, a, 0, n);
}
void atax(float* y, float* t, const float* m, const float* x, int n, int grid) {
  rows LINE(t, m, x, t, 1, 0, n);
  columns LINE(y, m, t, y, 1, 0, n);
}
void bicgk_by_rows(float* q, float* s, const float* m, const float* p, const float* r, int n,
                   int grid) {
  rows LINE(q, m, p, q, 1, 0, n);
  columns LINE(s, m, r, s, 1, 0, n);
}
void bicgk_by_tiles(float* q, float* s, const float* m, const float* p, const float* r, int n,
                    dim3 grid, dim3 block) {
  rows_of_tile TILES(q, m, p, n);
  columns_of_tile TILES(s, m, r, n);
}
void gemver_library(float* b, float* x, float* w, const float* a, const float* u, const float* v,
                    const float* p, const float* q, const float* y, int n, dim3 grid, dim3 block) {
  copy_matrix TILES(b, a, n);
  rank_one TILES(b, b, u, v, n);
  rank_one TILES(b, b, p, q, n);
  columns_of_tile TILES(x, b, y, n);
  rows_of_tile TILES(w, b, x, n);
}
void gemver_natural(float* b, float* x, float* w, const float* a, const float* u, const float* v,
                    const float* p, const float* q, const float* y, int n, dim3 grid, dim3 block) {
  rank_two TILES(b, a, u, v, p, q, n);
  columns_of_tile TILES(x, b, y, n);
  rows_of_tile TILES(w, b, x, n);
}
void gesummv(float* y, const float* m, const float* k, const float* x, float a, float b, int n,
             int grid) {
  rows LINE(y, m, x, y, a, 0, n);
  rows LINE(y, k, x, y, b, 1, n);
}
void madd_library(float* c, const float* a, const float* b, int n, dim3 grid, dim3 block) {
  copy_matrix TILES(c, a, n);
  add_to_matrix TILES(c, b, n);
}
// One launch each: nothing to be said.
void sscal(float* x, float a, int n, int grid) { scale LINE(x, a, n); }
void sgemv(float* y, const float* m, const float* x, int n, int grid) {
  rows LINE(y, m, x, y, 1, 1, n);
}
void madd_natural(float* c, const float* a, const float* b, int n, dim3 grid, dim3 block) {
  add_matrix TILES(c, a, b, n);
}

// ---- Such as must stay apart, or are chains only.
__global__ void smooth(float* out, const float* in, int n) {
  if (I > 0 && I < n - 1) out[I] = in[I - 1] + in[I + 1];
}
__global__ void smooth_in_place(float* x, const float* c, int n) {
  if (I < n - 1) x[I] += c[I] - c[I + 1];
}
__global__ void difference(float* c, const float* x, int n) {
  if (I > 0 && I < n) c[I] = x[I] - x[I - 1];
}
__global__ void gather(float* y, const float* x, const int* index, int n) {
  if (I < n) y[I] = x[index[I]];
}
__global__ void positive(float* y, const float* x, int n) {
  if (I < n && x[I] > 0) y[I] = x[I];
}
__global__ void all_but_the_last(float* y, const float* x, int n) {
  if (I < n - 1) y[I] = x[I];
}
__global__ void loud(float* y, int n) {
  if (I < n) y[I] += 1;
  if (I == 0) printf("here\n");
}
__global__ void looks(volatile float* y, int n) {
  if (I < n) y[I] += 1;
}
__global__ void fenced(float* y, int n) {
  if (I < n) y[I] += 1;
  __threadfence();
}
__global__ void numbered(float* y, int* next, int n) {
  if (I < n) y[atomicAdd(next, 1)] += 1;
}
__global__ void sums_of_rows(float* m, int n) {
  if (I >= n) return;
  for (int j = 1; j < n; ++j) m[I * n + j] += m[I * n + j - 1];
}
__global__ void sums_of_columns(float* m, int n) {
  if (I >= n) return;
  for (int i = 1; i < n; ++i) m[i * n + I] += m[(i - 1) * n + I];
}
__global__ void together(float* y, int n) {
  cooperative_groups::this_grid().sync();
  if (I < n) y[I] += 1;
}

void rows_then_columns(float* m, int n, int grid) {
  sums_of_rows LINE(m, n);
  sums_of_columns LINE(m, n);
}
void stencil_then_reader(float* x, float* c, float* z, int n, int grid) {
  smooth_in_place LINE(x, c, n);
  smooth LINE(z, x, n);
}
void srad_like(float* x, float* c, int n, int grid) {
  difference LINE(c, x, n);
  smooth_in_place LINE(x, c, n);
}
void double_buffered(float* a, float* b, int n, int grid) {
  smooth LINE(b, a, n);
  smooth LINE(a, b, n);
}
void steps(float* a, float* b, int n, int grid, int count) {
  for (int i = 0; i < count; ++i) {
    smooth LINE(b, a, n);
    std::swap(a, b);
  }
}
void loaded_subscripts(float* x, float* y, const int* index, int n, int grid) {
  scale LINE(x, 2, n);
  gather LINE(y, x, index, n);
}
void guarded_producer(float* y, const float* x, float* z, int n, int grid) {
  positive LINE(y, x, n);
  copy LINE(z, y, n);
}
void short_producer(float* y, const float* x, float* z, int n, int grid) {
  all_but_the_last LINE(y, x, n);
  copy LINE(z, y, n);
}
void other_size(float* y, const float* x, float* z, int n, int m, int grid) {
  copy LINE(y, x, n);
  copy LINE(z, y, m);
}
void other_grid(float* y, const float* x, float* z, int n, int grid, int other) {
  copy LINE(y, x, n);
  copy<<<other, 256>>>(z, y, n);
}
void prints(float* y, int n, int grid) {
  scale LINE(y, 2, n);
  loud LINE(y, n);
}
void is_volatile(float* y, int n, int grid) {
  scale LINE(y, 2, n);
  looks LINE(y, n);
}
void has_a_fence(float* y, int n, int grid) {
  scale LINE(y, 2, n);
  fenced LINE(y, n);
}
void atomics_with_results(float* y, int* next, int n, int grid) {
  scale LINE(y, 2, n);
  numbered LINE(y, next, n);
}
void cooperative(float* y, int n, int grid) {
  scale LINE(y, 2, n);
  void* arguments[] = {&y, &n};
  cudaLaunchCooperativeKernel(together, dim3(grid), dim3(256), arguments);
}
void two_streams(float* y, int n, int grid, cudaStream_t other) {
  scale LINE(y, 2, n);
  scale<<<grid, 256, 0, other>>>(y, 3, n);
}
void timed(float* y, int n, int grid, cudaEvent_t event) {
  scale LINE(y, 2, n);
  cudaEventRecord(event);
  scale LINE(y, 3, n);
}
void waiting(float* y, int n, int grid) {
  scale LINE(y, 2, n);
  cudaDeviceSynchronize();
  scale LINE(y, 3, n);
}
void read_back(float* y, float* host, int n, int grid) {
  scale LINE(y, 2, n);
  cudaMemcpy(host, y, n * sizeof(float), cudaMemcpyDeviceToHost);
  scale LINE(y, 3, n);
}
