// Faults inside kernels: reported, contained, and the device works on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_kernel.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GRIDSPAN_NO_SIGNALS_UNDER_TSAN GTEST_SKIP() << "TSan delays signals"
#endif
#endif
#ifndef GRIDSPAN_NO_SIGNALS_UNDER_TSAN
#define GRIDSPAN_NO_SIGNALS_UNDER_TSAN
#endif

namespace gridspan::test {
namespace {

/// What the guilty thread does. Plain C++ would be undefined behaviour that sanitizers stop early.
enum class Crime : std::uint32_t { none, null_write, wild_write, divide, trap, fail, recurse };

[[gnu::noinline]] std::uint32_t endless(volatile std::uint32_t* way) {
  volatile char frame[256];
  frame[0] = static_cast<char>(*way);
  if (*way == 12345) return 0;
  return endless(way) + static_cast<std::uint32_t>(frame[0]);
}

__attribute__((no_sanitize("address", "undefined"))) void poke(std::uintptr_t address) {
  *reinterpret_cast<volatile std::uint32_t*>(address) = 1;
}

void commit(Crime crime, ThreadContext* thread) {
  switch (crime) {
    case Crime::none:
      return;
    case Crime::null_write:
      return poke(0x10);
    case Crime::wild_write:
      return poke(0xdead00000000beef);
    case Crime::divide:
#if defined(__x86_64__)
      asm volatile("xorl %%ecx, %%ecx\n movl $1, %%eax\n xorl %%edx, %%edx\n divl %%ecx" ::
                       : "eax", "ecx", "edx");
#endif
      return;
    case Crime::trap:
      gridspan_device_trap(thread);
    case Crime::fail:
      gridspan_device_assertfail(thread, "a < b", "guilty.cu", 17, "int f(int)");
    case Crime::recurse: {
      volatile std::uint32_t way = 1;
      way = endless(&way);
      return;
    }
  }
}

/// Thread 5 of block (3,1,0) is guilty; the others count.
bool is_guilty(const BlockContext* block, std::uint32_t t) {
  return block->block_index.x == 3 && block->block_index.y == 1 && t == 5;
}

void work(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto crime = argument<Crime>(block, 1);
  auto* out = argument<std::uint32_t*>(block, 0) + block_number(block) * block->thread_count;
  for (std::uint32_t t = first; t < last; ++t) {
    ThreadContext thread{block, {t, 0, 0}, t};
    if (is_guilty(block, t)) commit(crime, &thread);
    out[t] += 1;
  }
}
void nothing(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) block->sync_value[t] = 0;
}

void work_on_fiber(ThreadContext* thread) {
  constexpr SourcePoint place{"guilty.cu", 9, 3};
  BlockContext* block = thread->block;
  gridspan_fiber_barrier(thread, 0, 0, &place);
  if (is_guilty(block, thread->thread)) commit(argument<Crime>(block, 1), thread);
  auto* out = argument<std::uint32_t*>(block, 0) + block_number(block) * block->thread_count;
  out[thread->thread] += 1;
  gridspan_fiber_barrier(thread, 0, 0, &place);
}

struct Mode {
  const char* name;
  unsigned threads;
  bool interpret;
  std::vector<Region> regions;
};
/// GoogleTest would print the bytes, addresses among them, into the name of the test.
void PrintTo(const Mode& mode, std::ostream* out) { *out << mode.name; }

class Faults : public testing::TestWithParam<Mode> {
 protected:
  static constexpr std::uint32_t threads = 40;
  static constexpr Dim grid{7, 5, 1};

  RunResult commit_crime(Crime crime) {
    std::fill(out_.begin(), out_.end(), 0);
    std::uint32_t* data = out_.data();
    return run(*device_, kernel_, {grid, {threads, 1, 1}, {&data, &crime}});
  }
  /// The fault is reported as told, and the device works as before afterwards.
  void expect_fault(Crime crime, Fault fault, const std::vector<std::string>& texts) {
    for (int round = 0; round < 3; ++round) {
      const RunResult result = commit_crime(crime);
      EXPECT_EQ(result.fault, fault) << result.message;
      EXPECT_NE(result.message.find("kernel 'guilty(int)', block [3,1,0]"), std::string::npos)
          << result.message;
      for (const std::string& text : texts) {
        EXPECT_NE(result.message.find(text), std::string::npos) << result.message;
      }
      expect_clean(commit_crime(Crime::none));
      EXPECT_EQ(static_cast<std::size_t>(std::count(out_.begin(), out_.end(), 1u)), out_.size());
    }
  }
  std::string thread_text() const { return GetParam().regions.empty() ? "thread [5,0,0]" : ""; }

