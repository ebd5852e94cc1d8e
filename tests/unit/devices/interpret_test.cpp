// Interpret mode: misuse of barriers, warp operations and shared memory is named.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_kernel.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace gridspan::test::interpret {
namespace {

constexpr SourcePoint places[] = {{"m.cu", 10, 3}, {"m.cu", 20, 5}, {"m.cu", 30, 7}};

void barrier(ThreadContext* thread, int place) {
  gridspan_fiber_barrier(thread, 0, 0, &places[place]);
}
void sync_warp(ThreadContext* thread, std::uint32_t mask, int place) {
  gridspan_fiber_warp(thread, static_cast<std::uint32_t>(SyncKind::warp_barrier), mask, 0, 0, 0,
                      nullptr, &places[place]);
}
std::uint32_t* shared(ThreadContext* thread) {
  return reinterpret_cast<std::uint32_t*>(thread->block->shared);
}
std::uint32_t read(ThreadContext* thread, const std::uint32_t* from, int place) {
  gridspan_check_shared(thread, from, 4, 0, &places[place]);
  return *from;
}
void write(ThreadContext* thread, std::uint32_t* to, std::uint32_t value, int place) {
  gridspan_check_shared(thread, to, 4, 1, &places[place]);
  *to = value;
}

struct Report {
  RunResult result;
  std::vector<std::string> lines;  // on stderr
};

class Interpret : public testing::Test {
 protected:
  Report interpret(abi::ThreadFunction thread, std::uint32_t threads, std::uint32_t blocks = 3) {
    kernels_.push_back(std::make_unique<TestKernel>(
        KernelParts{.name = "_Z6misusev", .thread = thread, .static_shared = 256}));
    return again(threads, blocks);
  }
  Report again(std::uint32_t threads, std::uint32_t blocks = 3) {
    out_.assign(threads * blocks, 0);
    std::uint32_t* data = out_.data();
    testing::internal::CaptureStderr();
    Report report;
    report.result = run(*device_, *kernels_.back(), {{blocks, 1, 1}, {threads, 1, 1}, {&data}});
    const std::string text = testing::internal::GetCapturedStderr();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      report.lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return report;
  }
  std::vector<std::uint32_t> out_;
  std::vector<std::unique_ptr<TestKernel>> kernels_;
  static std::unique_ptr<devices::Device> make_device() {
    return devices::cpu::make_device({.threads = 2, .interpret = true});
  }
  std::unique_ptr<devices::Device> device_ = make_device();
};

void expect_line(const Report& report, const std::string& start, const std::string& part) {
  ASSERT_EQ(report.lines.size(), 1u);
  EXPECT_EQ(report.lines[0].find(start), 0u) << report.lines[0];
  EXPECT_NE(report.lines[0].find(part), std::string::npos) << report.lines[0];
}

TEST_F(Interpret, RightUseIsSilent) {
  const Report report = interpret(
      [](ThreadContext* thread) {
        const std::uint32_t t = thread->thread;
        if (t % 5 == 4) return;  // leaving early is allowed
        write(thread, shared(thread) + t, t, 0);
        barrier(thread, 0);
        read(thread, shared(thread) + (t % 5 == 0 ? t : 0), 0);
        if (t % 2 == 0) sync_warp(thread, 0x55555555, 1);
        if (t % 2 == 1) sync_warp(thread, 0xaaaaaaaa, 1);
        barrier(thread, 1);
      },
      50);
  EXPECT_EQ(report.result.fault, Fault::none) << report.result.message;
  EXPECT_TRUE(report.lines.empty());
}

TEST_F(Interpret, DivergentBarrier) {
  const auto kernel = [](ThreadContext* thread) {
    if (thread->thread < 20) {
      barrier(thread, 0);
    } else {
      barrier(thread, 1);
    }
    BlockContext* const block = thread->block;
    argument<std::uint32_t*>(block, 0)[block_number(block) * 50 + thread->thread] = 1;
  };
  const Report report = interpret(kernel, 50);
  EXPECT_EQ(report.result.fault, Fault::misuse);
  expect_line(report, "m.cu:10:3: error: kernel 'misuse()', block [",
              "thread [20,0,0] of the block waits at __syncthreads at m.cu:20:5");
  EXPECT_EQ(report.result.message, report.lines[0]);
  EXPECT_EQ(out_, std::vector<std::uint32_t>(150, 1)) << "the launch goes on after the report";
  const Report second = again(50);
  EXPECT_EQ(second.result.fault, Fault::misuse);
  EXPECT_TRUE(second.lines.empty()) << "one report per kernel and place";
}

TEST_F(Interpret, TheResultIsThePrintedLineWhenBlocksReportAtOnce) {
  const auto kernel = [](ThreadContext* thread) {
    if (thread->thread == 0) {
      // The two workers meet here if they have a block each; neither waits long.
      std::atomic_ref arrived(*argument<std::uint32_t*>(thread->block, 0));
      ++arrived;
      for (int i = 0; i < 10'000 && arrived < 2; ++i) continue;
    }
    barrier(thread, thread->thread % 2);
  };
  for (int round = 0; round < 200; ++round) {
    device_ = make_device();  // each reports a place once
    const Report report = interpret(kernel, 2, 2);
    ASSERT_EQ(report.lines.size(), 1u);
    ASSERT_EQ(report.result.message, report.lines[0]);
  }
}

TEST_F(Interpret, BarrierNotReachedByTheSameRounds) {
  const Report report = interpret(
      [](ThreadContext* thread) {
        for (std::uint32_t i = 0; i < 1 + thread->thread / 32; ++i) barrier(thread, 0);
        barrier(thread, 1);
      },
      64);
  EXPECT_EQ(report.result.fault, Fault::misuse);
  ASSERT_FALSE(report.lines.empty());
  EXPECT_EQ(report.lines[0].find("m.cu:20:5: error: "), 0u) << report.lines[0];
}

TEST_F(Interpret, LaneOutsideItsOwnMask) {
  const Report report = interpret(
      [](ThreadContext* thread) {
        if (thread->thread < 16) sync_warp(thread, thread->thread == 7 ? 0xff00 : 0xff7f, 2);
      },
      32, 1);
  EXPECT_EQ(report.result.fault, Fault::misuse);
  ASSERT_FALSE(report.lines.empty());
  EXPECT_NE(report.lines[0].find("m.cu:30:7: error: kernel 'misuse()', block [0,0,0], thread "
                                 "[7,0,0]: lane 7 calls __syncwarp with mask 0x0000ff00"),
            std::string::npos)
      << report.lines[0];
}

TEST_F(Interpret, MasksThatDisagree) {
  const Report report = interpret(
      [](ThreadContext* thread) {
        sync_warp(thread, thread->thread < 16 ? 0xffffffff : 0xffff0001, 2);
      },
      32, 1);
  EXPECT_EQ(report.result.fault, Fault::misuse);
  expect_line(report, "m.cu:30:7: error: ", "with mask 0xffffffff while thread [16,0,0]");
}

TEST_F(Interpret, Deadlock) {
  const Report report = interpret(
      [](ThreadContext* thread) {
        if (thread->thread == 3) {
          sync_warp(thread, 0xffffffff, 2);
        } else {
          barrier(thread, 0);
        }
      },
      32);
  EXPECT_EQ(report.result.fault, Fault::barrier_deadlock);
  EXPECT_EQ(report.result.message.find("m.cu:30:7: error: "), 0u) << report.result.message;
}

TEST_F(Interpret, UninitialisedSharedMemory) {
  const Report report = interpret(
      [](ThreadContext* thread) {
        const std::uint32_t t = thread->thread;
        if (t != 11) write(thread, shared(thread) + t, t, 0);
        barrier(thread, 0);
        const std::uint32_t value = read(thread, shared(thread) + (t + 1) % 33, 1);
        argument<std::uint32_t*>(thread->block, 0)[t] = value;
      },
      33, 1);
  EXPECT_EQ(report.result.fault, Fault::none);
  expect_line(report, "m.cu:20:5: warning: kernel 'misuse()', block [0,0,0], thread [10,0,0]: ",
              "read of uninitialised shared memory (byte 44 of the block's)");
  float poison;
  std::memcpy(&poison, &out_[10], sizeof poison);
  EXPECT_NE(poison, poison) << "unwritten shared memory reads as NaN";
  EXPECT_EQ(out_[9], 10u);
}

TEST_F(Interpret, SharedMemoryIsFreshForEachBlock) {
  const Report report = interpret(
      [](ThreadContext* thread) {
        if (thread->block->block_index.x == 0) write(thread, shared(thread), 1, 0);
        read(thread, shared(thread), 1);
      },
      1, 40);
  EXPECT_EQ(report.result.fault, Fault::none);
  EXPECT_EQ(report.lines.size(), 1u);
}

TEST_F(Interpret, AccessPastTheEndOfSharedMemory) {
  const Report report = interpret(
      [](ThreadContext* thread) {
        gridspan_check_shared(thread, thread->block->shared + 250, 8, 1, &places[0]);
      },
      1, 1);
  EXPECT_EQ(report.result.fault, Fault::misuse);
  expect_line(report, "m.cu:10:3: error: ", "past the end of shared memory (256 bytes)");
}

TEST_F(Interpret, FaultNamesTheLineOfTheAccess) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "TSan delays signals";
#endif
#endif
  const Report report = interpret(
      [](ThreadContext* thread) __attribute__((no_sanitize("undefined", "address"))) {
        auto* bad = reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{0x40});
        gridspan_check_shared(thread, const_cast<std::uint32_t*>(bad), 4, 1, &places[2]);
        *bad = 1;
      },
      1, 1);
  EXPECT_EQ(report.result.fault, Fault::illegal_address);
  EXPECT_EQ(report.result.message.find("m.cu:30:7: error: "), 0u) << report.result.message;
}

}  // namespace
}  // namespace gridspan::test::interpret
