// Gravity among all bodies: straight from memory, and with tiles of bodies in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__device__ float3 pull(float4 other, float4 me, float3 sum) {
  float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
  float f = other.w * r * r * r;
  return make_float3(sum.x + f * dx, sum.y + f * dy, sum.z + f * dz);
}

__global__ void nbody(const float4* bodies, float4* force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (int j = 0; j < n; ++j) sum = pull(bodies[j], me, sum);
  force[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

constexpr int tile = 128;

__global__ void nbody_tiled(const float4* bodies, float4* force, int n) {
  __shared__ float4 near[tile];
  int i = blockIdx.x * tile + threadIdx.x;
  float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += tile) {
    int j = first + threadIdx.x;
    near[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum = pull(near[k], me, sum);
    __syncthreads();
  }
  if (i < n) force[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

template <class Kernel>
static void gravity(bench::Run& run, Kernel kernel) {
  const int n = bench::bodies;
  bench::Array<float> bodies(bench::numbers(4 * n, 0, 1)), force(4 * n);
  float *from = bodies, *to = force;
  run.measure([&] {
    kernel<<<bench::blocks(n, tile), tile>>>(reinterpret_cast<float4*>(from),
                                             reinterpret_cast<float4*>(to), n);
    bench::finish();
  });
  force.report(run);
}

CASE(nbody) { gravity(run, nbody); }
CASE(nbody_tiled) { gravity(run, nbody_tiled); }
