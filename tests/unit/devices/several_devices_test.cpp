// Several devices in one process: all at once, each in its own memory, none in another's way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/make_devices.h"
#include "test_kernel.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace gridspan::test {
namespace {

using devices::Device;
using Devices = std::vector<std::unique_ptr<Device>>;
using namespace std::chrono_literals;

Devices make(const char* setting, support::CpuMode mode = support::CpuMode::regions) {
  support::Options options;
  options.devices = *support::parse_devices(setting);
  options.cpu = mode;
  auto made = devices::make_devices(options);
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

/// Calls `body(k)` for each device on a thread of the device's own, all at the same time.
template <class Body>
void on_each(const Devices& all, Body body) {
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < all.size(); ++k) {
    threads.emplace_back([&, k] {
      all[k]->queue().adopt_thread();
      body(k);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// --- results

/// out[i] = 3 * in[i] + add, as regions and on fibers.
void scale(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto* in = argument<const std::uint32_t*>(block, 0);
  auto* out = argument<std::uint32_t*>(block, 1);
  const auto add = argument<std::uint32_t>(block, 2);
  const std::uint64_t start = block_number(block) * block->thread_count;
  for (std::uint32_t t = first; t < last; ++t) out[start + t] = 3 * in[start + t] + add;
}
void scale_on_fiber(ThreadContext* thread) {
  scale(thread->block, thread->thread, thread->thread + 1);
}

struct Arrays {
  static constexpr std::uint32_t blocks = 60, threads = 33, count = blocks * threads;
  std::uint32_t* in;
  std::uint32_t* out;
  std::uint32_t add;

  Arrays(Device& device, std::uint32_t add_)
      : in(static_cast<std::uint32_t*>(device.memory().reserve(count * sizeof *in))),
        out(static_cast<std::uint32_t*>(device.memory().reserve(count * sizeof *out))),
        add(add_) {
    for (std::uint32_t i = 0; i < count; ++i) in[i] = i ^ add;
  }
  TestLaunch launch() const { return {{blocks, 1, 1}, {threads, 1, 1}, {&in, &out, &add}}; }
  bool is_right() const {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (out[i] != 3 * (i ^ add) + add) return false;
    }
    return true;
  }
};

const TestKernel scale_regions({.regions = {{scale, abi::exited, {}, {}}}});
const TestKernel scale_fibers({.thread = scale_on_fiber});

class Settings : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Devices, Settings,
                         testing::Values("cpu", "cpu:2", "cpu:7", "cpu:3x2", "numa+cpu:1x3"));

TEST_P(Settings, KernelsOnAllDevicesAtOnceAreRight) {
  const Devices all = make(GetParam());
  on_each(all, [&](std::size_t k) {
    const Arrays arrays(*all[k], static_cast<std::uint32_t>(k + 1));
    for (int repeat = 0; repeat < 100; ++repeat) {
      const TestKernel& kernel = repeat % 10 == 9 ? scale_fibers : scale_regions;
      std::memset(arrays.out, 0, Arrays::count * sizeof *arrays.out);
      expect_clean(run(*all[k], kernel, arrays.launch()));
      ASSERT_TRUE(arrays.is_right()) << "device " << k;
    }
  });
}

// --- threads

/// Who runs blocks now, on all devices together.
struct Crowd {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::size_t wanted;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::now() + 20s;
};

void wait_for_everybody(BlockContext* block, std::uint32_t, std::uint32_t) {
  auto* crowd = argument<Crowd*>(block, 0);
  for (;;) {
    {
      const std::lock_guard lock(crowd->mutex);
      crowd->threads.insert(std::this_thread::get_id());
      if (crowd->threads.size() >= crowd->wanted) return;
      if (std::chrono::steady_clock::now() > crowd->deadline) return;
    }
    std::this_thread::sleep_for(200us);
  }
}

/// Each block holds its thread until as many threads as all devices have together are at it: the
/// callers count, no device takes another's threads, and none is missing, however few cores there
/// are.
TEST_P(Settings, AllThreadsOfAllDevicesRunAtOnce) {
  const Devices all = make(GetParam());
  Crowd crowd;
  crowd.wanted = 0;
  for (const auto& device : all) crowd.wanted += device->facts().workers;
  const TestKernel kernel({.regions = {{wait_for_everybody, abi::exited, {}, {}}}});
  on_each(all, [&](std::size_t k) {
    Crowd* data = &crowd;
    expect_clean(run(*all[k], kernel, {{all[k]->facts().workers * 8, 1, 1}, {1, 1, 1}, {&data}}));
  });
  EXPECT_EQ(crowd.threads.size(), crowd.wanted);
}

// --- memory

#if !__has_feature(thread_sanitizer)  // which delays signals

/// Kernels of device k, while the memory of all others is out of reach.
TEST_P(Settings, KernelsTouchTheirDevicesMemoryOnly) {
  const Devices all = make(GetParam());
  std::vector<Arrays> arrays;
  for (std::uint32_t k = 0; k < all.size(); ++k) arrays.emplace_back(*all[k], k + 1);
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (std::size_t other = 0; other < all.size(); ++other) {
      if (other != k) {
        ASSERT_TRUE(all[other]->memory().protect(true));
      }
    }
    for (const TestKernel* kernel : {&scale_regions, &scale_fibers}) {
      expect_clean(run(*all[k], *kernel, arrays[k].launch()));
      if (all.size() == 1) continue;
      const Arrays& stranger = arrays[(k + 1) % all.size()];
      EXPECT_EQ(run(*all[k], *kernel, stranger.launch()).fault, Fault::illegal_address);
    }
    for (const auto& device : all) ASSERT_TRUE(device->memory().protect(false));
    EXPECT_TRUE(arrays[k].is_right());
  }
}

TEST(SeveralDevices, HomeMemoryIsProtectedToo) {
  const Devices all = make("cpu:2");
  Arrays arrays(*all[1], 1);
  arrays.in =
      static_cast<std::uint32_t*>(all[0]->memory().allocate(Arrays::count * sizeof *arrays.in));
  ASSERT_TRUE(all[0]->memory().protect(true));
  EXPECT_EQ(run(*all[1], scale_regions, arrays.launch()).fault, Fault::illegal_address);
  ASSERT_TRUE(all[0]->memory().protect(false));
  expect_clean(run(*all[1], scale_regions, arrays.launch()));
}

// --- faults

void write_through_null(BlockContext* block, std::uint32_t, std::uint32_t) {
  if (block_number(block) == 7) *argument<volatile int*>(block, 0) = 1;
}

TEST(SeveralDevices, AFaultStaysOnItsDevice) {
  const Devices all = make("cpu:4x2");
  const TestKernel bad({.regions = {{write_through_null, abi::exited, {}, {}}}});
  on_each(all, [&](std::size_t k) {
    const Arrays arrays(*all[k], static_cast<std::uint32_t>(k));
    for (int repeat = 0; repeat < 50; ++repeat) {
      if (k % 2 == 0) {
        int* null = nullptr;
        const RunResult result = run(*all[k], bad, {{40, 1, 1}, {32, 1, 1}, {&null}});
        EXPECT_EQ(result.fault, Fault::illegal_address);
        EXPECT_NE(result.message.find("block [7,0,0]"), std::string::npos) << result.message;
      } else {
        expect_clean(run(*all[k], scale_regions, arrays.launch()));
        ASSERT_TRUE(arrays.is_right());
      }
    }
  });
}

#endif

// --- what programs are promised

struct GridBarrier {
  std::uint32_t arrived = 0;
};

void meet_all_blocks(ThreadContext* thread) {
  auto* barrier = argument<GridBarrier*>(thread->block, 0);
  if (thread->thread == 0) __atomic_fetch_add(&barrier->arrived, 1, __ATOMIC_ACQ_REL);
  const std::uint32_t blocks = thread->block->launch->grid.x;
  do gridspan_fiber_yield(thread);
  while (__atomic_load_n(&barrier->arrived, __ATOMIC_ACQUIRE) < blocks);
}

/// The program reads the multiprocessors of all devices and fills them with blocks that wait for
/// each other. Such a kernel runs on one device, which must hold them all.
TEST(SeveralDevices, ABlockForEveryPlaceOfAllDevicesFitsOnOne) {
  const Devices all = make("cpu:3x2");
  const TestKernel kernel({.thread = meet_all_blocks});
  GridBarrier barrier;
  GridBarrier* data = &barrier;
  const std::uint32_t blocks = 6 * devices::cpu::max_resident_blocks;
  expect_clean(run(*all[2], kernel, {{blocks, 1, 1}, {2, 1, 1}, {&data}}));
  EXPECT_EQ(barrier.arrived, blocks);
}

// --- what devices say

constexpr SourcePoint some_place{"s.cu", 4, 2};

void print_and_misuse(ThreadContext* thread) {
  struct {
    int device, thread;
  } values{argument<int>(thread->block, 0), static_cast<int>(thread->thread)};
  gridspan_device_vprintf("device %d thread %d says a line of its own\n", &values);
  gridspan_check_shared(thread, thread->block->shared, 4, 0, &some_place);  // nobody wrote there
}

/// Lines of devices that print at once stay whole; a misuse is reported once for all devices.
TEST(SeveralDevices, LinesStayWholeAndMisuseIsSaidOnce) {
  const Devices all = make("cpu:4", support::CpuMode::interpret);
  const TestKernel kernel({.name = "_Z5printv", .thread = print_and_misuse, .static_shared = 64});
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  on_each(all, [&](std::size_t k) {
    const int number = static_cast<int>(k);
    for (int repeat = 0; repeat < 10; ++repeat) {
      run(*all[k], kernel, {{2, 1, 1}, {8, 1, 1}, {&number}});
    }
  });
  std::fflush(stdout);
  const std::string errors = testing::internal::GetCapturedStderr();
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.size(); ++lines) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    int device = -1, thread = -1, read = 0;
    std::sscanf(line.c_str(), "device %d thread %d says a line of its own%n", &device, &thread,
                &read);
    EXPECT_EQ(static_cast<std::size_t>(read), line.size()) << line;
    at = end + 1;
  }
  EXPECT_EQ(lines, 4u * 10 * 2 * 8);
}

}  // namespace
}  // namespace gridspan::test
