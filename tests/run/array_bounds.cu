// Arrays whose bounds are constants of a class that an object's name leads to, as P2280 allows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | array bounds that are enumerators or static constants of a class, named through references and pointers
#include "check.h"

struct Bins {
  enum { number = 8 };
  static constexpr int rows = 4;
  static const int more = 3;
  int kept;
  int value[number];
};

template <class Of>
__device__ int twice_backwards(Of& bins) {
  int twice[bins.number * 2 + 1];
  for (int i = 0; i < bins.number; ++i) twice[i] = bins.value[i] * 2;
  int sum = 0;
  for (int i = 0; i < bins.number; ++i) sum = sum * 3 + twice[bins.number - 1 - i];
  return sum + static_cast<int>(sizeof(twice) / sizeof(int));
}

__global__ void through_names(Bins* given, int* out) {
  Bins& bins = *given;
  int local[bins.number][given->rows + bins.more];
  for (int i = 0; i < bins.number; ++i)
    for (int j = 0; j < 7; ++j) local[i][j] = bins.value[(i + j) % bins.number] + bins.kept;
  unsigned sum = 0;
  for (int i = 0; i < bins.number; ++i)
    for (int j = 0; j < 7; ++j) sum = sum * 5 + static_cast<unsigned>(local[i][j]);
  out[0] = static_cast<int>(sum);
  out[1] = static_cast<int>(sizeof(local) / sizeof(int));
  out[2] = twice_backwards(bins);
}

int main() {
  Bins* bins;
  int* out;
  CUDA_OK(cudaMallocManaged(&bins, sizeof(Bins)));
  CUDA_OK(cudaMallocManaged(&out, 3 * sizeof(int)));
  bins->kept = 17;
  for (int i = 0; i < 8; ++i) bins->value[i] = i * i + 1;
  for (int i = 0; i < 3; ++i) out[i] = -1;
  through_names<<<1, 1>>>(bins, out);
  CUDA_OK(cudaDeviceSynchronize());
  unsigned all = 0, backwards = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 7; ++j)
      all = all * 5 + static_cast<unsigned>(bins->value[(i + j) % 8] + 17);
  for (int i = 0; i < 8; ++i)
    backwards = backwards * 3 + static_cast<unsigned>(bins->value[7 - i]) * 2;
  CHECK_EQ(out[0], static_cast<int>(all));
  CHECK_EQ(out[1], 8 * 7);
  CHECK_EQ(out[2], static_cast<int>(backwards) + 17);
  CUDA_OK(cudaFree(bins));
  CUDA_OK(cudaFree(out));
  return check::finish();
}
