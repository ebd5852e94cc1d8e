// The beginning and the end of a process: options, pending work, destructors of global objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"
#include "hand_program.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace std::chrono_literals;

namespace gridspan::tests {

namespace {

void work(abi::ThreadContext* thread) {
  float& own = argument<float*>(thread, 0)[global_x(thread)];
  for (int i = 0; i < 2000; ++i) own = own * 0.5f + 1;
}

class ProcessDeathTest : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

/// A device array whose destructor runs after main, as in many programs.
struct GlobalArray {
  void* memory = nullptr;
  ~GlobalArray() {
    if (memory) std::fprintf(stderr, "freed: %s", cudaGetErrorName(cudaFree(memory)));
  }
};
GlobalArray global_array;

void exit_with_pending_work(bool use_global) {
  auto& program = *new HandProgram;
  const void* stub = program.add_kernel<work>("work", {pointer_parameter()});
  program.load();
  void* memory = nullptr;
  EXPECT_CUDA(cudaMalloc(&memory, 8 * 64 * sizeof(float)));
  EXPECT_CUDA(cudaMemset(memory, 0, 8 * 64 * sizeof(float)));
  for (int i = 0; i < 100; ++i) EXPECT_CUDA(launch(stub, dim3(8), dim3(64), memory));
  if (use_global) global_array.memory = memory;
  std::exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(ProcessDeathTest, PendingWorkDoesNotKeepOrCrashTheProcess) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EXIT(exit_with_pending_work(false), testing::ExitedWithCode(0), "");
  }
}

TEST_F(ProcessDeathTest, DestructorsOfGlobalsMayFreeMemory) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EXIT(exit_with_pending_work(true), testing::ExitedWithCode(0), "freed: cudaSuccess");
  }
}

void exit_inside_host_function() {
  EXPECT_CUDA(cudaLaunchHostFunc(nullptr, [](void*) { std::exit(3); }, nullptr));
  cudaDeviceSynchronize();
  std::_Exit(1);
}
TEST_F(ProcessDeathTest, HostFunctionsMayExit) {
  EXPECT_EXIT(exit_inside_host_function(), testing::ExitedWithCode(3), "");
}

void exit_while_a_host_function_hangs() {
  EXPECT_CUDA(cudaLaunchHostFunc(
      nullptr,
      [](void*) {
        for (;;) std::this_thread::sleep_for(1h);
      },
      nullptr));
  std::this_thread::sleep_for(20ms);
  std::exit(0);
}
TEST_F(ProcessDeathTest, EndlessWorkDoesNotHoldTheExit) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EXIT(exit_while_a_host_function_hangs(), testing::ExitedWithCode(0), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

void start_with(const char* variable, const char* value) {
  ::setenv(variable, value, 1);
  int count = 0;
  cudaGetDeviceCount(&count);
  std::exit(count == 1 ? 0 : 2);
}

TEST_F(ProcessDeathTest, WrongOptionValuesEndTheProcessWithOneLine) {
  const auto fails = testing::ExitedWithCode(1);
  EXPECT_EXIT(start_with("GRIDSPAN_DEVICES", "cpu+cuda:99"), fails,
              "^gridspan: error: GRIDSPAN_DEVICES: cuda[^\n]*\n$");
  EXPECT_EXIT(
      start_with("GRIDSPAN_DEVICES", "cpu:65"), fails,
      "^gridspan: error: GRIDSPAN_DEVICES: 65 devices [^\n]* are too many; at most 64 [^\n]*\n$");
  EXPECT_EXIT(start_with("GRIDSPAN_DEVICES", "gpu"), fails,
              "GRIDSPAN_DEVICES='gpu': 'gpu' is not a device; expected cpu \\| cpu:N");
  EXPECT_EXIT(start_with("GRIDSPAN_THREADS", "0"), fails, "GRIDSPAN_THREADS='0': expected N");
  EXPECT_EXIT(start_with("GRIDSPAN_LOG", "loud"), fails, "GRIDSPAN_LOG='loud': expected off");
  EXPECT_EXIT(start_with("GRIDSPAN_LOG", "info:/no/such/folder/x"), fails, "cannot write to");
  EXPECT_EXIT(start_with("GRIDSPAN_CPU", "fast"), fails, "GRIDSPAN_CPU='fast': expected regions");
}

TEST_F(ProcessDeathTest, GoodOptionValuesAreQuiet) {
  const auto succeeds = testing::ExitedWithCode(0);
  EXPECT_EXIT(start_with("GRIDSPAN_DEVICES", "cpu"), succeeds, "^$");
  EXPECT_EXIT(start_with("GRIDSPAN_DEVICES", "cpu:1"), succeeds, "^$");
  EXPECT_EXIT(start_with("GRIDSPAN_DEVICES", "cpu:4"), succeeds, "^$");
  EXPECT_EXIT(start_with("GRIDSPAN_DEVICES", "cpu:2x3+numa"), succeeds, "^$");
  EXPECT_EXIT(start_with("GRIDSPAN_THREADS", "3"), succeeds, "^$");
  EXPECT_EXIT(start_with("GRIDSPAN_CPU", "interpret"), succeeds, "^$");
  EXPECT_EXIT(start_with("GRIDSPAN_CPU", ""), succeeds, "^$");
}

TEST_F(ProcessDeathTest, MistypedVariablesAreAnswered) {
  EXPECT_EXIT(start_with("GRIDSPAN_DEVICE", "cpu"), testing::ExitedWithCode(0),
              "^gridspan: warning: unknown variable GRIDSPAN_DEVICE is ignored; did you mean "
              "GRIDSPAN_DEVICES\\?\n$");
}

void fail_with_log() {
  ::setenv("GRIDSPAN_LOG", "warn", 1);
  int local = 0;
  cudaFree(&local);
  std::exit(0);
}
TEST_F(ProcessDeathTest, TheLogNamesTheCallAndTheReason) {
  EXPECT_EXIT(fail_with_log(), testing::ExitedWithCode(0),
              "gridspan: warning: cudaFree: cudaErrorInvalidValue: 0x[0-9a-f]+ is not the start");
}

}  // namespace

}  // namespace gridspan::tests
