// Several devices shown to the program: run with GRIDSPAN_VIRTUAL_GPUS=3, skipped otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"
#include "hand_program.h"

#include <set>
#include <thread>

namespace gridspan::tests::virtual_devices {

namespace {

void increment(abi::ThreadContext* thread) { *symbol<int>(thread, 0) += 1; }

class VirtualDevices : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    ASSERT_CUDA(cudaGetDeviceCount(&count_));
    if (count_ != 3) GTEST_SKIP() << count_ << " devices";
    program_.load();
    is_loaded_ = true;
  }
  void TearDown() override {
    EXPECT_CUDA(cudaSetDevice(0));
    CudaTest::TearDown();
    if (is_loaded_) program_.unload();
  }
  int value_on(int device) const {
    int value = -1;
    EXPECT_CUDA(cudaSetDevice(device));
    EXPECT_CUDA(cudaMemcpyFromSymbol(&value, counter_, 4, 0, cudaMemcpyDeviceToHost));
    return value;
  }
  int count_ = 0;
  bool is_loaded_ = false;
  HandProgram program_;
  const void* counter_ = program_.add_symbol("counter", 4);
  const void* increment_ = program_.add_kernel<increment>("increment", {});
};

TEST_F(VirtualDevices, EachHasItsVariables) {
  for (int device = 0; device < count_; ++device) {
    ASSERT_CUDA(cudaSetDevice(device));
    for (int i = 0; i <= device; ++i) ASSERT_CUDA(launch(increment_, dim3(1), dim3(1)));
  }
  for (int device = 0; device < count_; ++device) EXPECT_EQ(value_on(device), device + 1);
  ASSERT_CUDA(cudaSetDevice(1));
  ASSERT_CUDA(cudaDeviceReset());
  EXPECT_EQ(value_on(1), 0);
  EXPECT_EQ(value_on(2), 3);
}

TEST_F(VirtualDevices, EachThreadChoosesItsOwn) {
  std::vector<std::thread> threads;
  for (int device = 0; device < count_; ++device) {
    threads.emplace_back([&, device] {
      EXPECT_CUDA(cudaSetDevice(device));
      const auto bytes = random_bytes(4096, static_cast<unsigned>(device));
      for (int round = 0; round < 20; ++round) {
        cudaStream_t stream = nullptr;
        EXPECT_CUDA(cudaStreamCreate(&stream));
        DeviceMemory memory(bytes.size());
        cudaPointerAttributes attributes;
        EXPECT_CUDA(cudaPointerGetAttributes(&attributes, memory.get()));
        EXPECT_EQ(attributes.device, device);
        EXPECT_CUDA(cudaMemcpyAsync(memory.get(), bytes.data(), bytes.size(),
                                    cudaMemcpyHostToDevice, stream));
        EXPECT_CUDA(launch(increment_, dim3(1), dim3(1)));
        std::vector<char> got(bytes.size());
        EXPECT_CUDA(
            cudaMemcpyPeerAsync(memory.get(), device, memory.get(), (device + 1) % 3, 1, stream));
        EXPECT_CUDA(
            cudaMemcpyAsync(got.data(), memory.get(), got.size(), cudaMemcpyDefault, stream));
        EXPECT_CUDA(cudaStreamSynchronize(stream));
        EXPECT_EQ(got, bytes);
        EXPECT_CUDA(cudaStreamDestroy(stream));
      }
      EXPECT_CUDA(cudaDeviceSynchronize());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int device = 0; device < count_; ++device) EXPECT_EQ(value_on(device), 20);
}

TEST_F(VirtualDevices, HandlesBelongToOne) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  ASSERT_CUDA(cudaSetDevice(1));
  ASSERT_CUDA(cudaStreamCreate(&stream));
  ASSERT_CUDA(cudaSetDevice(2));
  ASSERT_CUDA(cudaEventCreate(&event));
  expect_error(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
  void* no_arguments[] = {nullptr};
  expect_error(cudaLaunchKernel(increment_, dim3(1), dim3(1), no_arguments, 0, stream),
               cudaErrorInvalidResourceHandle);
  ASSERT_CUDA(cudaDeviceReset());  // of device 2
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  expect_error(cudaEventQuery(event), cudaErrorInvalidResourceHandle);
  ASSERT_CUDA(cudaStreamDestroy(stream));
  expect_error(cudaSetDevice(3), cudaErrorInvalidDevice);
}

}  // namespace

}  // namespace gridspan::tests::virtual_devices
