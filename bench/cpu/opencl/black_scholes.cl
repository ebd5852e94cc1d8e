// Prices of options: functions of one number after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define INTEREST 0.02f
#define VOLATILITY 0.3f

float normal(float d) { return 0.5f * erfc(-0.70710678f * d); }

__kernel void price(__global const float* spot, __global const float* strike,
                    __global const float* years, __global float* call, __global float* put,
                    int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = spot[i], x = strike[i], t = years[i];
  float spread = VOLATILITY * sqrt(t);
  float d1 = (log(s / x) + (INTEREST + 0.5f * VOLATILITY * VOLATILITY) * t) / spread;
  float d2 = d1 - spread;
  float discounted = x * exp(-INTEREST * t);
  call[i] = s * normal(d1) - discounted * normal(d2);
  put[i] = discounted * normal(-d2) - s * normal(-d1);
}
