// Short rows whose threads run one by one with AVX2 are left to LLVM's vectoriser, which wants to know
// no length: the form is there for AVX-512 only, which scatters.
// RUN: %gridcc -O3 -c %s -o %t.o && llvm-nm %t.o | FileCheck %s

// CHECK-NOT: rows.block.v3
// CHECK: _Z5alignPKiS0_Piii.rows.block.v4
// CHECK-NOT: rows.block.v3
__global__ void align(const int* left, const int* top, int* score, int n, int first) {
  __shared__ int s[33][33], letters[32];
  const int t = threadIdx.x;
  s[0][t + 1] = first + t;
  s[t + 1][0] = first - t;
  letters[t] = left[first + t];
  const int letter = top[first + t];
  __syncthreads();
  for (int step = 0; step < 63; ++step) {
    const int y = step - t;
    if (y >= 0 && y < 32) {
      const int both = s[y][t] + (letters[y] == letter ? 5 : -3);
      s[y + 1][t + 1] = max(both, max(s[y][t + 1], s[y + 1][t]) - 4);
    }
    __syncthreads();
  }
  for (int y = 0; y < 32; ++y) score[y * n + t] = s[y + 1][t + 1];
}

void launch(const int* left, const int* top, int* score) {
  align<<<1, 32>>>(left, top, score, 32, 7);
}
