// Many host threads at once: every call is safe, last errors are private.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"
#include "hand_program.h"

#include <thread>

namespace gridspan::tests {

namespace {

void add_one(abi::ThreadContext* thread) {
  if (global_x(thread) < argument<std::uint32_t>(thread, 1)) {
    argument<int*>(thread, 0)[global_x(thread)] += 1;
  }
}

/// One thread's program: its own memory, stream and events, checked element by element.
void use_everything(const void* stub, unsigned seed) {
  std::mt19937 random(seed);
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, random() % 2));
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t count = 1 + random() % 3000;
    void* memory = nullptr;
    cudaEvent_t event = nullptr;
    ASSERT_CUDA(cudaMalloc(&memory, count * sizeof(int)));
    ASSERT_CUDA(cudaEventCreate(&event));
    std::vector<int> values(count), back(count, -1);
    for (int& value : values) value = static_cast<int>(random() % 1000);
    ASSERT_CUDA(cudaMemcpyAsync(memory, values.data(), count * sizeof(int), cudaMemcpyHostToDevice,
                                stream));
    const unsigned launches = 1 + random() % 5;
    for (unsigned i = 0; i < launches; ++i) {
      ASSERT_CUDA(launch_in(stream, stub, dim3((count + 63) / 64), dim3(64), 0, memory, count));
    }
    ASSERT_CUDA(cudaEventRecord(event, stream));
    if (random() % 2) ASSERT_CUDA(cudaEventSynchronize(event));
    EXPECT_EQ(cudaFree(&event), cudaErrorInvalidValue);
    ASSERT_CUDA(
        cudaMemcpyAsync(back.data(), memory, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(back[i], values[i] + static_cast<int>(launches)) << "element " << i;
    }
    ASSERT_CUDA(cudaEventDestroy(event));
    ASSERT_CUDA(cudaFree(memory));
  }
  ASSERT_CUDA(cudaStreamDestroy(stream));
}

class Threads : public CudaTest {};

TEST_F(Threads, HammerTheApi) {
  HandProgram program;
  const void* stub = program.add_kernel<add_one>(
      "add_one", {pointer_parameter(), value_parameter<std::uint32_t>()});
  program.load();
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t) threads.emplace_back(use_everything, stub, t);
  // Meanwhile other modules come and go.
  for (int i = 0; i < 50; ++i) {
    HandProgram passing;
    const void* other = passing.add_kernel<add_one>(
        "add_one", {pointer_parameter(), value_parameter<std::uint32_t>()});
    passing.load();
    DeviceMemory memory(4);
    EXPECT_CUDA(launch(other, dim3(1), dim3(1), memory.get(), std::uint32_t{1}));
    passing.unload();
  }
  for (auto& thread : threads) thread.join();
  program.unload();
}

TEST_F(Threads, LastErrorsArePrivate) {
  EXPECT_EQ(cudaSetDevice(5), cudaErrorInvalidDevice);
  std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

}  // namespace

}  // namespace gridspan::tests
