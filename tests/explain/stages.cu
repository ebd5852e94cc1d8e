// Kernels of which each stage that can be left out has something to say (stages.py).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// staging, joins, small arguments
__global__ void product(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float as[16][16], bs[16][16];
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  unsigned row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (unsigned m = 0; m < n / 16; ++m) {
    as[ty][tx] = a[row * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// distinct arguments
__global__ void row_sums(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < n; ++k) out[i] += in[k * n + i];
}

// the rows that its numbers take for granted
__global__ void mirrored(const int* in, int* out) {
  __shared__ int tile[8][32];
  tile[threadIdx.y][threadIdx.x] =
      in[(blockIdx.y * 8 + threadIdx.y) * 320 + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x;
  out[(blockIdx.y * 8 + threadIdx.y) * 320 + x] = tile[threadIdx.y][31 - threadIdx.x];
}

// the shape of its launches
__global__ void tree(int* a) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  a[t] = s[0];
}

// whole warps; threads numbered through
template <int k>
__global__ void lane_sums(int* a, const int* b) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  int v = b[t] + k;
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  a[t] = v;
}

// computed once per launch
__global__ void discount(float* a, float rate, float years, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= expf(-rate * years);
}

// cut at its barriers
__global__ void some_wait(int* a, const int* often) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = a[t];
  for (int k = 0; k < often[t]; ++k) {
    __syncthreads();
    s[t] += s[255 - t];
    if (s[t] > 1000) __syncthreads();
  }
  a[t] = s[t];
}

// threads one by one
__global__ void sorts(int* a, int n) {
  int own[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; ++k) own[k] = a[i * 64 + k];
  for (int k = 0; k < n; ++k) {
    const int at = own[k & 63] & 63;
    own[at] += own[(at * 7 + k) & 63];
  }
  for (int k = 0; k < 64; ++k) a[i * 64 + k] = own[k];
}

// sums in an array of its own
__global__ void tile_sums(const float* a, const float* b, float* c, int n) {
  __shared__ float as[32][8], bs[8][256];
  const int t = threadIdx.x;
  float sums[8][8] = {};
  for (int m = 0; m < n; m += 8) {
    for (int i = t; i < 256; i += 128) as[i / 8][i % 8] = a[i / 8 * n + m + i % 8];
    for (int i = t; i < 2048; i += 128) bs[i / 256][i % 256] = b[(m + i / 256) * 256 + i % 256];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i][j] += as[t / 32 * 8 + i][k] * bs[k][t % 32 * 8 + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) c[(t / 32 * 8 + i) * 256 + t % 32 * 8 + j] = sums[i][j];
}

void launches(int* a) {
  tree<<<9, 64>>>(a);
  lane_sums<0><<<3, dim3(4, 16)>>>(a, a);
  lane_sums<1><<<3, dim3(4, 16)>>>(a, a);
  lane_sums<1><<<3, dim3(8, 12)>>>(a, a);
  lane_sums<2><<<3, 96>>>(a, a);
}

// grid-rounds
__global__ void scale(float* a, float by, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    a[i] *= by;
}
