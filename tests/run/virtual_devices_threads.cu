// Several CUDA devices, one host thread for each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -std=c++20
// FEATURE: Device management | GRIDSPAN_VIRTUAL_GPUS: a host thread for each device, and cudaSetValidDevices
#include "check.h"

#include <barrier>
#include <mutex>
#include <thread>

constexpr int devices = 4, rows_each = 37, columns = 101, sweeps = 9;

__device__ int launches;

/// The checks count in plain variables.
void check_together(int got, int want) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  CHECK_EQ(got, want);
}

/// One Jacobi sweep over the rows of a device; the rows above and below are halos.
__global__ void sweep(const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y + 1;
  if (x == 1 && y == 1) ++launches;
  if (x >= columns - 1) return;
  const int at = y * columns + x;
  out[at] = 0.25f * (in[at - 1] + in[at + 1] + in[at - columns] + in[at + columns]);
}

std::vector<float> start(int rows) {
  std::vector<float> grid(rows * columns);
  for (int i = 0; i < rows * columns; ++i) grid[i] = static_cast<float>((i * 7919) % 1000) / 8;
  return grid;
}

std::vector<float> reference(int rows) {
  std::vector<float> a = start(rows), b = a;
  for (int s = 0; s < sweeps; ++s) {
    for (int y = 1; y < rows - 1; ++y) {
      for (int x = 1; x < columns - 1; ++x) {
        const int at = y * columns + x;
        b[at] = 0.25f * (a[at - 1] + a[at + 1] + a[at - columns] + a[at + columns]);
      }
    }
    std::swap(a, b);
  }
  return a;
}

/// A thread has a default stream of its own on each device.
void default_streams() {
  std::thread([] {
    std::vector<unsigned long long> ids;
    for (int device = 0; device < devices; ++device) {
      CUDA_OK(cudaSetDevice(device));
      int of = -1;
      unsigned long long id = 0;
      CUDA_OK(cudaStreamGetDevice(cudaStreamPerThread, &of));
      CHECK_EQ(of, device);
      CUDA_OK(cudaStreamGetId(cudaStreamPerThread, &id));
      for (const auto other : ids) CHECK(id != other);
      ids.push_back(id);
      int value = 7 + device, got = -1;
      CUDA_OK(cudaMemcpyToSymbolAsync(launches, &value, sizeof value, 0, cudaMemcpyHostToDevice,
                                      cudaStreamPerThread));
      CUDA_OK(cudaMemcpyFromSymbolAsync(&got, launches, sizeof got, 0, cudaMemcpyDeviceToHost,
                                        cudaStreamPerThread));
      CUDA_OK(cudaStreamSynchronize(cudaStreamPerThread));
      CHECK_EQ(got, value);
    }
  }).join();
}

int main() {
  setenv("GRIDSPAN_VIRTUAL_GPUS", std::to_string(devices).c_str(), 1);
  const int rows = devices * rows_each + 2;
  const std::vector<float> first = start(rows);
  std::vector<float> got = first;
  float* grids[2][devices];
  std::barrier together(devices);
  std::vector<std::thread> threads;
  for (int me = 0; me < devices; ++me) {
    threads.emplace_back([&, me] {
      int device = -1;
      CUDA_OK(cudaGetDevice(&device));
      check_together(device, 0);  // whatever other threads chose
      CUDA_OK(cudaSetDevice(me));
      const size_t bytes = (rows_each + 2) * columns * sizeof(float), row = columns * sizeof(float);
      for (auto& grid : grids) {
        CUDA_OK(cudaMalloc(&grid[me], bytes));
        CUDA_OK(
            cudaMemcpy(grid[me], &first[me * rows_each * columns], bytes, cudaMemcpyHostToDevice));
      }
      together.arrive_and_wait();
      for (int s = 0; s < sweeps; ++s) {
        const auto& in = grids[s % 2];
        const auto& out = grids[1 - s % 2];
        sweep<<<dim3((columns + 31) / 32, rows_each), 32>>>(in[me], out[me]);
        CUDA_OK(cudaDeviceSynchronize());
        together.arrive_and_wait();
        if (me > 0) {
          CUDA_OK(cudaMemcpyPeer(out[me - 1] + (rows_each + 1) * columns, me - 1, out[me] + columns,
                                 me, row));
        }
        if (me + 1 < devices) {
          CUDA_OK(cudaMemcpy(out[me + 1], out[me] + rows_each * columns, row, cudaMemcpyDefault));
        }
        CUDA_OK(cudaDeviceSynchronize());
        together.arrive_and_wait();
      }
      int count = -1;
      CUDA_OK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
      check_together(count, sweeps);
      CUDA_OK(cudaGetDevice(&device));
      check_together(device, me);
      CUDA_OK(cudaMemcpy(&got[(me * rows_each + 1) * columns], grids[sweeps % 2][me] + columns,
                         rows_each * row, cudaMemcpyDeviceToHost));
      CUDA_OK(cudaFree(grids[0][me]));
      CUDA_OK(cudaFree(grids[1][me]));
    });
  }
  for (std::thread& thread : threads) thread.join();
  default_streams();
  check::equal("Jacobi", got, reference(rows));

  // The first of the valid devices is that of threads which choose none.
  int order[] = {2, 1};
  CUDA_OK(cudaSetValidDevices(order, 2));
  std::thread([] {
    int device = -1;
    CUDA_OK(cudaGetDevice(&device));
    CHECK_EQ(device, 2);
  }).join();
  order[1] = devices;
  CHECK_EQ(cudaSetValidDevices(order, 2), cudaErrorInvalidDevice);
  CUDA_OK(cudaSetValidDevices(nullptr, 0));
  (void)cudaGetLastError();
  return check::finish();
}
