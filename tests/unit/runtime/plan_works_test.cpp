// Single pieces of work: what is merged, and what becomes of work that throws.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/cpu_device.h"
#include "runtime/plan/works.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <stdexcept>
#include <vector>

namespace gridspan::tests {

using namespace gridspan::runtime;
using regions::BoxCopy;

namespace {

/// One row of a buffer.
BoxCopy row(std::int64_t offset, std::size_t bytes) {
  return {offset, {bytes, 1, 1}, bytes, bytes};
}

/// Two copies of a buffer of `unit`-byte elements, of which each changes some; merged through
/// boxes.
class Merge {
 public:
  Merge(std::size_t bytes, std::uint32_t unit)
      : unit_(unit), before(bytes, 'a'), target(before), other(before) {}

  void write(std::vector<char>& memory, std::size_t element, const char* value) const {
    std::memcpy(memory.data() + element * unit_, value, unit_);
  }
  void through(std::vector<BoxCopy> boxes) {
    FirstFault fault;
    auto twin = std::make_shared<Twin>();
    twin->boxes = std::move(boxes);
    const auto device = devices::cpu::make_device({.threads = 1});
    TwinWork(*device, fault, before.data(), twin).run();
    MergeWork(fault, {device.get(), target.data()}, {device.get(), other.data()}, twin, unit_)
        .run();
    EXPECT_EQ(fault.get(), devices::Fault::none);
  }

 private:
  std::uint32_t unit_;

 public:
  std::vector<char> before, target, other;
};

TEST(MergeWork, ElementsMayLieAcrossTheRowsOfAView) {
  Merge merge(64, 8);
  merge.write(merge.other, 1, "OTHER..1");
  merge.write(merge.target, 2, "TARGET.2");
  merge.write(merge.target, 0, "TARGET.0");
  // As a buffer is seen whose rows of 16 bytes start at byte 12.
  merge.through({row(0, 12), {12, {16, 3, 1}, 16, 48}, row(60, 4)});
  EXPECT_EQ(std::string(merge.target.data(), 24), "TARGET.0OTHER..1TARGET.2");
}

TEST(MergeWork, AnElementIsTakenAsAWhole) {
  Merge merge(64, 8);
  merge.write(merge.target, 3, "TARGET.3");
  merge.write(merge.other, 3, "aaaaaaBB");  // both write it: the last stands, not a mixture
  merge.through({row(0, 28), row(28, 36)});
  EXPECT_EQ(std::string(merge.target.data() + 24, 8), "aaaaaaBB");
}

TEST(MergeWork, OtherBytesStay) {
  Merge merge(64, 4);
  merge.write(merge.other, 2, "XXXX");
  merge.write(merge.other, 9, "YYYY");
  merge.through({row(32, 32)});
  EXPECT_EQ(std::string(merge.target.data() + 8, 4), "aaaa");  // not in the box
  EXPECT_EQ(std::string(merge.target.data() + 36, 4), "YYYY");
}

/// Against element by element, for elements of all sizes and rows cut anywhere.
TEST(MergeWork, DoesAsOneElementAfterTheOther) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 200; ++turn) {
    const std::uint32_t unit = std::vector<std::uint32_t>{1, 2, 4, 8, 12, 24}[random() % 6];
    const std::size_t count = 50 + random() % 100;
    Merge merge(count * unit, unit);
    std::vector<char> want = merge.before;
    for (std::size_t element = 0; element < count; ++element) {
      const std::string value(unit, static_cast<char>('b' + random() % 20));
      if (random() % 2) continue;
      merge.write(random() % 2 ? merge.target : merge.other, element, value.data());
      merge.write(want, element, value.data());
    }
    std::vector<BoxCopy> boxes;
    for (std::size_t at = 0; at < want.size();) {
      const std::size_t bytes = std::min<std::size_t>(1 + random() % 400, want.size() - at);
      boxes.push_back(row(static_cast<std::int64_t>(at), bytes));
      at += bytes;
    }
    merge.through(boxes);
    ASSERT_EQ(merge.target, want) << "elements of " << unit << " bytes, turn " << turn;
  }
}

TEST(GuardedWork, WhatItThrowsIsAFault) {
  struct Throwing final : GuardedWork {
    Throwing(FirstFault& fault, bool no_memory_) : GuardedWork(fault), no_memory(no_memory_) {}
    devices::RunResult run_guarded() override {
      if (no_memory) throw std::bad_alloc();
      throw std::runtime_error("gone");
    }
    bool no_memory;
  };
  for (const bool no_memory : {false, true}) {
    FirstFault fault;
    Throwing(fault, no_memory).run();
    EXPECT_EQ(fault.get(), no_memory ? devices::Fault::out_of_memory : devices::Fault::trap);
  }
}

}  // namespace

}  // namespace gridspan::tests
