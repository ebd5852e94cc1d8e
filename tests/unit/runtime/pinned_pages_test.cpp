// Which pages of the program's memory a device is asked to reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/pinned_pages.h"

#include "fake_device.h"
#include "runtime/memory/home_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace {

using namespace gridspan;

/// Notes what is registered, and refuses what overlaps, as drivers do.
class Pinning final : public devices::HostMemory {
 public:
  bool register_host(void* memory, std::size_t size) override {
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    if (first == refused) return false;
    EXPECT_EQ(first % 4096, 0u);
    EXPECT_EQ(size % 4096, 0u);
    for (auto page = first; page < first + size; page += 4096)
      EXPECT_TRUE(pages.insert(page).second) << page;
    sizes[first] = size;
    return true;
  }
  void unregister_host(void* memory) override {
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    for (auto page = first; page < first + sizes[first]; page += 4096) pages.erase(page);
    sizes.erase(first);
  }

  void* allocate_host(std::size_t) override { return nullptr; }
  void free_host(void*) override {}
  void* allocate_managed(std::size_t) override { return nullptr; }
  void free_managed(void*) override {}
  void begin_prefetch(void*, std::size_t, bool) override {}
  void advise(void*, std::size_t, int, bool) override {}

  std::uintptr_t refused = 0;
  std::set<std::uintptr_t> pages;
  std::map<std::uintptr_t, std::size_t> sizes;
};

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

TEST(PinnedPages, NeighboursShareTheirPages) {
  Pinning device;
  runtime::PinnedPages pages;
  EXPECT_TRUE(pages.pin(device, at(0x10010), 4));
  EXPECT_TRUE(pages.pin(device, at(0x10ff0), 0x30));
  EXPECT_TRUE(pages.pin(device, at(0x11020), 0x3000));
  EXPECT_EQ(device.pages, (std::set<std::uintptr_t>{0x10000, 0x11000, 0x12000, 0x13000, 0x14000}));
  EXPECT_TRUE(pages.pin(device, at(0x14fff), 1));
  pages.unpin(device, at(0x11020), 0x3000);
  EXPECT_EQ(device.pages, (std::set<std::uintptr_t>{0x10000, 0x11000, 0x14000}));
  pages.unpin(device, at(0x10010), 4);
  pages.unpin(device, at(0x14fff), 1);
  pages.unpin(device, at(0x10ff0), 0x30);
  EXPECT_TRUE(device.pages.empty());
}

TEST(PinnedPages, ARefusalLeavesNothing) {
  Pinning device;
  runtime::PinnedPages pages;
  for (const std::uintptr_t refused : {0x20000, 0x21000, 0x23000}) {
    device.refused = refused;
    EXPECT_FALSE(pages.pin(device, at(0x20010), 0x3000));
    EXPECT_TRUE(device.pages.empty());
  }
  device.refused = 0;
  EXPECT_TRUE(pages.pin(device, at(0x20010), 0x3000));
  EXPECT_EQ(device.pages.size(), 4u);
}

TEST(PinnedPages, NothingIsNothing) {
  Pinning device;
  runtime::PinnedPages pages;
  EXPECT_TRUE(pages.pin(device, at(0x30000), 0));
  pages.unpin(device, at(0x30000), 0);
  EXPECT_TRUE(device.pages.empty());
}

/// Notes what was locked when memory went.
class DeviceOfPages final : public tests::FakeDevice {
 public:
  explicit DeviceOfPages(const Pinning& host) : host_(host) {}
  void* reserve(std::size_t size) override { return std::aligned_alloc(4096, size); }
  void release(void* memory, std::size_t) override {
    EXPECT_TRUE(host_.pages.empty());
    ++gone;
    std::free(memory);
  }
  int gone = 0;

 private:
  const Pinning& host_;
};

TEST(HomeMemory, LockedPagesAreUnlockedBeforeTheyGo) {
  constexpr std::size_t large = std::size_t{8} << 20, small = std::size_t{1} << 20;
  Pinning host;
  DeviceOfPages device(host);
  runtime::HomeMemory memory(device, std::uint64_t{1} << 30, true, &host);
  void* const one = memory.allocate(large, runtime::MemoryKind::device);
  void* const other = memory.allocate(small, runtime::MemoryKind::device);
  const auto base = [](void* of) { return reinterpret_cast<std::uintptr_t>(of); };
  EXPECT_FALSE(memory.lock_pages(base(one) + 4096));
  EXPECT_FALSE(memory.lock_pages(base(other)));  // not worth it
  host.refused = base(one);
  EXPECT_FALSE(memory.lock_pages(base(one)));
  host.refused = 0;
  EXPECT_TRUE(memory.lock_pages(base(one)));
  EXPECT_TRUE(memory.lock_pages(base(one)));  // once
  EXPECT_EQ(host.pages.size(), large / 4096);
  for (void* const each : {one, other}) {
    const runtime::Lookup gone = memory.table().remove(each, [](auto) { return true; });
    memory.release(gone.allocation);
  }
  EXPECT_EQ(device.gone, 2);
}

}  // namespace
