// Large copies from and to memory that is not page-locked: bytes, boxes, streams, threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;
constexpr std::size_t large = (std::size_t{48} << 20) + 12345;
constexpr unsigned char poison = 0xd3;
__global__ void flip(unsigned char* a, unsigned char mask, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) a[i] ^= mask;
}

void launch_flip(unsigned char* a, unsigned char mask, std::size_t n,
                 cudaStream_t stream = nullptr) {
  flip<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(a, mask, n);
}

void ok(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

Bytes random_bytes(std::size_t n, unsigned seed) {
  Bytes bytes(n);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i + 8 <= n; i += 8) {
    const std::uint64_t next = random();
    std::memcpy(&bytes[i], &next, 8);
  }
  return bytes;
}

/// The first difference, where what was expected is found byte by byte.
template <class Expected>
void compare(const char* what, const Bytes& found, Expected expected) {
  std::size_t at = 0;
  while (at < found.size() && found[at] == expected(at)) ++at;
  if (at < found.size())
    std::printf("%s: byte %zu is %d, not %d\n", what, at, found[at], expected(at));
  CHECK(at == found.size());
  devices::add_bytes(found.data(), found.size() / 64);
}

void copy_bytes(unsigned char* device) {
  const Bytes data = random_bytes(large, 1);
  const std::size_t offset = 3, n = large - 2 * offset;
  Bytes found(large, poison);
  ok("in", cudaMemcpy(device + offset, data.data() + offset, n, cudaMemcpyHostToDevice));
  launch_flip(device + offset, 0x5a, n);
  ok("out", cudaMemcpy(found.data() + offset, device + offset, n, cudaMemcpyDeviceToHost));
  compare("bytes", found, [&](std::size_t i) -> int {
    return i < offset || i >= offset + n ? poison : data[i] ^ 0x5a;
  });
}

void copy_rows(unsigned char* device) {
  const std::size_t width = 4001, pitch = 5003, device_pitch = 4608, rows = large / pitch;
  const Bytes data = random_bytes(large, 2);
  Bytes found(large, poison);
  ok("set", cudaMemset(device, 0, large));
  ok("rows in",
     cudaMemcpy2D(device, device_pitch, data.data(), pitch, width, rows, cudaMemcpyHostToDevice));
  launch_flip(device, 0xff, large);
  ok("rows out",
     cudaMemcpy2D(found.data(), pitch, device, device_pitch, width, rows, cudaMemcpyDeviceToHost));
  compare("rows", found, [&](std::size_t i) -> int {
    return i % pitch < width && i / pitch < rows ? data[i] ^ 0xff : poison;
  });
}

void copy_slices() {
  const std::size_t width = 3000, height = 900, depth = 17, host_pitch = 3100;
  cudaPitchedPtr device{};
  ok("cudaMalloc3D", cudaMalloc3D(&device, make_cudaExtent(width, height, depth)));
  Bytes data = random_bytes(host_pitch * height * depth, 3), found(data.size(), poison);
  cudaMemcpy3DParms in{}, out{};
  in.srcPtr = make_cudaPitchedPtr(data.data(), host_pitch, width, height);
  in.dstPtr = device;
  in.extent = make_cudaExtent(width, height, depth);
  in.kind = cudaMemcpyHostToDevice;
  ok("slices in", cudaMemcpy3D(&in));
  out.srcPtr = device;
  out.dstPtr = make_cudaPitchedPtr(found.data(), host_pitch, width, height);
  out.extent = in.extent;
  out.kind = cudaMemcpyDeviceToHost;
  ok("slices out", cudaMemcpy3D(&out));
  compare("slices", found,
          [&](std::size_t i) -> int { return i % host_pitch < width ? data[i] : poison; });
  ok("cudaFree", cudaFree(device.ptr));
}

