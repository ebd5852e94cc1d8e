// Pieces of work in processes of their own: all are done, their words come in order, failures are
// told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/side_by_side.h"

#include <gtest/gtest.h>
#include <llvm/Support/raw_ostream.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <new>
#include <string>
#include <vector>

namespace gridspan::driver {
namespace {

constexpr std::size_t pieces = 17;

/// What all processes see.
struct Board {
  std::atomic<int> done[pieces], at_work, most_at_work;
  std::atomic<pid_t> by[pieces];
};

class SideBySide : public testing::Test {
 protected:
  SideBySide() {
    void* memory =
        mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    board_ = new (memory) Board();
  }
  ~SideBySide() override { munmap(board_, sizeof(Board)); }

  /// Later pieces take less time.
  bool work(std::size_t piece) {
    const int now = ++board_->at_work;
    for (int most = board_->most_at_work;
         most < now && !board_->most_at_work.compare_exchange_weak(most, now);) {
    }
    usleep(static_cast<useconds_t>(1000 * (pieces - piece)));
    llvm::errs() << "piece " << piece << '\n';
    ++board_->done[piece];
    board_->by[piece] = getpid();
    --board_->at_work;
    return true;
  }

  Board* board_;
};

std::string words(std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += "piece " + std::to_string(i) + "\n";
  return all;
}

TEST_F(SideBySide, AllIsDoneAndToldInOrder) {
  for (const AtATime at_a_time : {AtATime{4, false}, AtATime{}, AtATime{1, false}}) {
    for (auto& done : board_->done) done = 0;
    board_->most_at_work = 0;
    testing::internal::CaptureStderr();
    EXPECT_TRUE(do_side_by_side(pieces, at_a_time, [&](std::size_t i) { return work(i); }));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), words(pieces));
    for (const auto& done : board_->done) EXPECT_EQ(done.load(), 1);
    if (at_a_time.most != 0) EXPECT_EQ(board_->most_at_work.load(), int(at_a_time.most));
  }
}

TEST_F(SideBySide, OneAtATimeIsThisProcess) {
  EXPECT_TRUE(do_side_by_side(2, {1, false}, [&](std::size_t i) { return work(i); }));
  EXPECT_EQ(board_->by[0].load(), getpid());
  EXPECT_EQ(board_->by[1].load(), getpid());
  EXPECT_TRUE(do_side_by_side(2, {2, false}, [&](std::size_t i) { return work(i); }));
  EXPECT_NE(board_->by[0].load(), getpid());
  EXPECT_NE(board_->by[0].load(), board_->by[1].load());
}

TEST_F(SideBySide, WhatIsBehindAFailureIsGivenUp) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(do_side_by_side(pieces, {2, false}, [&](std::size_t i) {
    if (i == 3) return false;
    if (i > 3) sleep(60);
    return work(i);
  }));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), words(3));
}

TEST_F(SideBySide, ACrashIsTold) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(do_side_by_side(3, {2, false}, [&](std::size_t i) {
    if (i == 1) raise(SIGKILL);
    return work(i);
  }));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with("piece 0\n")) << said;
  EXPECT_NE(said.find("error: the device compiler ended: Killed"), said.npos) << said;
}

}  // namespace
}  // namespace gridspan::driver
