// RUN: %gridcc -c %s -o %t.o 2>&1 | count 0
// RUN: %gridcc -Rgridspan -Werror -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-DAG: remarks.cu:[[#@LINE+1]]: remark: kernel 'scale(float*, int)' can be split; each part's writes are known exactly
__global__ void scale(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
// CHECK-DAG: remarks.cu:[[#@LINE+1]]: remark: kernel 'follow(int**)' runs on one device; goes through a pointer loaded from memory
__global__ void follow(int** a) { *a[threadIdx.x] = 1; }