  std::vector<std::uint32_t> out_ = std::vector<std::uint32_t>(threads * 35);
  TestKernel kernel_{{.name = "_Z6guiltyi",
                      .regions = GetParam().regions,
                      .thread = work_on_fiber,
                      .flags = GetParam().regions.size() > 1 ? abi::kernel_has_block_sync : 0u}};
  std::unique_ptr<devices::Device> device_ =
      devices::cpu::make_device({.threads = GetParam().threads, .interpret = GetParam().interpret});
};

const std::vector<Region> one_region = {{work, abi::exited, {}, {}}};
const std::vector<Region> three_regions = {
    {nothing, 1, {}, {}},
    {work, 2, SyncKind::barrier, {"guilty.cu", 9, 3}},
    {nothing, abi::exited, SyncKind::barrier, {"guilty.cu", 11, 3}}};

INSTANTIATE_TEST_SUITE_P(Modes, Faults,
                         testing::Values(Mode{"one_region", 1, false, one_region},
                                         Mode{"one_region_3", 3, false, one_region},
                                         Mode{"regions", 1, false, three_regions},
                                         Mode{"regions_3", 3, false, three_regions},
                                         Mode{"fibers", 1, false, {}},
                                         Mode{"fibers_3", 3, false, {}},
                                         Mode{"interpret_2", 2, true, {}}),
                         [](const auto& test) { return test.param.name; });

TEST_P(Faults, WriteThroughNull) {
  GRIDSPAN_NO_SIGNALS_UNDER_TSAN;
  expect_fault(Crime::null_write, Fault::illegal_address, {"illegal address 0x10", thread_text()});
}
TEST_P(Faults, WriteOutsideTheAddressSpace) {
  GRIDSPAN_NO_SIGNALS_UNDER_TSAN;
  expect_fault(Crime::wild_write, Fault::illegal_address, {"illegal address", thread_text()});
}
#if defined(__x86_64__)
TEST_P(Faults, DivisionByZero) {
  GRIDSPAN_NO_SIGNALS_UNDER_TSAN;
  expect_fault(Crime::divide, Fault::trap, {"division by zero", thread_text()});
}
#endif
TEST_P(Faults, Trap) { expect_fault(Crime::trap, Fault::trap, {"trap", "thread [5,0,0]"}); }
TEST_P(Faults, StackOverflow) {
  GRIDSPAN_NO_SIGNALS_UNDER_TSAN;
  expect_fault(Crime::recurse, Fault::stack_overflow, {"stack overflowed", thread_text()});
}
TEST_P(Faults, AssertionPrintsCudasMessage) {
  testing::internal::CaptureStderr();
  expect_fault(Crime::fail, Fault::assertion,
               {"guilty.cu:17:", "assertion `a < b` failed", "thread [5,0,0]"});
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "guilty.cu:17: int f(int): block: [3,1,0], thread: [5,0,0] Assertion `a < b` failed.");
}

TEST_P(Faults, RegionsNameTheSyncPointPassed) {
  GRIDSPAN_NO_SIGNALS_UNDER_TSAN;
  if (GetParam().regions.size() == 1) return;
  expect_fault(Crime::null_write, Fault::illegal_address, {"(after guilty.cu:9:3)"});
}

TEST_P(Faults, RemainingBlocksDoNotStart) {
  // Block number 10 of 35 is guilty; with one worker nothing after it may run.
  if (GetParam().threads != 1) return;
  commit_crime(Crime::trap);
  EXPECT_EQ(static_cast<std::size_t>(std::count(out_.begin() + 11 * threads, out_.end(), 0u)),
            out_.size() - 11 * threads);
}

TEST(FaultsOutsideKernels, KeepTheirDefaultAction) {
  GRIDSPAN_NO_SIGNALS_UNDER_TSAN;
  const auto device = devices::cpu::make_device({.threads = 1});
  EXPECT_DEATH(poke(0x10), "");
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_DFL);
        std::_Exit(3);
      },
      testing::ExitedWithCode(3), "");
}

TEST(FaultsOutsideKernels, GoToTheHandlerThatWasThereBefore) {
  GRIDSPAN_NO_SIGNALS_UNDER_TSAN;
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        // In the child nothing of ours has run yet.
        struct sigaction mine = {};
        mine.sa_handler = [](int) { _exit(42); };
        sigaction(SIGSEGV, &mine, nullptr);
        const auto device = devices::cpu::make_device({.threads = 1});
        poke(0x10);
      },
      testing::ExitedWithCode(42), "");
}

TEST(FaultsOnAnyThread, RunPartMayBeCalledFromNewThreads) {
  GRIDSPAN_NO_SIGNALS_UNDER_TSAN;
  const auto device = devices::cpu::make_device({.threads = 2});
  for (const bool on_fibers : {false, true}) {
    const TestKernel kernel(
        {.regions = on_fibers ? std::vector<Region>{} : one_region, .thread = work_on_fiber});
    for (int round = 0; round < 5; ++round) {
      std::thread([&] {
        std::vector<std::uint32_t> out(40 * 35, 0);
        std::uint32_t* data = out.data();
        for (const Crime crime : {Crime::null_write, Crime::none}) {
          const RunResult result = run(*device, kernel, {{7, 5, 1}, {40, 1, 1}, {&data, &crime}});
          EXPECT_EQ(result.fault, crime == Crime::none ? Fault::none : Fault::illegal_address);
        }
      }).join();
    }
  }
}

}  // namespace
}  // namespace gridspan::test
