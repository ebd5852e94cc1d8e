// Where lanes of a warp are kept in step is told; code that has its barriers has no such place.
// RUN: %gridcc -O1 -c %s -o %t.o && %gridspan explain %t.o > %t.txt
// RUN: FileCheck %s --input-file %t.txt
// RUN: FileCheck %s --input-file %t.txt --check-prefix NONE
// RUN: %gridspan explain --json %t.o | FileCheck %s --check-prefix JSON

// JSON: "steps": [
// JSON-NEXT: steps.cu:21: reads elements that other lanes write at {{.*}}steps.cu:21"

// CHECK-LABEL: warp_tail(int* out, const int* in)
// CHECK: a race without __syncwarp(), lanes of a warp are kept in step: {{.*}}steps.cu:21: reads elements that other lanes write at {{.*}}steps.cu:21
// CHECK-NOT: kept in step
// CHECK: parameters
template <int o>
__device__ void fold(int* s) {
  const int t = threadIdx.x;
  if constexpr (o > 0) {
    if (o >= 16) __syncthreads();
    if (t < o) {
      // The first eight lanes read what the next eight have made of theirs.
      s[t] = s[t] + s[t + o];
      fold<o / 2>(s);
    }
  }
}
__global__ void warp_tail(int* out, const int* in) {
  __shared__ int s[64];
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  fold<32>(s);
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

// CHECK-LABEL: neighbour(int* out, const int* in, int n)
// CHECK: kept in step: {{.*}}steps.cu:[[@LINE+6]]: overwrites elements that other lanes read at {{.*}}steps.cu:[[@LINE+7]]
// CHECK: kept in step: {{.*}}steps.cu:[[@LINE+6]]: reads elements that other lanes write at {{.*}}steps.cu:[[@LINE+5]]
__global__ void neighbour(int* out, const int* in, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    s[t] = in[i * blockDim.x + t];
    out[i * blockDim.x + t] = s[(t & ~31) + (t + 3) % 32];
  }
}

// Global memory counts if it is volatile, also where nobody knows whether lanes mean the same bytes. No fibers.
// CHECK-LABEL: volatile_tail(int* data)
// CHECK-NOT: fibers
// CHECK: kept in step: {{.*}}steps.cu:[[@LINE+7]]: reads elements that other lanes write at {{.*}}steps.cu:[[@LINE+6]]
// CHECK-NOT: kept in step
// CHECK: 1 parameter
__global__ void volatile_tail(int* data) {
  volatile int* s = data + blockIdx.x * 64;
  const int t = threadIdx.x;
  if (t < 32) s[t] = s[t] + s[t + 32];
  if (t < 16) s[t] = s[t] + s[t + 16];
}
// CHECK-LABEL: scattered(int volatile* table, const int* places, int* out)
// CHECK-NOT: fibers
// CHECK: kept in step: {{.*}}steps.cu:[[@LINE+4]]: may read elements that other lanes write at {{.*}}steps.cu:[[@LINE+3]]
__global__ void scattered(volatile int* table, const int* places, int* out) {
  const int place = places[threadIdx.x];
  table[place] = threadIdx.x;
  out[threadIdx.x] = table[place] == threadIdx.x;
}

// A launch may give both the same array.
// CHECK-LABEL: watched(int const volatile* stop, int* out, int n)
// CHECK-NOT: fibers
// CHECK: kept in step: {{.*}}steps.cu:[[@LINE+3]]: may overwrite elements that other lanes read at {{.*}}steps.cu:[[@LINE+3]]
__global__ void watched(const volatile int* stop, int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (*stop == 0) out[i] = i;
}

// A flag of somebody else's.
// NONE-LABEL: watched_flag(
// NONE-NOT: kept in step
// NONE-NOT: fibers
__global__ void watched_flag(const volatile int* stop, int* __restrict__ out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (*stop == 0) out[i] = i;
}

