// A device's memory: address space, what is backed, what comes back, protection.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/cpu_memory.h"

#include "devices/cpu/sanitizers.h"

#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace gridspan::test {
namespace {

using namespace devices::cpu;

constexpr std::size_t mega = std::size_t{1} << 20;
constexpr CpuMemory::Options separate{.capacity = ~std::uint64_t{0}, .is_separate = true};

/// Bytes of a page-aligned range that are in memory.
std::size_t backed(void* memory, std::size_t size) {
  std::vector<unsigned char> pages((size + page_bytes() - 1) / page_bytes());
  EXPECT_EQ(mincore(memory, size, pages.data()), 0);
  std::size_t bytes = 0;
  for (const unsigned char page : pages) bytes += (page & 1) * page_bytes();
  return bytes;
}

bool is_aligned(const void* memory, std::size_t unit) {
  return reinterpret_cast<std::uintptr_t>(memory) % unit == 0;
}

TEST(DeviceMemory, RangesTakeMemoryWhereTheyAreTouched) {
  CpuMemory device(separate);
  auto* small = static_cast<char*>(device.reserve(100 * page_bytes()));
  ASSERT_NE(small, nullptr);
  EXPECT_TRUE(is_aligned(small, page_bytes()));
  EXPECT_EQ(backed(small, 100 * page_bytes()), 0u);
  small[50 * page_bytes()] = 1;
  EXPECT_EQ(backed(small, 100 * page_bytes()), page_bytes());
  const std::size_t tera = std::size_t{1} << 40;
  auto* large = static_cast<char*>(device.reserve(tera));
  ASSERT_NE(large, nullptr);
  EXPECT_TRUE(is_aligned(large, page_bytes()));
  large[0] = large[tera - 1] = 1;
  EXPECT_LE(backed(large, 64 * mega), 2 * mega);
  device.release(large, tera);
  device.release(small, 100 * page_bytes());
}

TEST(DeviceMemory, DiscardGivesBackWholePagesOnly) {
  CpuMemory device(separate);
  const std::size_t page = page_bytes();
  auto* range = static_cast<char*>(device.reserve(8 * page));
  ASSERT_NE(range, nullptr);
  std::memset(range, 7, 8 * page);
  discard_pages(range + page + 1, 4 * page);  // the pages 2, 3 and 4 lie in it
  EXPECT_EQ(backed(range, 8 * page), 5 * page);
  EXPECT_EQ(range[page + 1], 7);
  EXPECT_EQ(range[2 * page - 1], 7);
  EXPECT_EQ(range[5 * page], 7);
  discard_pages(range, page - 1);
  discard_pages(range + 1, page - 1);
  discard_pages(range, 0);
  EXPECT_EQ(backed(range, 8 * page), 5 * page);
  std::memset(range, 8, 8 * page);  // it is still ours
  device.release(range, 8 * page);
}

/// Small ones are used again as they are.
TEST(DeviceMemory, ReleasedRangesAreUsedAgainWithoutTheirMemory) {
  CpuMemory device(separate);
  for (const std::size_t size : {3 * page_bytes(), 40 * page_bytes(), 5 * mega + 1}) {
    void* first = device.reserve(size);
    std::memset(first, 1, size);
    device.release(first, size);
    void* second = device.reserve(size);
    EXPECT_EQ(first, second);
    EXPECT_EQ(backed(second, size), size == 3 * page_bytes() ? size : 0u) << size;
    device.release(second, size);
  }
}

TEST(DeviceMemory, AllocationsOfASeparateDeviceAreAlignedAndWhole) {
  CpuMemory device(separate);
  std::vector<char*> blocks;
  for (const std::size_t size : {0ul, 1ul, 255ul, 256ul, 5000ul, 2 * mega - 100, 2 * mega}) {
    blocks.push_back(static_cast<char*>(device.allocate(size)));
    ASSERT_NE(blocks.back(), nullptr);
    EXPECT_TRUE(is_aligned(blocks.back(), size >= 2 * mega - 100 ? page_bytes() : 256));
    std::memset(blocks.back(), static_cast<int>(blocks.size()), size);
  }
  EXPECT_EQ(blocks[4][4999], 5);
  EXPECT_EQ(blocks[5][2 * mega - 101], 6);
  for (char* block : blocks) device.free(block);
  device.free(nullptr);
}

/// Blocks on the heap are then where it puts them.
#ifdef GRIDSPAN_ADDRESS_SANITIZER
constexpr bool heap_has_red_zones = true;
#else
constexpr bool heap_has_red_zones = false;
#endif

/// Their elements with the same subscript would share a few lines of caches.
TEST(DeviceMemory, LargeBlocksBeginAtDifferentPagesOfHugePages) {
  for (const bool is_separate : {false, true}) {
    CpuMemory device({.capacity = ~std::uint64_t{0}, .is_separate = is_separate});
    for (const std::size_t size : {2 * mega, 4 * mega, 64 * mega}) {
      std::set<std::uintptr_t> beginnings;
      std::vector<void*> blocks, ranges;
      for (int i = 0; i < 4; ++i) {
        blocks.push_back(device.allocate(size));
        ranges.push_back(device.reserve(size));
        for (void* memory : {blocks.back(), ranges.back()}) {
          ASSERT_NE(memory, nullptr);
          EXPECT_TRUE(is_aligned(memory, page_bytes()));
          std::memset(memory, i, size);
        }
        beginnings.insert(reinterpret_cast<std::uintptr_t>(blocks.back()) % (2 * mega));
      }
      if (is_separate || !heap_has_red_zones) EXPECT_GE(beginnings.size(), 3u) << size;
      for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(static_cast<char*>(blocks[i])[size - 1], i);
        EXPECT_EQ(static_cast<char*>(ranges[i])[0], i);
        device.free(blocks[i]);
        device.release(ranges[i], size);
      }
    }
  }
}

