// Device code that takes a while: gridcc keeps that of what took longer than some milliseconds only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
template <int tile, class T>
__global__ void product(const T* a, const T* b, T* c, int n) {
  __shared__ T as[tile][tile], bs[tile][tile];
  const int column = blockIdx.x * tile + threadIdx.x, row = blockIdx.y * tile + threadIdx.y;
  T sum = 0;
  for (int m = 0; m < n / tile; ++m) {
    as[threadIdx.y][threadIdx.x] = a[row * n + m * tile + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(m * tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum * FACTOR;
}

int main() {
  float *a = nullptr, *b = nullptr;
  product<8><<<dim3(4, 4), dim3(8, EIGHT)>>>(a, a, b, 32);
  return 0;
}
