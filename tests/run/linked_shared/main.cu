// A call through a pointer may lead to device functions whose address is taken, never to kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

__device__ int plain(int i) { return i; }

__global__ void choose(int* out, int which) {
  __shared__ int own[1000];
  int (*const of[2])(int) = {plain, tripled};
  own[threadIdx.x] = of[(which + threadIdx.x) % 2](threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];
}

template <class Files>
static void test_part(const char* name, int part, Files files) {
  const int n = 8999;
  check::Array<int> a(n);
  check::Array<float> b(n);
  CHECK_EQ(files(a.data(), b.data(), n), 44000u);
  std::vector<int> want_a(n);
  std::vector<float> want_b(n);
  for (int i = 0; i < n; ++i) {
    want_a[i] = part * 1000 + 10999 - i;
    want_b[i] = float(part * 1000 + 9000 - i);
  }
  check::equal(name, a.get(), want_a);
  check::equal(name, b.get(), want_b);
}

int main() {
  test_part("first", 1, first);
  test_part("second", 2, second);
  const int m = 9973;
  check::Array<int> of_other_file(m);
  squares<<<1, 129>>>(of_other_file.data(), m);
  std::vector<int> square(m);
  for (int i = 0; i < m; ++i) square[m - 1 - i] = i * i;
  check::equal("a kernel of another file", of_other_file.get(), square);
  const int n = 997;
  check::Array<int> out(n);
  choose<<<1, n>>>(out.data(), 1);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[n - 1 - i] = i % 2 ? i : 3 * i;
  check::equal("through pointers", out.get(), want);
  return check::finish();
}
