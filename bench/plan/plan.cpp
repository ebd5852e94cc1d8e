// What planning costs: Hotspot on 1 to 32 devices that do nothing, and programs that never repeat.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is that of the planning thread alone (its CPU time), from the command to its parts and
// copies standing in the devices' queues. Goals: at most 1 us per device for a launch like an
// earlier one, 10 us per device for a new one, whatever came before.
//   known       the same two launches in turn, as in every program that takes steps
//   new         a launch never seen before: it has a row less than the last
//   waking      known, but every device has gone to sleep and must be woken, as in a program that
//               waits for each launch
// `bench_plan DEVICES known|new ROUNDS` does only that, so many times 100 launches, and
// `bench_plan DEVICES LU|Gauss|pyramid|rectangles` one of the programs: for perf.
#include "idle_machine.h"
#include "sequences.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

extern "C" const void* hotspot_kernel();

namespace {

using bench::IdleMachine;

constexpr int side = 16384;  // Mekong's medium size
constexpr gridspan::abi::Dim block{32, 8, 1};
constexpr int window = 100;      // launches: all their work fits into the devices' queues
constexpr double gpu_step = 84;  // us of a step on eight modern GPUs, by memory bandwidth

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Hotspot {
 public:
  explicit Hotspot(unsigned count) : machine_(count) {
    constexpr std::size_t bytes = std::size_t{side} * side * sizeof(float);
    for (void** array : {&power_, &in_, &out_}) *array = machine_.allocate(bytes);
  }

  void launch(int rows) {
    machine_.launch(hotspot_kernel(), bench::blocks_of(side, rows, block), block, power_, in_, out_,
                    rows, side, 0.5f, 0.1f, 0.1f, 0.01f);
    std::swap(in_, out_);
  }

  /// us a launch takes, while the devices stand still.
  double running_ahead(const std::function<int()>& rows) {
    const auto launches = [&] {
      for (int i = 0; i < window; ++i) launch(rows());
    };
    return machine_.running_ahead([this] { launch(side); }, launches) / window;
  }
  double waking() {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const double start = bench::cpu_microseconds();
    launch(side);
    const double taken = bench::cpu_microseconds() - start;
    machine_.finish();
    return taken;
  }

 private:
  IdleMachine machine_;
  void *power_ = nullptr, *in_ = nullptr, *out_ = nullptr;
};

double median_of(int count, const std::function<double()>& measure) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(measure());
  return median(std::move(samples));
}

void report(unsigned count) {
  Hotspot& bench = *new Hotspot(count);
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
  Hotspot& bench = *new Hotspot(count);
  int rows = side;
  const auto next = [&] { return is_known ? side : --rows; };
  double taken = 0;
  for (int i = 0; i < rounds; ++i) taken += bench.running_ahead(next);
  std::printf("%.2f us a launch\n", taken / rounds);
}

void report_all() {
  std::printf(
      "| devices | known, us | a device | new, us | a device | waking, us | known, of %.0f us |\n",
      gpu_step);
  std::printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const unsigned count : {1u, 2u, 4u, 8u, 16u, 32u}) report(count);
  std::printf(
      "\n| program | devices | a launch, us a device: first | halfway | after 10 000 steps | worst "
      "20 |\n| --- | --- | --- | --- | --- | --- |\n");
  for (const unsigned count : {2u, 4u, 8u}) bench::report_sequences(count);
}

}  // namespace

int main(int argument_count, char** arguments) {
  const auto devices = argument_count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 0;
  if (argument_count == 4)
    repeat(devices, !std::strcmp(arguments[2], "known"), std::atoi(arguments[3]));
  else if (argument_count == 3)
    bench::report_sequences(devices, arguments[2]);
  else
    report_all();
  std::fflush(nullptr);
  std::_Exit(0);  // device threads are still there
}
