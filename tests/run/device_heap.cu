// malloc, free, new and delete in kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device library | malloc and free in kernels, memory shared between threads and kept between launches
// FEATURE: Device library | new and delete of scalars, arrays and classes
#include "check.h"

__global__ void own_array(int* out) {
  const int i = check::global_index(), n = i % 17 + 1;
  int* a = static_cast<int*>(malloc(n * sizeof(int)));
  if (a == nullptr) {
    out[i] = -1;
    return;
  }
  for (int k = 0; k < n; ++k) a[k] = i + k;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k];
  free(a);
  free(nullptr);
  out[i] = sum;
}

// One allocates for the block.
__global__ void block_array(int* out) {
  __shared__ int* cells;
  const int t = check::thread_index(), n = check::thread_count();
  if (t == 0) cells = new int[n];
  __syncthreads();
  cells[t] = t * t;
  __syncthreads();
  out[check::global_index()] = cells[n - 1 - t];
  __syncthreads();
  if (t == n - 1) delete[] cells;
}

struct Node {
  int value;
  Node* next;
  __device__ explicit Node(int v) : value(v), next(nullptr) {}
};

__global__ void build(Node** lists, int length) {
  const int i = check::global_index();
  Node* head = nullptr;
  for (int k = 0; k < length; ++k) {
    Node* node = new Node(i * 10 + k);
    node->next = head;
    head = node;
  }
  lists[i] = head;
}
__global__ void walk_and_free(Node** lists, int* out) {
  const int i = check::global_index();
  int hash = 0;
  for (Node* node = lists[i]; node != nullptr;) {
    Node* next = node->next;
    hash = hash * 3 + node->value % 101;
    delete node;
    node = next;
  }
  out[i] = hash;
}

__device__ int living;
struct Counted {
  double payload[3];
  __device__ Counted() { atomicAdd(&living, 1); }
  __device__ ~Counted() { atomicAdd(&living, -1); }
};
__global__ void counted(int* out) {
  Counted* many = new Counted[check::thread_index() % 4 + 1];
  Counted* one = new Counted;
  one->payload[1] = 2.5;
  many[0].payload[0] = 1.5;
  out[check::global_index()] = static_cast<int>(one->payload[1] + many[0].payload[0]);
  delete one;
  delete[] many;
}

__global__ void aligned(int* out) {
  double* d = static_cast<double*>(malloc(24));
  char* c = static_cast<char*>(malloc(1));
  out[check::global_index()] = static_cast<int>(reinterpret_cast<unsigned long long>(d) % 16 +
                                                reinterpret_cast<unsigned long long>(c) % 16);
  free(c);
  free(d);
}

int main() {
  for (dim3 block : check::few_block_shapes()) {
    const int threads = check::volume(block), blocks = 3, n = threads * blocks;
    check::Array<int> out(n);
    std::vector<int> want(n);
    own_array<<<blocks, block>>>(out.data());
    for (int i = 0; i < n; ++i) {
      const int k = i % 17 + 1;
      want[i] = i * k + k * (k - 1) / 2;
    }
    check::equal(check::name("own_array", block), out.get(), want);
    block_array<<<blocks, block>>>(out.data());
    for (int i = 0; i < n; ++i) want[i] = (threads - 1 - i % threads) * (threads - 1 - i % threads);
    check::equal(check::name("block_array", block), out.get(), want);
    check::Array<Node*> lists(n);
    build<<<blocks, block>>>(lists.data(), 5);
    walk_and_free<<<blocks, block>>>(lists.data(), out.data());
    for (int i = 0; i < n; ++i) {
      want[i] = 0;
      for (int k = 4; k >= 0; --k) want[i] = want[i] * 3 + (i * 10 + k) % 101;
    }
    check::equal(check::name("lists", block), out.get(), want);
    counted<<<blocks, block>>>(out.data());
    check::equal(check::name("counted", block), out.get(), std::vector<int>(n, 4));
    int left = -1;
    CUDA_OK(cudaMemcpyFromSymbol(&left, living, sizeof left));
    CHECK_EQ(left, 0);
    aligned<<<blocks, block>>>(out.data());
    check::equal(check::name("aligned", block), out.get(), std::vector<int>(n, 0));
  }
  return check::finish();
}
