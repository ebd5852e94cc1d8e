// Several streams with dependencies: events, host functions that look at results, copies whose
// source is overwritten at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

#include <chrono>
#include <thread>

using namespace devices;

constexpr int n = 20011;

__global__ void scale(int* a, int count, int factor) {
  const int i = global_x();
  if (i < count) a[i] = a[i] * factor % 10007;
}
__global__ void add_reversed(int* a, const int* b, int count) {
  const int i = global_x();
  if (i < count) a[i] = (a[i] + b[count - 1 - i]) % 10007;
}

struct Stream {
  explicit Stream(unsigned flags = cudaStreamDefault) {
    CUDA_OK(cudaStreamCreateWithFlags(&handle, flags));
    CUDA_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  ~Stream() {
    cudaEventDestroy(event);
    cudaStreamDestroy(handle);
  }
  void after(const Stream& other) {
    CUDA_OK(cudaEventRecord(other.event, other.handle));
    CUDA_OK(cudaStreamWaitEvent(handle, other.event, 0));
  }
  cudaStream_t handle;
  cudaEvent_t event;
};

struct Look {
  const int* pinned;
  long long sum;
};
void look(void* data) {
  auto* const seen = static_cast<Look*>(data);
  seen->sum = std::accumulate(seen->pinned, seen->pinned + n, 0ll);
}

void host_scale(vector<int>& a, int factor) {
  for (int& value : a) value = value * factor % 10007;
}
void host_add(vector<int>& a, const vector<int>& b) {
  for (int i = 0; i < n; ++i) a[i] = (a[i] + b[n - 1 - i]) % 10007;
}

int main() {
  Random random(27);
  vector<int> a = random.integers<int>(n, 0, 10006), b = random.integers<int>(n, 0, 10006);
  Array<int> da(a), db(b);
  Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  int* pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, n * sizeof(int)));
  const auto grid = blocks(n, 64);
  for (int turn = 0; turn < 6; ++turn) {
    scale<<<grid, 64, 0, first.handle>>>(da.data(), n, 3 + turn);
    scale<<<grid, 64, 0, second.handle>>>(db.data(), n, 5);
    host_scale(a, 3 + turn), host_scale(b, 5);
    second.after(first);
    add_reversed<<<grid, 64, 0, second.handle>>>(db.data(), da.data(), n);
    host_add(b, a);
    first.after(second);
    add_reversed<<<grid, 64, 0, first.handle>>>(da.data(), db.data(), n);
    host_add(a, b);
    // The result of the middle of the work, seen by a host function in its place.
    Look seen{pinned, 0};
    CUDA_OK(
        cudaMemcpyAsync(pinned, da.data(), n * sizeof(int), cudaMemcpyDeviceToHost, first.handle));
    CUDA_OK(cudaLaunchHostFunc(first.handle, look, &seen));
    scale<<<grid, 64, 0, first.handle>>>(da.data(), n, 7);
    const long long sum = std::accumulate(a.begin(), a.end(), 0ll);
    host_scale(a, 7);
    CUDA_OK(cudaStreamSynchronize(first.handle));
    CHECK_EQ(seen.sum, sum);
    second.after(first);
  }
  CUDA_OK(cudaDeviceSynchronize());
  result("a", da, a);
  result("b", db, b);

  // Pageable memory may be changed as soon as the call returns; so may page-locked memory once the
  // copy has passed.
  vector<int> source = random.integers<int>(n, 0, 99);
  for (int turn = 0; turn < 20; ++turn) {
    scale<<<grid, 64, 0, first.handle>>>(da.data(), n, 3);
    CUDA_OK(cudaMemcpyAsync(da.data() + turn, source.data(), 1009 * sizeof(int),
                            cudaMemcpyHostToDevice, first.handle));
    host_scale(a, 3);
    std::copy_n(source.begin(), 1009, a.begin() + turn);
    for (int& value : source) value = static_cast<int>(random.integer(0, 99));
  }
  CUDA_OK(cudaStreamSynchronize(first.handle));
  result("pageable", da, a);
  for (int turn = 0; turn < 5; ++turn) {
    for (int i = 0; i < n; ++i) pinned[i] = static_cast<int>(random.integer(0, 99));
    CUDA_OK(
        cudaMemcpyAsync(db.data(), pinned, n * sizeof(int), cudaMemcpyHostToDevice, second.handle));
    CUDA_OK(cudaEventRecord(second.event, second.handle));
    b.assign(pinned, pinned + n);
    add_reversed<<<grid, 64, 0, second.handle>>>(db.data(), da.data(), n);
    host_add(b, a);
    CUDA_OK(cudaEventSynchronize(second.event));
    std::fill_n(pinned, n, -1);
  }
  result("page-locked", db, b);

  // Both directions with one page-locked buffer: each copy waits for the one before.
  for (int turn = 0; turn < 8; ++turn) {
    CUDA_OK(cudaMemcpyAsync(pinned, da.data(), n * sizeof(int), cudaMemcpyDefault, first.handle));
    CUDA_OK(cudaMemcpyAsync(db.data(), pinned, n * sizeof(int), cudaMemcpyDefault, first.handle));
    add_reversed<<<grid, 64, 0, first.handle>>>(da.data(), db.data(), n);
    b = a;
    host_add(a, b);
  }
  CUDA_OK(cudaStreamSynchronize(first.handle));
  result("to and fro", da, a);
  result("to and fro", db, b);

  // The legacy default stream waits for blocking streams, and they for it.
  {
    Stream blocking;
    scale<<<grid, 64, 0, blocking.handle>>>(da.data(), n, 3);
    add_reversed<<<grid, 64>>>(db.data(), da.data(), n);
    scale<<<grid, 64, 0, blocking.handle>>>(db.data(), n, 2);
    host_scale(a, 3), host_add(b, a), host_scale(b, 2);
    result("legacy", db, b);
  }
  cudaEvent_t start, stop;
  CUDA_OK(cudaEventCreate(&start));
  CUDA_OK(cudaEventCreate(&stop));
  CUDA_OK(cudaEventRecord(start));
  scale<<<grid, 64>>>(da.data(), n, 1);
  CUDA_OK(cudaEventRecord(stop));
  CUDA_OK(cudaEventSynchronize(stop));
  CHECK(cudaEventQuery(start) == cudaSuccess);
  // What was reached once stays reached, however much follows.
  for (int i = 0; i < 6000; ++i) scale<<<1, 1>>>(da.data(), 1, 1);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess);
  CHECK(milliseconds >= 0);
  // Between the events the host sleeps: that shows in their times, on every device.
  CUDA_OK(cudaEventRecord(start));
  CUDA_OK(cudaLaunchHostFunc(
      nullptr, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }, nullptr));
  CUDA_OK(cudaEventRecord(stop));
  CUDA_OK(cudaEventSynchronize(stop));
  CUDA_OK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 29);
  result("at the end", da, a);
  CUDA_OK(cudaEventDestroy(start));
  CUDA_OK(cudaEventDestroy(stop));
  CUDA_OK(cudaFreeHost(pinned));
  return finish();
}
