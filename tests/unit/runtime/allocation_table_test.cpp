// The allocation table against a byte-by-byte reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/allocation_table.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

using namespace gridspan::runtime;

namespace {

void* address(std::uintptr_t value) { return reinterpret_cast<void*>(value); }
bool any_kind(MemoryKind) { return true; }

TEST(AllocationTable, FindsInteriorPointersAndEnds) {
  AllocationTable table;
  ASSERT_TRUE(table.insert({1000, 100, MemoryKind::device, 0}));
  ASSERT_TRUE(table.insert({1100, 1, MemoryKind::host, 3}));
  EXPECT_FALSE(table.find(address(999)).is_live());
  EXPECT_EQ(table.find(address(1000)).allocation.base, 1000u);
  EXPECT_EQ(table.find(address(1099)).allocation.base, 1000u);
  EXPECT_EQ(table.find(address(1100)).allocation.flags, 3u);
  EXPECT_FALSE(table.find(address(1101)).is_live());
}

TEST(AllocationTable, RefusesOverlapAndEmptyRanges) {
  AllocationTable table;
  ASSERT_TRUE(table.insert({1000, 100, MemoryKind::device, 0}));
  EXPECT_FALSE(table.insert({950, 51, MemoryKind::device, 0}));
  EXPECT_FALSE(table.insert({1099, 10, MemoryKind::device, 0}));
  EXPECT_FALSE(table.insert({900, 1000, MemoryKind::device, 0}));
  EXPECT_FALSE(table.insert({2000, 0, MemoryKind::device, 0}));
  EXPECT_FALSE(table.insert({~std::uintptr_t{0} - 5, 10, MemoryKind::device, 0}));
  EXPECT_EQ(table.bytes(MemoryKind::device), 100u);
}

TEST(AllocationTable, TellsFreedFromUnknown) {
  AllocationTable table;
  ASSERT_TRUE(table.insert({1000, 100, MemoryKind::device, 0}));
  EXPECT_FALSE(table.remove(address(1001), any_kind).is_live());
  EXPECT_TRUE(table.remove(address(1000), any_kind).is_live());
  EXPECT_TRUE(table.remove(address(1000), any_kind).is_freed());
  EXPECT_TRUE(table.find(address(1050)).is_freed());
  ASSERT_TRUE(table.insert({1040, 20, MemoryKind::device, 0}));
  EXPECT_TRUE(table.find(address(1050)).is_live());
  EXPECT_FALSE(table.find(address(1010)).is_freed());
  EXPECT_EQ(table.check(), nullptr);
}

TEST(AllocationTable, RemovesOnlyAcceptedKinds) {
  AllocationTable table;
  ASSERT_TRUE(table.insert({1000, 100, MemoryKind::host, 0}));
  const auto only_device = [](MemoryKind kind) { return kind == MemoryKind::device; };
  EXPECT_EQ(table.remove(address(1000), only_device).state, Lookup::State::unknown);
  EXPECT_TRUE(table.find(address(1000)).is_live());
}

TEST(AllocationTable, DropsStaleRegistrations) {
  AllocationTable table;
  ASSERT_TRUE(table.insert({1000, 100, MemoryKind::registered, 0}));
  ASSERT_TRUE(table.insert({1200, 100, MemoryKind::device, 0}));
  ASSERT_TRUE(table.insert({1400, 100, MemoryKind::registered, 0}));
  table.drop_stale_registrations(address(1050), 400);
  EXPECT_FALSE(table.find(address(1000)).is_live());
  EXPECT_TRUE(table.find(address(1250)).is_live());
  EXPECT_FALSE(table.find(address(1400)).is_live());
}

TEST(AllocationTable, RemembersABoundedNumberOfFreedRanges) {
  AllocationTable table;
  for (std::uintptr_t i = 1; i <= 10000; ++i) {
    ASSERT_TRUE(table.insert({i * 100, 50, MemoryKind::device, 0}));
    ASSERT_TRUE(table.remove(address(i * 100), any_kind).is_live());
  }
  EXPECT_EQ(table.check(), nullptr);
  EXPECT_TRUE(table.find(address(10000 * 100)).is_freed());
  EXPECT_FALSE(table.find(address(100)).is_freed());
}

TEST(AllocationTable, HoldsWhatRetires) {
  AllocationTable table;
  table.insert({0x1000, 256, MemoryKind::device, 0});
  ASSERT_TRUE(table.retire(address(0x1000), any_kind).is_live());
  EXPECT_TRUE(table.find(address(0x1010)).is_held());
  EXPECT_TRUE(table.find(address(0x1010)).is_freed());
  EXPECT_FALSE(table.find(address(0x1010)).is_live());
  EXPECT_EQ(table.bytes(MemoryKind::device), 256u);
  EXPECT_EQ(table.held().size(), 1u);
  EXPECT_TRUE(table.remove(address(0x1000), any_kind).is_freed());
  EXPECT_TRUE(table.retire(address(0x1000), any_kind).is_freed());
  EXPECT_FALSE(table.insert({0x10f0, 32, MemoryKind::device, 0}));
  table.end_retirement(0x1000);
  EXPECT_FALSE(table.find(address(0x1010)).is_held());
  EXPECT_TRUE(table.find(address(0x1010)).is_freed());
  EXPECT_EQ(table.bytes(MemoryKind::device), 0u);
  EXPECT_TRUE(table.held().empty());
  EXPECT_TRUE(table.insert({0x10f0, 32, MemoryKind::device, 0}));
  EXPECT_EQ(table.check(), nullptr);
}

/// Every address of a small space, each with the number of its allocation: 0 none, > 0 live,
/// < 0 freed; beyond `retiring`, retiring.
class Reference {
 public:
  static constexpr std::uintptr_t size = 400;
  static constexpr int retiring = 1000;