TEST(DeviceMemory, CapacityLimitsWhatIsAllocated) {
  for (const bool is_separate : {false, true}) {
    CpuMemory device({.capacity = 4 * mega, .is_separate = is_separate});
    void* most = device.allocate(3 * mega);
    EXPECT_NE(most, nullptr);
    EXPECT_EQ(device.allocate(mega + 1), nullptr);
    void* rest = device.allocate(mega);
    EXPECT_NE(rest, nullptr);
    EXPECT_EQ(device.allocate(1), nullptr);
    device.free(most);
    EXPECT_EQ(device.allocate(~std::size_t{0}), nullptr);
    void* again = device.allocate(3 * mega);
    EXPECT_NE(again, nullptr);
    device.free(again);
    device.free(rest);
  }
}

TEST(DeviceMemory, MoreThanTheAddressSpaceIsRefused) {
  CpuMemory device(separate);
  EXPECT_EQ(device.reserve(~std::size_t{0}), nullptr);
  EXPECT_EQ(device.reserve(std::size_t{1} << 62), nullptr);
  EXPECT_EQ(device.allocate(std::size_t{1} << 62), nullptr);
  EXPECT_NE(device.reserve(1), nullptr);
}

/// With less address space than a slab, a range gets just what it needs.
TEST(DeviceMemoryDeathTest, ALimitedAddressSpaceIsUsedToItsEnd) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers need the address space";
#endif
  const auto body = [] {
    const rlimit limit{4096 * mega, 4096 * mega};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(1);
    CpuMemory device(separate);
    auto* small = static_cast<char*>(device.reserve(mega));
    auto* large = static_cast<char*>(device.reserve(512 * mega));
    if (small == nullptr || large == nullptr) std::_Exit(2);
    small[0] = large[0] = 1;
    std::_Exit(device.reserve(4096 * mega) == nullptr ? 0 : 3);
  };
  EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

TEST(DeviceMemoryDeathTest, ProtectionCoversEverythingTheDeviceHas) {
  CpuMemory device(separate);
  auto* small = static_cast<char*>(device.reserve(1));
  auto* large = static_cast<char*>(device.reserve(2 * mega));
  auto* block = static_cast<char*>(device.allocate(10));
  auto* large_block = static_cast<char*>(device.allocate(3 * mega));
  ASSERT_TRUE(device.protect(true));
  auto* later = static_cast<char*>(device.reserve(std::size_t{20} << 30));  // a new slab
  for (volatile char* memory : {small, large, block, large_block, later}) {
    EXPECT_DEATH(*memory = 1, "");
  }
  ASSERT_TRUE(device.protect(false));
  for (volatile char* memory : {small, large, block, large_block, later}) *memory = 1;
  EXPECT_EQ(*small + *large + *block + *large_block + *later, 5);
}

