// Kernels that work on memory the host sees: managed, mapped, registered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void add(int* a, const int* b, int n) {
  const int i = global_x();
  if (i < n) a[i] += b[n - 1 - i];
}
__global__ void scatter(const int* to, int* out, int n) {
  const int i = global_x();
  if (i < n) out[to[i]] = i;
}
__global__ void count(const int* a, int n, int* odd) {
  const int i = global_x();
  if (i < n && a[i] % 2 != 0) atomicAdd(odd, 1);
}
/// `a` is seen by the host; `b` lies on the devices.
void work(const char* what, Random& random, int* a, int* a_device, int n) {
  vector<int> want = random.integers<int>(n, -99, 99);
  vector<int> b = random.integers<int>(n, -99, 99);
  std::copy(want.begin(), want.end(), a);
  Array<int> db(b);
  for (int turn = 0; turn < 3; ++turn) {
    add<<<blocks(n, 32), 32>>>(a_device, db.data(), n);
    for (int i = 0; i < n; ++i) want[i] += b[n - 1 - i];
    add<<<blocks(n, 32), 32>>>(db.data(), a_device, n);
    for (int i = 0; i < n; ++i) b[i] += want[n - 1 - i];
    CUDA_OK(cudaDeviceSynchronize());
    result(what, vector<int>(a, a + n), want);
    a[n / 2] = want[n / 2] = turn;  // the host writes between launches
    a[0] += 5, want[0] += 5;
  }
  result(what, db, b);
  // Copies between this memory and the devices', in stream order with kernels.
  CUDA_OK(cudaMemcpyAsync(a_device, db.data(), n * sizeof(int), cudaMemcpyDefault));
  add<<<blocks(n, 32), 32>>>(a_device, db.data(), n);
  CUDA_OK(cudaMemcpyAsync(db.data(), a_device, n * sizeof(int), cudaMemcpyDefault));
  CUDA_OK(cudaMemsetAsync(a_device, 0, sizeof(int)));
  for (int i = 0; i < n; ++i) want[i] = b[i] + b[n - 1 - i];
  result("copied back", db, want);
  want[0] = 0;
  result("and there", vector<int>(a, a + n), want);

  const vector<int> order = permutation(random, n);
  Array<int> to(order);
  scatter<<<blocks(n, 32), 32>>>(to.data(), a_device, n);
  Array<int> odd(vector<int>(1, 0));
  count<<<blocks(n, 32), 32>>>(a_device, n, odd.data());
  for (int i = 0; i < n; ++i) want[order[i]] = i;
  result("odd", odd, vector<int>(1, n / 2));
  result("scattered", vector<int>(a, a + n), want);
}

int main() {
  Random random(26);
  for (const int n : {1, 97, 1009}) {
    int* managed = nullptr;
    CUDA_OK(cudaMallocManaged(&managed, n * sizeof(int)));
    work("managed", random, managed, managed, n);
    CUDA_OK(cudaFree(managed));

    int *mapped = nullptr, *device = nullptr;
    CUDA_OK(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped));
    CUDA_OK(cudaHostGetDevicePointer(&device, mapped, 0));
    work("mapped", random, mapped, device, n);
    CUDA_OK(cudaFreeHost(mapped));

    vector<int> own(n + 7);
    CUDA_OK(cudaHostRegister(own.data() + 3, n * sizeof(int), cudaHostRegisterMapped));
    CUDA_OK(cudaHostGetDevicePointer(&device, own.data() + 3, 0));
    work("registered", random, own.data() + 3, device, n);
    CUDA_OK(cudaHostUnregister(own.data() + 3));
  }
  return finish();
}