  bool insert(std::uintptr_t base, std::size_t length, int number) {
    for (std::uintptr_t a = base; a < base + length; ++a) {
      if (owner_[a] > 0) return false;
    }
    // A freed range is forgotten as a whole.
    for (std::uintptr_t a = base; a < base + length; ++a) {
      const int freed = owner_[a];
      if (freed < 0) {
        for (int& owner : owner_) owner = owner == freed ? 0 : owner;
      }
    }
    for (std::uintptr_t a = base; a < base + length; ++a) owner_[a] = number;
    return true;
  }
  bool starts(std::uintptr_t base) const {
    return is_live(base) && (base == 0 || owner_[base - 1] != owner_[base]);
  }
  void free(std::uintptr_t base) { rename(owner_[base], -(owner_[base] % retiring)); }
  void retire(std::uintptr_t base) { rename(owner_[base], owner_[base] + retiring); }
  bool is_live(std::uintptr_t a) const { return owner_[a] > 0 && owner_[a] < retiring; }
  bool is_held(std::uintptr_t a) const { return owner_[a] > 0; }
  bool is_freed(std::uintptr_t a) const { return owner_[a] < 0 || owner_[a] > retiring; }

 private:
  void rename(int number, int name) {
    for (int& owner : owner_) owner = owner == number ? name : owner;
  }

  std::array<int, size + 64> owner_{};
};

TEST(AllocationTable, AgreesWithAReferenceOnRandomOperations) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    AllocationTable table;
    Reference reference;
    constexpr std::uintptr_t origin = 0x10000;
    std::vector<std::uintptr_t> retired;
    for (int step = 1; step < 400; ++step) {
      const std::uintptr_t base = random() % Reference::size;
      const std::size_t length = 1 + random() % 30;
      if (random() % 2) {
        EXPECT_EQ(table.insert({origin + base, length, MemoryKind::device, 0}),
                  reference.insert(base, length, step));
      } else if (random() % 2) {
        const bool live = reference.starts(base);
        EXPECT_EQ(table.remove(address(origin + base), any_kind).is_live(), live);
        if (live) reference.free(base);
      } else if (random() % 2) {
        const bool live = reference.starts(base);
        EXPECT_EQ(table.retire(address(origin + base), any_kind).is_live(), live);
        if (live) {
          reference.retire(base);
          retired.push_back(base);
        }
      } else if (!retired.empty()) {
        table.end_retirement(origin + retired.back());
        reference.free(retired.back());
        retired.pop_back();
      }
      ASSERT_EQ(table.check(), nullptr) << "seed " << seed << " step " << step;
      for (std::uintptr_t a = 0; a < Reference::size; ++a) {
        const Lookup found = table.find(address(origin + a));
        ASSERT_EQ(found.is_live(), reference.is_live(a)) << "seed " << seed << " step " << step;
        ASSERT_EQ(found.is_held(), reference.is_held(a)) << "seed " << seed << " step " << step;
        ASSERT_EQ(found.is_freed(), reference.is_freed(a)) << "seed " << seed << " step " << step;
      }
    }
  }
}

}  // namespace
