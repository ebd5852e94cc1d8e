// A device becomes slower and faster again: work moves away, and back. Time is what the test says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"

#include <array>
#include <atomic>

namespace gridspan::tests::plan_slow_device {

using namespace gridspan::runtime;

namespace {

constexpr std::int32_t n = 512 * 8;
constexpr abi::Dim grid{512, 1, 1}, block{8, 1, 1};

void add_one(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i < argument<std::int32_t>(thread, 1)) ++argument<int*>(thread, 0)[i];
}

/// A device of this machine that says which kind it is, and has a clock of its own that goes on by
/// so many nanoseconds for each block.
class TimedDevice : public DeviceInFront {
 public:
  TimedDevice(std::unique_ptr<devices::Device> behind, const char* kind, std::uint32_t speed)
      : DeviceInFront(std::move(behind)), facts_(ForwardedDevice::facts()) {
    facts_.kind = kind;
    facts_.speed = speed;
  }

  const devices::DeviceFacts& facts() const override { return facts_; }
  devices::RunResult run_part(const abi::Kernel& kernel,
                              const abi::LaunchContext& launch) override {
    blocks += launch.block_count.x;
    now_ += launch.block_count.x * block_time.load();
    return DeviceInFront::run_part(kernel, launch);
  }
  devices::Mark mark_time() override { return static_cast<devices::Mark>(now_.load()); }
  std::int64_t time_of(devices::Mark mark) override { return static_cast<std::int64_t>(mark); }

  std::atomic<std::uint64_t> block_time{1000}, blocks{0};

 private:
  devices::DeviceFacts facts_;
  std::atomic<std::uint64_t> now_{1};
};

/// Device 0 is a CPU, at home; device 1 a GPU, whose memory is four times as fast.
class SlowDevice : public testing::Test {
 protected:
  static constexpr unsigned cpu = 0, gpu = 1;
  static constexpr std::uint64_t usual_gpu = 10'000, usual_cpu = 40'000;  // nanoseconds a block

  SlowDevice() {
    kernel
        .array(4, {set(SetKind::read, own_element, exact),
                   set(SetKind::must_write, own_element, exact)})
        .runs<add_one>();
    devices[gpu]->block_time = usual_gpu;
    devices[cpu]->block_time = usual_cpu;
    bench.fill(data, 0, n * sizeof(int));
  }
  ~SlowDevice() override { EXPECT_EQ(bench.read(data, n), std::vector<int>(n, launches)); }

  void launch(int count) {
    for (int i = 0; i < count; ++i) {
      bench.launch(kernel.command(grid, block, {data}, {n}));
      bench.finish();
    }
    launches += count;
  }
  /// Of 512 blocks, those that the CPU runs now.
  double blocks_of_cpu() {
    devices[cpu]->blocks = 0;
    launch(10);
    return static_cast<double>(devices[cpu]->blocks) / 10;
  }
  /// Launches until it runs so many, at most 10 000.
  int launches_until(double least, double most) {
    const int before = launches;
    for (double now = -1; (now < least || now > most) && launches - before < 10'000;)
      now = blocks_of_cpu();
    return launches - before;
  }

  ModelledKernel kernel{"add", 1, 1};
  std::array<TimedDevice*, 2> devices{};
  PlanBench bench{
      2, {.policy = {}, .wrap = [this](unsigned i, std::unique_ptr<devices::Device> behind) {
            auto made = std::make_unique<TimedDevice>(std::move(behind), i == cpu ? "cpu" : "cuda",
                                                      i == cpu ? 100 : 400);
            devices[i] = made.get();
            return made;
          }}};
  int* data = bench.allocate<int>(n);
  int launches = 0;
};

constexpr double fifth = 512.0 / 5;

TEST_F(SlowDevice, BeginsOnTheFastestAndSharesByTime) {
  launch(3);
  EXPECT_EQ(devices[cpu]->blocks, 0u);
  EXPECT_LE(launches_until(fifth - 2, fifth + 2), 200);
}

TEST_F(SlowDevice, GetsLessAndMoreAgain) {
  launch(200);
  devices[cpu]->block_time = 3 * usual_cpu;
  EXPECT_LE(launches_until(512.0 / 13 - 2, 512.0 / 13 + 2), 200);
  devices[cpu]->block_time = usual_cpu;
  EXPECT_LE(launches_until(fifth - 2, fifth + 2), 200);
}

TEST_F(SlowDevice, IsLeftOutAndComesBack) {
  launch(200);
  devices[cpu]->block_time = 1000 * usual_cpu;
  EXPECT_LE(launches_until(0, 0), 300);
  devices[cpu]->blocks = 0;
  launch(900);
  EXPECT_EQ(devices[cpu]->blocks, 0u);
  launch(400);  // asked again, with two blocks each
  EXPECT_GT(devices[cpu]->blocks, 0u);
  EXPECT_LE(devices[cpu]->blocks, 64u * 2);
  EXPECT_EQ(blocks_of_cpu(), 0);
  devices[cpu]->block_time = usual_cpu;
  EXPECT_LE(launches_until(fifth - 2, fifth + 2), 2300);
}

/// The same of the one with the fastest memory.
TEST_F(SlowDevice, TheFastestIsLeftOutAndComesBack) {
  launch(200);
  devices[gpu]->block_time = 10'000 * usual_gpu;
  EXPECT_LE(launches_until(512, 512), 300);
  devices[gpu]->block_time = usual_gpu;
  EXPECT_LE(launches_until(fifth - 2, fifth + 2), 1500);
}

}  // namespace
}  // namespace gridspan::tests::plan_slow_device