/// Copies keep their places between kernels; the host's memory is free when the call returns.
void copy_in_streams(unsigned char* device) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) ok("stream", cudaStreamCreate(&stream));
  const std::size_t half = large / 2;
  Bytes data = random_bytes(large, 4), found(large, poison);
  const Bytes before = data;
  for (unsigned i = 0; i < 2; ++i) {
    unsigned char* const mine = device + i * half;
    ok("set", cudaMemsetAsync(mine, 0, half, streams[i]));
    launch_flip(mine, 0x11, half, streams[i]);
    ok("in", cudaMemcpyAsync(mine, &data[i * half], half, cudaMemcpyHostToDevice, streams[i]));
    std::memset(&data[i * half], 0, half);
    launch_flip(mine, 0x22, half, streams[i]);
    ok("out", cudaMemcpyAsync(&found[i * half], mine, half, cudaMemcpyDeviceToHost, streams[i]));
    launch_flip(mine, 0x44, half, streams[i]);
  }
  for (const cudaStream_t stream : streams) ok("wait", cudaStreamSynchronize(stream));
  compare("streams", found,
          [&](std::size_t i) -> int { return i < 2 * half ? before[i] ^ 0x22 : poison; });
  for (const cudaStream_t stream : streams) ok("stream", cudaStreamDestroy(stream));
}

/// Captured copies read what is there when the graph is launched.
void copy_in_graph(unsigned char* device) {
  Bytes data = random_bytes(large, 6), found(large, poison);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  ok("stream", cudaStreamCreate(&stream));
  ok("capture", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ok("in", cudaMemcpyAsync(device, data.data(), large, cudaMemcpyHostToDevice, stream));
  launch_flip(device, 0x33, large, stream);
  ok("out", cudaMemcpyAsync(found.data(), device, large, cudaMemcpyDeviceToHost, stream));
  ok("capture", cudaStreamEndCapture(stream, &graph));
  ok("graph", cudaGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
  for (int turn = 0; turn < 3; ++turn) {
    data[large / 2] = static_cast<unsigned char>(turn);
    ok("graph", cudaGraphLaunch(ready, stream));
    ok("wait", cudaStreamSynchronize(stream));
    compare("graph", found, [&](std::size_t i) -> int { return data[i] ^ 0x33; });
  }
  ok("graph", cudaGraphExecDestroy(ready));
  ok("graph", cudaGraphDestroy(graph));
  ok("stream", cudaStreamDestroy(stream));
}

/// Page-locked after all.
void copy_registered(unsigned char* device) {
  auto* const memory = static_cast<unsigned char*>(std::aligned_alloc(4096, large / 4096 * 4096));
  const std::size_t n = large / 4096 * 4096;
  const Bytes data = random_bytes(n, 5);
  std::memcpy(memory, data.data(), n);
  ok("register", cudaHostRegister(memory, n, cudaHostRegisterDefault));
  ok("in", cudaMemcpy(device, memory, n, cudaMemcpyHostToDevice));
  launch_flip(device, 0x0f, n);
  std::memset(memory, poison, n);
  ok("out", cudaMemcpy(memory, device, n, cudaMemcpyDeviceToHost));
  compare("registered", Bytes(memory, memory + n),
          [&](std::size_t i) -> int { return data[i] ^ 0x0f; });
  ok("unregister", cudaHostUnregister(memory));
  std::free(memory);
}

void copy_from_threads(unsigned char* device) {
  const std::size_t part = large / 3;
  std::vector<Bytes> data, found;
  for (unsigned i = 0; i < 3; ++i) {
    data.push_back(random_bytes(part, 10 + i));
    found.emplace_back(part, poison);
  }
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      unsigned char* const mine = device + i * part;
      for (int turn = 0; turn < 2; ++turn) {
        ok("in", cudaMemcpy(mine, data[i].data(), part, cudaMemcpyHostToDevice));
        ok("out", cudaMemcpy(found[i].data(), mine, part, cudaMemcpyDeviceToHost));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (unsigned i = 0; i < 3; ++i)
    compare("threads", found[i], [&](std::size_t at) -> int { return data[i][at]; });
}

}  // namespace

int main() {
  unsigned char* device = nullptr;
  ok("cudaMalloc", cudaMalloc(&device, large));
  copy_bytes(device);
  copy_rows(device);
  copy_slices();
  copy_in_streams(device);
  copy_in_graph(device);
  copy_registered(device);
  copy_from_threads(device);
  ok("cudaFree", cudaFree(device));
  return devices::finish();
}