// NONE-LABEL: tree(int* out, const int* in)
// NONE-NOT: kept in step
__global__ void tree(int* out, const int* in) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  for (unsigned o = blockDim.x / 2; o > 0; o >>= 1) {
    __syncthreads();
    if (t < o) s[t] += s[t + o];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// The last steps of one warp, as they are written today.
__global__ void with_syncwarp(int* out, const int* in) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    for (int o = 16; o > 0; o /= 2) {
      __syncwarp();
      s[t] = v;
      __syncwarp();
      v += s[t ^ o];
    }
    if (t == 0) out[blockIdx.x] = v;
  }
}

// Two halves of shared memory in turns: one barrier is enough.
__global__ void in_turns(int* out, const int* in) {
  __shared__ int s[2][256];
  const int t = threadIdx.x;
  int side = 0;
  s[side][t] = in[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    s[1 - side][t] = s[side][t] + (t >= d ? s[side][t - d] : 0);
    side = 1 - side;
    __syncthreads();
  }
  out[t] = s[side][t];
}

// Each pair is one thread's.
__global__ void bitonic(int* out, const int* in) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int other = t ^ j;
      if (other > t && ((s[t] > s[other]) == ((t & k) == 0))) {
        const int x = s[t];
        s[t] = s[other];
        s[other] = x;
      }
      __syncthreads();
    }
  out[t] = s[t];
}

// A tile and its halo; the warps of a row share it.
__global__ void stencil(float* out, const float* in, int n) {
  __shared__ float s[18][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 16 + ty;
  for (int i = 0; i < 3; ++i) {
    s[ty + 1][tx + 1] = in[y * n + x];
    if (tx == 0) s[ty + 1][0] = in[y * n + x - 1];
    if (tx == 31) s[ty + 1][33] = in[y * n + x + 1];
    if (ty == 0) s[0][tx + 1] = in[(y - 1) * n + x];
    if (ty == 15) s[17][tx + 1] = in[(y + 1) * n + x];
    __syncthreads();
    out[y * n + x] = s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2];
    __syncthreads();
  }
}

// What each lane keeps for itself.
__global__ void own_columns(int* out, const int* in, int n) {
  __shared__ int s[16][64];
  const int t = threadIdx.x;
  for (int i = 0; i < 16; ++i) s[i][t] = 0;
  for (int i = 0; i < n; ++i) ++s[in[i * 64 + t] & 15][t];
  for (int i = 0; i < 16; ++i) out[i * 64 + t] = s[i][t];
}

// What was read is tried, and read again if somebody else came first.
__global__ void maximum(int* out, const int* in) {
  __shared__ int most;
  if (threadIdx.x == 0) most = -1;
  __syncthreads();
  const int mine = in[threadIdx.x];
  int old = most;
  while (old < mine) {
    const int seen = atomicCAS(&most, old, mine);
    if (seen == old) break;
    old = seen;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = most;
}

// A loop of one round.
__device__ void copy(int* to, const int* from, unsigned words) {
  for (unsigned i = 0; i < words; ++i) to[i] = from[i];
}
__global__ void strided(int* out, const int* in, int n) {
  __shared__ int s[256];
  for (int i = threadIdx.x; i < n; i += blockDim.x) copy(&s[i], &in[i], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[i ^ 1];
}

// Of blocks with two dimensions, of any size: rows are further apart than a warp's lanes.
__global__ void transpose(float* out, const float* in, int n) {
  __shared__ float s[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  for (int j = 0; j < 16; j += blockDim.y) s[ty + j][tx] = in[(y + j) * n + x];
  __syncthreads();
  for (int j = 0; j < 16; j += blockDim.y) out[(x + j) * n + y] = s[tx][ty + j];
}

int main() {
  warp_tail<<<1, 64>>>(nullptr, nullptr);
  in_turns<<<1, 256>>>(nullptr, nullptr);
  bitonic<<<1, 256>>>(nullptr, nullptr);
  stencil<<<1, dim3(32, 16)>>>(nullptr, nullptr, 0);
}
