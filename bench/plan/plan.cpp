// What planning costs: Hotspot on 1 to 32 devices that do nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is that of the planning thread alone (its CPU time), from the command to its parts and
// copies standing in the devices' queues. Goals: at most 1 us per device for a launch like an
// earlier one, 10 us per device for a new one.
//   known       the same two launches in turn, as in every program that takes steps
//   new         a launch never seen before: it has a row less than the last
//   waking      known, but every device has gone to sleep and must be woken, as in a program that
//               waits for each launch
// `bench_plan DEVICES known|new ROUNDS` does only that, so many times 100 launches: for perf.
#include "idle_device.h"
#include "runtime/api/registry.h"
#include "runtime/memory/home_memory.h"
#include "runtime/plan/many_devices.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

using namespace gridspan;

extern "C" const void* hotspot_kernel();

namespace {

constexpr int side = 16384;  // Mekong's medium size
constexpr abi::Dim block{32, 8, 1};
constexpr int window = 100;      // launches: all their work fits into the devices' queues
constexpr double gpu_step = 84;  // us of a step on eight modern GPUs, by memory bandwidth

double cpu_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Bench {
 public:
  explicit Bench(unsigned count)
      : kernel_(*runtime::registry().find_function(hotspot_kernel())->kernel) {
    for (unsigned i = 0; i < count; ++i) devices_.push_back(std::make_unique<IdleDevice>(gate_));
    memory_ = new runtime::HomeMemory(*devices_.front(), std::uint64_t{1} << 40, true);
    many_ = new runtime::ManyDevices(devices_, memory_->table(), false);
    constexpr std::size_t bytes = std::size_t{side} * side * sizeof(float);
    for (void** array : {&power_, &in_, &out_}) {
      *array = memory_->allocate(bytes, runtime::MemoryKind::device);
    }
  }

  void launch(int rows) {
    float cap = 0.5f, rx = 0.1f, ry = 0.1f, rz = 0.01f;
    int columns = side;
    void* values[] = {&power_, &in_, &out_, &rows, &columns, &cap, &rx, &ry, &rz};
    const auto blocks = [](int n, std::uint32_t b) {
      return (static_cast<std::uint32_t>(n) + b - 1) / b;
    };
    runtime::KernelCommand command(
        kernel_, {}, {{blocks(columns, block.x), blocks(rows, block.y), 1}, block, 0}, values);
    many_->run(command);
    many_->passed(++sequence_);
    std::swap(in_, out_);
  }
  void finish() { many_->finish(sequence_); }

  /// us a launch takes, while the devices stand still.
  double running_ahead(const std::function<int()>& rows) {
    gate_.close();
    launch(side);  // the devices stand at this one
    const double start = cpu_microseconds();
    for (int i = 0; i < window; ++i) launch(rows());
    const double taken = (cpu_microseconds() - start) / window;
    gate_.open();
    finish();
    return taken;
  }
  double waking() {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const double start = cpu_microseconds();
    launch(side);
    const double taken = cpu_microseconds() - start;
    finish();
    return taken;
  }

 private:
  using IdleDevice = bench::IdleDevice;

  const abi::Kernel& kernel_;
  bench::Gate gate_;
  std::vector<std::unique_ptr<devices::Device>> devices_;
  runtime::HomeMemory* memory_;  // these are never destroyed
  runtime::ManyDevices* many_;
  void *power_ = nullptr, *in_ = nullptr, *out_ = nullptr;
  runtime::Sequence sequence_ = 0;
};

double median_of(int count, const std::function<double()>& measure) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(measure());
  return median(std::move(samples));
}

void report(unsigned count) {
  Bench& bench = *new Bench(count);
  const auto same = [] { return side; };
  int rows = side;
  const auto another = [&rows] { return --rows; };
  bench.running_ahead(same);
  const double known = median_of(21, [&] { return bench.running_ahead(same); });
  const double fresh = median_of(11, [&] { return bench.running_ahead(another); });
  bench.running_ahead(same);
  const double waking = median_of(51, [&] { return bench.waking(); });
  const double devices = count;
  std::printf("| %u | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f %% |\n", count, known,
              known / devices, fresh, fresh / devices, waking, 100 * known / gpu_step);
  std::fflush(stdout);
}

/// One number of the table, and nothing else.
void repeat(unsigned count, bool is_known, int rounds) {
  Bench& bench = *new Bench(count);
  int rows = side;
  const auto next = [&] { return is_known ? side : --rows; };
  double taken = 0;
  for (int i = 0; i < rounds; ++i) taken += bench.running_ahead(next);
  std::printf("%.2f us a launch\n", taken / rounds);
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count == 4) {
    repeat(static_cast<unsigned>(std::atoi(arguments[1])), !std::strcmp(arguments[2], "known"),
           std::atoi(arguments[3]));
    std::fflush(nullptr);
    std::_Exit(0);
  }
  std::printf(
      "| devices | known, us | a device | new, us | a device | waking, us | known, of %.0f us |\n",
      gpu_step);
  std::printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const unsigned count : {1u, 2u, 4u, 8u, 16u, 32u}) report(count);
  std::fflush(nullptr);
  std::_Exit(0);  // device threads are still there
}
