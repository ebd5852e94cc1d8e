// Kernels that fail: sticky errors, one message, nothing runs afterwards.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fault ends all use of the device for the process, so each test runs in a process of its own
// that exits with 0 if everything held.
#include "abi/services.h"
#include "fixture.h"
#include "hand_program.h"

#include <cstdio>
#include <thread>

namespace gridspan::tests::fault {

namespace {

void write_wild(abi::ThreadContext* thread) {
  if (global_x(thread) != 37) return;
  *reinterpret_cast<volatile int*>(std::uintptr_t{8} + argument<std::uint64_t>(thread, 0)) = 1;
}
void trap(abi::ThreadContext* thread) {
  if (global_x(thread) == 5) gridspan_device_trap(thread);
}
void fail_assertion(abi::ThreadContext* thread) {
  if (global_x(thread) == 6) gridspan_device_assertfail(thread, "x > 0", "file.cu", 12, "kernel");
}
void store(abi::ThreadContext* thread) { *argument<int*>(thread, 0) = 1; }

struct Program : HandProgram {
  Program() { load(); }
  const void* wild = add_kernel<write_wild>("wild", {value_parameter<std::uint64_t>()});
  const void* trap_kernel = add_kernel<trap>("trap", {});
  const void* assertion = add_kernel<fail_assertion>("assertion", {});
  const void* store_kernel = add_kernel<store>("store", {pointer_parameter()});
};

[[noreturn]] void finish(bool good) {
  std::fflush(nullptr);
  std::_Exit(good && !testing::Test::HasFailure() ? 0 : 1);
}

/// After a fault everything says so, for good, on every thread.
void expect_sticky(cudaError_t code) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaDeviceSynchronize(), code);
  EXPECT_EQ(cudaGetLastError(), code);
  EXPECT_EQ(cudaGetLastError(), code);
  EXPECT_EQ(cudaPeekAtLastError(), code);
  EXPECT_EQ(cudaMalloc(&pointer, 10), code);
  EXPECT_EQ(cudaFree(nullptr), code);
  EXPECT_EQ(cudaDeviceReset(), code);
  std::thread([&] {
    EXPECT_EQ(cudaStreamSynchronize(nullptr), code);
    EXPECT_EQ(cudaGetLastError(), code);
  }).join();
}

class FaultDeathTest : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

void run_wild() {
  auto& program = *new Program;
  EXPECT_CUDA(launch(program.wild, dim3(4), dim3(32), std::uint64_t{0}));
  expect_sticky(cudaErrorIllegalAddress);
  finish(true);
}
TEST_F(FaultDeathTest, WildStoresAreIllegalAddresses) {
  EXPECT_EXIT(run_wild(), testing::ExitedWithCode(0), "gridspan: .*error: .*");
}

void run_trap() {
  auto& program = *new Program;
  EXPECT_CUDA(launch(program.trap_kernel, dim3(2), dim3(3)));
  expect_sticky(cudaErrorLaunchFailure);
  finish(true);
}
TEST_F(FaultDeathTest, TrapsAreLaunchFailures) {
  EXPECT_EXIT(run_trap(), testing::ExitedWithCode(0), "gridspan: .*error: .*");
}

void run_assertion() {
  auto& program = *new Program;
  EXPECT_CUDA(launch(program.assertion, dim3(1), dim3(32)));
  expect_sticky(cudaErrorAssert);
  finish(true);
}
TEST_F(FaultDeathTest, AssertionsAreAsserts) {
  EXPECT_EXIT(run_assertion(), testing::ExitedWithCode(0), "Assertion `x > 0` failed");
}

void run_later_work() {
  auto& program = *new Program;
  void *device = nullptr, *host = nullptr;
  EXPECT_CUDA(cudaMalloc(&device, 4));
  EXPECT_CUDA(cudaMallocHost(&host, 4));
  EXPECT_CUDA(cudaMemset(device, 0, 4));
  std::memset(host, 7, 4);
  cudaError_t seen = cudaSuccess;
  // A gate keeps the calls below ahead of the fault, so that they are accepted.
  static std::atomic<bool> open{false};
  EXPECT_CUDA(cudaLaunchHostFunc(
      nullptr,
      [](void*) {
        while (!open) std::this_thread::yield();
      },
      nullptr));
  EXPECT_CUDA(launch(program.trap_kernel, dim3(1), dim3(32)));
  EXPECT_CUDA(launch(program.store_kernel, dim3(1), dim3(1), device));
  EXPECT_CUDA(cudaMemcpyAsync(host, device, 4, cudaMemcpyDeviceToHost, nullptr));
  EXPECT_CUDA(cudaStreamAddCallback(
      nullptr,
      [](cudaStream_t, cudaError_t status, void* data) {
        *static_cast<cudaError_t*>(data) = status;
      },
      &seen, 0));
  open = true;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(*static_cast<int*>(host), 0x07070707);  // the copy did not happen
  EXPECT_EQ(*static_cast<int*>(device), 0);         // nor the kernel
  EXPECT_EQ(seen, cudaErrorLaunchFailure);
  finish(true);
}
TEST_F(FaultDeathTest, WorkAfterAFaultIsDropped) {
  EXPECT_EXIT(run_later_work(), testing::ExitedWithCode(0), "");
}

void run_copy_first() {
  auto& program = *new Program;
  void* device = nullptr;
  int value = 0;
  EXPECT_CUDA(cudaMalloc(&device, 4));
  EXPECT_CUDA(launch(program.trap_kernel, dim3(1), dim3(32)));
  // Not synchronised before: the copy is the call that reports it.
  EXPECT_EQ(cudaMemcpy(&value, device, 4, cudaMemcpyDeviceToHost), cudaErrorLaunchFailure);
  finish(true);
}
TEST_F(FaultDeathTest, SynchronousCopiesReportEarlierFaults) {
  EXPECT_EXIT(run_copy_first(), testing::ExitedWithCode(0), "");
}

void run_unlogged() {
  ::setenv("GRIDSPAN_LOG", "off", 1);
  auto& program = *new Program;
  EXPECT_CUDA(launch(program.trap_kernel, dim3(1), dim3(32)));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  std::fputs("quiet", stderr);
  finish(true);
}
TEST_F(FaultDeathTest, LogOffIsQuiet) {
  EXPECT_EXIT(run_unlogged(), testing::ExitedWithCode(0), "^quiet$");
}

}  // namespace

}  // namespace gridspan::tests::fault
