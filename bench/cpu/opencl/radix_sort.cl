// Radix sort by four bits at a time: counts of groups, their offsets, and each key to its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define CHUNK (THREADS * ITEMS)
#define DIGITS 16

__kernel void count(__global const unsigned* keys, __global int* counts, int shift) {
  __local int s[DIGITS];
  int t = get_local_id(0), group = get_group_id(0);
  if (t < DIGITS) s[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = t; i < CHUNK; i += THREADS)
    atomic_inc(&s[keys[group * CHUNK + i] >> shift & (DIGITS - 1)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < DIGITS) counts[t * get_num_groups(0) + group] = s[t];
}

// The sum of `mine` over all earlier items of the group.
int sum_before(__local int* s, int mine) {
  int t = get_local_id(0);
  s[t] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < THREADS; d *= 2) {
    int before = t >= d ? s[t - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[t] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return s[t] - mine;
}

// In place: the sum of all earlier counts. One group.
__kernel void offsets(__global int* counts, int n) {
  __local int s[THREADS];
  int part = n / THREADS, first = get_local_id(0) * part, sum = 0;
  for (int i = first; i < first + part; ++i) sum += counts[i];
  sum = sum_before(s, sum);
  for (int i = first; i < first + part; ++i) {
    int one = counts[i];
    counts[i] = sum;
    sum += one;
  }
}

// Items have ITEMS keys in a row each; equal digits keep their order.
__kernel void scatter(__global const unsigned* keys, __global const int* offsets,
                      __global unsigned* out, int shift) {
  __local int ranks[DIGITS * THREADS], s[THREADS], start[DIGITS];
  int t = get_local_id(0), group = get_group_id(0);
  unsigned mine[ITEMS];
  for (int d = 0; d < DIGITS; ++d) ranks[d * THREADS + t] = 0;
  for (int i = 0; i < ITEMS; ++i) {
    mine[i] = keys[group * CHUNK + t * ITEMS + i];
    ++ranks[(mine[i] >> shift & (DIGITS - 1)) * THREADS + t];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;  // of DIGITS neighbours, then of all before them
  for (int i = 0; i < DIGITS; ++i) sum += ranks[t * DIGITS + i];
  sum = sum_before(s, sum);
  for (int i = 0; i < DIGITS; ++i) {
    int one = ranks[t * DIGITS + i];
    ranks[t * DIGITS + i] = sum;
    sum += one;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < DIGITS) start[t] = offsets[t * get_num_groups(0) + group] - ranks[t * THREADS];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < ITEMS; ++i) {
    int digit = mine[i] >> shift & (DIGITS - 1);
    out[start[digit] + ranks[digit * THREADS + t]++] = mine[i];
  }
}
