// k-means: the nearest centre of each point, sums by atomics in local memory, new centres.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL 1.2 adds no floats atomically.
void add_local(volatile __local float* to, float value) {
  union {
    unsigned bits;
    float number;
  } old, sum;
  do {
    old.number = *to;
    sum.number = old.number + value;
  } while (atomic_cmpxchg((volatile __local unsigned*)to, old.bits, sum.bits) != old.bits);
}

void add_global(volatile __global float* to, float value) {
  union {
    unsigned bits;
    float number;
  } old, sum;
  do {
    old.number = *to;
    sum.number = old.number + value;
  } while (atomic_cmpxchg((volatile __global unsigned*)to, old.bits, sum.bits) != old.bits);
}

__kernel void assign(__global const float* points, __global const float* centres,
                     __global int* nearest, int count) {
  __local float s[CLUSTERS * FEATURES];
  for (int i = get_local_id(0); i < CLUSTERS * FEATURES; i += get_local_size(0)) s[i] = centres[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int p = get_global_id(0);
  if (p >= count) return;
  float least = 1e30f;
  int best = 0;
  for (int c = 0; c < CLUSTERS; ++c) {
    float distance = 0;
    for (int f = 0; f < FEATURES; ++f) {
      float d = points[f * count + p] - s[c * FEATURES + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  nearest[p] = best;
}

__kernel void add_up(__global const float* points, __global const int* nearest,
                     __global float* sums, __global int* sizes, int count) {
  __local float s[CLUSTERS * FEATURES];
  __local int size[CLUSTERS];
  int t = get_local_id(0), threads = get_local_size(0);
  for (int i = t; i < CLUSTERS * FEATURES; i += threads) s[i] = 0;
  for (int i = t; i < CLUSTERS; i += threads) size[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int p = get_global_id(0); p < count; p += get_global_size(0)) {
    int c = nearest[p];
    atomic_inc(&size[c]);
    for (int f = 0; f < FEATURES; ++f) add_local(&s[c * FEATURES + f], points[f * count + p]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = t; i < CLUSTERS * FEATURES; i += threads) add_global(&sums[i], s[i]);
  for (int i = t; i < CLUSTERS; i += threads) atomic_add(&sizes[i], size[i]);
}

// Also clears the sums for the next time.
__kernel void divide(__global float* centres, __global float* sums, __global int* sizes) {
  int c = get_group_id(0), f = get_local_id(0);
  int size = sizes[c];
  if (size > 0) centres[c * FEATURES + f] = sums[c * FEATURES + f] / size;
  sums[c * FEATURES + f] = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (f == 0) sizes[c] = 0;
}
