// Copies and fills by the host: one, two and three dimensions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Host memory functions | cudaMemcpy in every direction and cudaMemcpyDefault, parts, interior pointers, zero bytes
// FEATURE: Host memory functions | cudaMallocPitch, cudaMemcpy2D, cudaMalloc3D, cudaMemcpy3D and their Async forms
// FEATURE: Host memory functions | cudaMemset, cudaMemset2D, cudaMemset3D, Async forms; cudaMemGetInfo
#include "check.h"

__global__ void add_pitched(char* base, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) reinterpret_cast<int*>(base + y * pitch)[x] += x * 1000 + y;
}

__global__ void add_volume(cudaPitchedPtr volume, int width, int height, int depth) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  if (x >= width || y >= height || z >= depth) return;
  char* slice = static_cast<char*>(volume.ptr) + z * volume.pitch * height;
  reinterpret_cast<float*>(slice + y * volume.pitch)[x] += z * 100 + y;
}

void linear() {
  const int n = 1009;
  check::Random random(127);
  const auto in = random.integers<int>(n, -1000, 1000);
  int *a = nullptr, *b = nullptr;
  CUDA_OK(cudaMalloc(&a, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(reinterpret_cast<size_t>(a) % 256 == 0 && reinterpret_cast<size_t>(b) % 256 == 0);
  std::vector<int> out(n, -1), host(n, -1);
  CUDA_OK(cudaMemcpy(a, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice));
  CUDA_OK(cudaMemcpy(out.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost));
  check::equal("host, device, device, host", out, in);
  CUDA_OK(cudaMemcpy(host.data(), in.data(), n * sizeof(int), cudaMemcpyHostToHost));
  check::equal("host to host", host, in);
  CUDA_OK(cudaMemset(b, 0, n * sizeof(int)));
  CUDA_OK(cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDefault));
  CUDA_OK(cudaMemcpy(out.data(), b, n * sizeof(int), cudaMemcpyDefault));
  check::equal("default", out, in);
  CUDA_OK(cudaMemcpy(b + 100, in.data() + 7, 50 * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(out.data() + 3, b + 90, 70 * sizeof(int), cudaMemcpyDeviceToHost));
  auto want = in;
  for (int i = 0; i < 70; ++i) want[3 + i] = i >= 10 && i < 60 ? in[7 + i - 10] : in[90 + i];
  check::equal("parts", out, want);
  CUDA_OK(cudaMemcpy(a, in.data(), 0, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemset(reinterpret_cast<char*>(a) + 5, 0x7f, 11));
  CUDA_OK(cudaMemset(a, 0x11, 0));
  CUDA_OK(cudaMemcpyAsync(out.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost, 0));
  CUDA_OK(cudaStreamSynchronize(0));
  want = in;
  std::memset(reinterpret_cast<char*>(want.data()) + 5, 0x7f, 11);
  check::equal("memset", out, want);
  size_t free_bytes = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes > 0 && free_bytes <= total);
  CUDA_OK(cudaFree(a));
  CUDA_OK(cudaFree(b));
  CUDA_OK(cudaFree(nullptr));
}

void two_dimensions(int width, int height) {
  char* base = nullptr;
  size_t pitch = 0;
  CUDA_OK(cudaMallocPitch(reinterpret_cast<void**>(&base), &pitch, width * sizeof(int), height));
  CHECK(pitch >= width * sizeof(int));
  CHECK(pitch % 4 == 0);
  CUDA_OK(cudaMemset2D(base, pitch, 1, width * sizeof(int), height));
  check::Random random(width);
  const int host_width = width + 3;  // the host's rows are longer
  const auto in = random.integers<int>(host_width * height, -1000, 1000);
  CUDA_OK(cudaMemcpy2D(base + (width > 1 ? 4 : 0), pitch, in.data(), host_width * sizeof(int),
                       (width > 1 ? width - 1 : 1) * sizeof(int), height, cudaMemcpyHostToDevice));
  add_pitched<<<dim3((width + 30) / 31, height), 31>>>(base, pitch, width, height);
  KERNEL_OK();
  std::vector<int> out(width * height, -1), want(width * height);
  CUDA_OK(cudaMemcpy2DAsync(out.data(), width * sizeof(int), base, pitch, width * sizeof(int),
                            height, cudaMemcpyDeviceToHost, 0));
  CUDA_OK(cudaDeviceSynchronize());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int copied = width > 1 ? x - 1 : x;
      want[y * width + x] = (copied >= 0 ? in[y * host_width + copied] : 0x01010101) + x * 1000 + y;
    }
  check::equal("2-D", out, want);
  CUDA_OK(cudaFree(base));
}

void three_dimensions() {
  const int width = 17, height = 5, depth = 7;
  const cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
  cudaPitchedPtr volume;
  CUDA_OK(cudaMalloc3D(&volume, extent));
  CHECK(volume.pitch >= width * sizeof(float));
  CUDA_OK(cudaMemset3D(volume, 0, extent));
  check::Random random(131);
  auto in = random.integers<float>(width * height * depth, -100, 100);
  // A sub-box of the host's array into the middle of the device's.
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = make_cudaPitchedPtr(in.data(), width * sizeof(float), width, height);
  parameters.srcPos = make_cudaPos(2 * sizeof(float), 1, 3);
  parameters.dstPtr = volume;
  parameters.dstPos = make_cudaPos(4 * sizeof(float), 0, 1);
  parameters.extent = make_cudaExtent(10 * sizeof(float), 3, 4);
  parameters.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3D(&parameters));
  add_volume<<<dim3(height, depth), 32>>>(volume, width, height, depth);
  KERNEL_OK();
  std::vector<float> out(width * height * depth, -1), want(width * height * depth);
  cudaMemcpy3DParms back = {};
  back.srcPtr = volume;
  back.dstPtr = make_cudaPitchedPtr(out.data(), width * sizeof(float), width, height);
  back.extent = extent;
  back.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaMemcpy3DAsync(&back, 0));
  CUDA_OK(cudaDeviceSynchronize());
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        float& w = want[(z * height + y) * width + x];
        w = z * 100 + y;
        if (x >= 4 && x < 14 && y < 3 && z >= 1 && z < 5)
          w += in[((z - 1 + 3) * height + y + 1) * width + x - 4 + 2];
      }
  check::equal("3-D", out, want);
  CUDA_OK(cudaFree(volume.ptr));
}

// Copies see the kernels before them, and kernels see the copies before them, without waiting.
__global__ void increment(int* a) { a[check::global_index()] += 1; }
void in_order() {
  const int n = 2 * 257;
  check::Array<int> a(std::vector<int>(n, 0)), b(n);
  std::vector<int> out(n);
  for (int round = 1; round <= 20; ++round) {
    increment<<<2, 257>>>(a.data());
    CUDA_OK(cudaMemcpyAsync(b.data(), a.data(), n * sizeof(int), cudaMemcpyDeviceToDevice, 0));
    increment<<<2, 257>>>(b.data());
    CUDA_OK(cudaMemcpy(out.data(), b.data(), n * sizeof(int), cudaMemcpyDeviceToHost));
    check::equal("in_order", out, std::vector<int>(n, round + 1));
  }
}

int main() {
  linear();
  for (int width : {1, 31, 64, 257})
    for (int height : {1, 7}) two_dimensions(width, height);
  three_dimensions();
  in_order();
  return check::finish();
}
