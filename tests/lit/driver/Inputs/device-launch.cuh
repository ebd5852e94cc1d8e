#pragma once
__global__ void fill(int* out, int first) { out[threadIdx.x] = first + threadIdx.x; }
template <class T>
__device__ void fill_from_header(T* out, T first) {
  fill<<<1, 4>>>(out, first);
}
