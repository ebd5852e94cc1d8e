// Gravity among all bodies: straight from memory, and with tiles of bodies in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
float3 pull(float4 other, float4 me, float3 sum) {
  float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  float r = rsqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
  float f = other.w * r * r * r;
  return (float3)(sum.x + f * dx, sum.y + f * dy, sum.z + f * dz);
}

__kernel void nbody(__global const float4* bodies, __global float4* force, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 me = bodies[i];
  float3 sum = (float3)(0, 0, 0);
  for (int j = 0; j < n; ++j) sum = pull(bodies[j], me, sum);
  force[i] = (float4)(sum, 0);
}

__kernel void nbody_tiled(__global const float4* bodies, __global float4* force, int n) {
  __local float4 near[TILE];
  int i = get_global_id(0), t = get_local_id(0);
  float4 me = i < n ? bodies[i] : (float4)(0, 0, 0, 0);
  float3 sum = (float3)(0, 0, 0);
  for (int first = 0; first < n; first += TILE) {
    near[t] = first + t < n ? bodies[first + t] : (float4)(0, 0, 0, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum = pull(near[k], me, sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) force[i] = (float4)(sum, 0);
}
