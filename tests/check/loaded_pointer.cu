// A list whose last element was freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: loaded_pointer\.cu:20:\d+: error: kernel 'sum\(Node const\*, int\*\)', block \[0,0,0\], thread \[0,0,0\]: read of 4 bytes at 0x[0-9a-f]+, 0 bytes inside the 16 bytes at 0x[0-9a-f]+, which were freed$
// EXPECT: loaded_pointer\.cu:28: note: the 16 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: loaded_pointer\.cu:32: note: and freed by cudaFree, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


struct Node {
  int value;
  Node* next;
};

__global__ void sum(const Node* first, int* out) {
  int total = 0;
  for (const Node* node = first; node; node = node->next)
    total += node->value;
  *out = total;
}

int main() {
  Node *first = nullptr, *second = nullptr;
  int* out = nullptr;
  cudaMalloc(&first, sizeof(Node));
  cudaMalloc(&second, sizeof(Node));
  cudaMalloc(&out, sizeof(int));
  const Node node{1, second};
  cudaMemcpy(first, &node, sizeof node, cudaMemcpyHostToDevice);
  cudaFree(second);
  sum<<<1, 1>>>(first, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
