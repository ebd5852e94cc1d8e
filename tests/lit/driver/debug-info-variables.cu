// RUN: %gridcc -g -O1 -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// RUN: %gridcc -g -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// RUN: %gridcc -G -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// Stack variables of kernels that are cut into regions, with debug information: a parameter that is
// walked through, an array, a variable that is live across a barrier.
// CHECK: No errors

struct Sizes {
  int a, b, c, d;
};

__global__ void kernel(const Sizes sizes, int* out) {
  __shared__ int shared[256];
  int at = threadIdx.x;
  const int* size = &sizes.a;
  while (at >= *size) ++size;
  int counts[4] = {at, at + 1, at * 2, 7};
  counts[at & 3] += *size;
  shared[threadIdx.x] = counts[(at + 1) & 3];
  __syncthreads();
  counts[shared[255 - threadIdx.x] & 3] = *size;
  out[threadIdx.x] = counts[at & 3];
}

int main() {}