TEST(DeviceMemory, PrefersItsNumaNode) {
  CpuMemory device({.capacity = 0, .is_separate = true, .numa_node = 0});
  void* range = device.reserve(page_bytes());
  int mode = -1;
  unsigned long nodes[16] = {};
  if (syscall(SYS_get_mempolicy, &mode, nodes, 1024ul, range, MPOL_F_ADDR) != 0) {
    GTEST_SKIP() << "no memory policies here";
  }
  EXPECT_EQ(mode, MPOL_PREFERRED);
  EXPECT_EQ(nodes[0], 1ul);
  CpuMemory elsewhere({.capacity = 0, .is_separate = true, .numa_node = 900});
  EXPECT_NE(elsewhere.reserve(page_bytes()), nullptr);  // no such node: said in the log at most
}

/// Random ranges from several threads: inside each other's neighbourhood, never overlapping.
TEST(DeviceMemory, RangesOfManyThreadsStayApart) {
  CpuMemory device(separate);
  const auto work = [&device](unsigned seed) {
    std::minstd_rand random(seed);
    struct Range {
      char* memory;
      std::size_t size;
    };
    std::vector<Range> mine;
    for (int step = 0; step < 2000; ++step) {
      if (mine.size() > 40 || (!mine.empty() && random() % 3 == 0)) {
        std::swap(mine[random() % mine.size()], mine.back());
        const auto [memory, size] = mine.back();
        EXPECT_EQ(memory[0], static_cast<char>(seed));
        EXPECT_EQ(memory[size - 1], static_cast<char>(seed));
        device.release(memory, size);
        mine.pop_back();
      } else {
        const std::size_t size = 1 + random() % (random() % 4 == 0 ? 6 * mega : 5 * page_bytes());
        auto* memory = static_cast<char*>(device.reserve(size));
        ASSERT_NE(memory, nullptr);
        memory[0] = memory[size - 1] = static_cast<char>(seed);
        mine.push_back({memory, size});
      }
    }
    for (const auto& [memory, size] : mine) device.release(memory, size);
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
}

/// After everything is given back, free stretches have joined: the pool is as it was.
TEST(AddressPool, FreeStretchesJoinAgain) {
  AddressPool pool({.slab_bytes = 64 * mega});
  void* const whole = pool.take(60 * mega, page_bytes());
  ASSERT_NE(whole, nullptr);
  pool.give_back(whole, 60 * mega);
  std::minstd_rand random(5);
  std::vector<std::pair<void*, std::size_t>> taken;
  for (int i = 0; i < 300; ++i) {
    const std::size_t size = 256 * (1 + random() % 500);
    taken.emplace_back(pool.take(size, 256u << random() % 5), size);
  }
  std::shuffle(taken.begin(), taken.end(), random);
  for (const auto& [memory, size] : taken) pool.give_back(memory, size);
  EXPECT_EQ(pool.take(60 * mega, page_bytes()), whole);
}

/// Ranges in use never share a byte, whatever is taken and given back in between.
TEST(AddressPool, RangesInUseStayApart) {
  AddressPool pool({.slab_bytes = 8 * mega, .kept_bytes = SIZE_MAX});
  std::minstd_rand random(7);
  std::map<std::uintptr_t, std::size_t> taken;
  for (int i = 0; i < 20'000; ++i) {
    if (taken.size() > 200 || (!taken.empty() && random() % 3 == 0)) {
      const auto one = std::next(taken.begin(), random() % taken.size());
      pool.give_back(reinterpret_cast<void*>(one->first), one->second);
      taken.erase(one);
      continue;
    }
    const std::size_t size = 256 * (1 + random() % 300), unit = 256u << random() % 6;
    void* const memory = pool.take(size, unit);
    ASSERT_TRUE(memory != nullptr && is_aligned(memory, unit));
    const auto [place, is_new] = taken.emplace(reinterpret_cast<std::uintptr_t>(memory), size);
    ASSERT_TRUE(is_new);
    if (place != taken.begin()) {
      ASSERT_LE(std::prev(place)->first + std::prev(place)->second, place->first);
    }
    if (std::next(place) != taken.end()) {
      ASSERT_LE(place->first + size, std::next(place)->first);
    }
  }
}

/// Small ranges come and go without Linux; the memory of larger ones goes back.
TEST(AddressPool, SmallRangesKeepTheirMemory) {
  const std::size_t kept = 4 * page_bytes();
  for (const std::size_t size : {page_bytes(), kept, kept + page_bytes()}) {
    AddressPool pool({.slab_bytes = 8 * mega, .kept_bytes = kept});
    auto* const memory = static_cast<volatile char*>(pool.take(size, page_bytes()));
    ASSERT_NE(memory, nullptr);
    memory[0] = 7;
    memory[size - 1] = 7;
    pool.give_back(const_cast<char*>(memory), size);
    ASSERT_EQ(pool.take(size, page_bytes()), memory);
    EXPECT_EQ(memory[0], size <= kept ? 7 : 0) << size;
    EXPECT_EQ(memory[size - 1], size <= kept ? 7 : 0) << size;
  }
}

/// As on GPUs, where a store a little beyond an allocation hits nothing but device memory.
TEST(DeviceMemory, BesideBlocksIsNoHeap) {
#ifdef GRIDSPAN_ADDRESS_SANITIZER
  GTEST_SKIP() << "with AddressSanitizer blocks are on the heap, so that such stores are found";
#endif
  CpuMemory device({.capacity = ~std::uint64_t{0}});
  constexpr std::size_t beyond = 64 << 10;
  for (const std::size_t size : {1, 3072, 100'000}) {
    char* const memory = static_cast<char*>(device.allocate(size));
    void* const heap = std::malloc(size);
    std::memset(memory - beyond, 0x5a, size + 2 * beyond);
    std::free(heap);
    device.free(memory);
  }
  for (const std::size_t size : {2 * mega, 5 * mega, 64 * mega}) {
    char* const memory = static_cast<char*>(device.allocate(size));
    std::memset(memory, 0x5a, size + beyond);
    device.free(memory);
  }
  std::vector<char*> largest;  // side by side, as Linux maps them
  for (int i = 0; i < 4; ++i) largest.push_back(static_cast<char*>(device.allocate(64 * mega)));
  for (char* memory : largest) std::memset(memory - beyond, 0x5a, beyond);
  for (char* memory : largest) {
    EXPECT_EQ(memory[0], 0);
    EXPECT_EQ(memory[64 * mega - 1], 0);
    device.free(memory);
  }
}

/// Nobody's memory goes back to Linux to be asked for again at the next cudaMalloc.
TEST(DeviceMemory, FreedBlocksOfTheOnlyDeviceStayAtHand) {
#ifdef GRIDSPAN_ADDRESS_SANITIZER
  GTEST_SKIP() << "blocks are on the heap";
#endif
  CpuMemory device({.capacity = ~std::uint64_t{0}});
  void* const memory = device.allocate(mega);
  std::memset(memory, 1, mega);
  device.free(memory);
  EXPECT_EQ(backed(memory, mega), mega);
  EXPECT_EQ(device.allocate(mega), memory);
}

#ifndef GRIDSPAN_ADDRESS_SANITIZER
/// Whether a read of one byte there is a fault, by a system call, which fails where a read would.
bool is_fault(const void* memory) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return false;
  const bool is_refused = write(pipe_ends[1], memory, 1) == -1 && errno == EFAULT;
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return is_refused;
}

/// A kernel that uses freed memory writes into no thread's heap or stack: nobody gets the
/// addresses.
TEST(DeviceMemory, AddressesOfTheLargestBlocksStayFaultsAfterTheyAreFreed) {
  CpuMemory device({.capacity = ~std::uint64_t{0}});
  for (const std::size_t size : {32 * mega, 64 * mega, 97 * mega + 11}) {
    char* const memory = static_cast<char*>(device.allocate(size));
    ASSERT_NE(memory, nullptr);
    memory[0] = memory[size - 1] = 1;
    EXPECT_FALSE(is_fault(memory));
    device.free(memory);
    std::vector<std::pair<char*, std::size_t>> others;
    for (const std::size_t other : {size, size / 2, 64 * mega, mega, mega / 4}) {
      void* const mapping =
          mmap(nullptr, other, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      ASSERT_NE(mapping, MAP_FAILED);
      others.emplace_back(static_cast<char*>(mapping), other);
    }
    for (std::size_t at = 0; at < size; at += mega) EXPECT_TRUE(is_fault(memory + at)) << at;
    EXPECT_TRUE(is_fault(memory + size - 1));
    for (const auto& [mapping, bytes] : others) munmap(mapping, bytes);
  }
}

/// Their memory goes back at once, and so do addresses in the end.
TEST(DeviceMemory, ManyOfTheLargestBlocksComeAndGo) {
  CpuMemory device({.capacity = ~std::uint64_t{0}});
  std::set<void*> seen;
  for (int i = 0; i < 300; ++i) {
    char* const memory = static_cast<char*>(device.allocate(40 * mega));
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(memory[39 * mega], 0);
    memory[39 * mega] = 1;
    seen.insert(memory);
    device.free(memory);
  }
  EXPECT_GT(seen.size(), 8u);
  EXPECT_LT(seen.size(), 150u);
}
#endif

}  // namespace
}  // namespace gridspan::test
