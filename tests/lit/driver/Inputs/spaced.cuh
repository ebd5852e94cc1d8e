#pragma once

// A header with the spelling: k << <1, 1>> >(p)
template <class T>
__global__ void count(T* p) { atomicAdd(p, T(1)); }

inline void launch_from_header(int* p) {
  count<int> << <1, 1 >> > (p);
  count<int><<<dim3(1), 1>> >(p);
}
