// Hotspot and Jacobi for several devices, written by hand: what the planner is held against.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   handmade hotspot|jacobi SIZE STEPS RUNS DEVICES
//
// The same compiled kernels on the same devices as bench/programs runs them on. A thread for each
// device does what a person would write: its slab of rows, a flag when it is done with a step, the
// neighbours' rows next to its own copied over. Nothing else is waited for and nothing looked up.
#include "devices/make_devices.h"
#include "runtime/api/registry.h"
#include "runtime/plan/cut.h"

#include "../programs/results.h"
#include "../programs/values.h"

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace gridspan;

extern "C" const void* hotspot_kernel();
extern "C" const void* jacobi_kernel();

namespace {

constexpr abi::Dim block{32, 8, 1};

struct Setting {
  bool is_hotspot;
  int size, steps;

  std::size_t cells() const {
    return static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  }
  abi::Dim grid() const {
    const auto n = static_cast<std::uint32_t>(size);
    return {(n + block.x - 1) / block.x, (n + block.y - 1) / block.y, 1};
  }
};

/// What the host has: each array's first values.
struct Input {
  explicit Input(const Setting& setting) : power(fill(setting, 0, 1)) {
    const bool hot = setting.is_hotspot;
    even = hot ? fill(setting, 20, 90) : fill(setting, 0, 64);
    odd = even;
  }
  static std::vector<float> fill(const Setting& setting, float low, float high) {
    const auto value = bench::numbers(low, high);
    std::vector<float> values(setting.cells());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i);
    return values;
  }
  std::vector<float> power, even, odd;
};

/// One device's slab. Arrays have the layout of the whole, of which it touches its rows.
class Slab {
 public:
  Slab(const Setting& setting, devices::Device& device, const runtime::BlockBox& blocks)
      : setting_(setting), device_(device), blocks_(blocks) {
    begin_ = static_cast<int>(blocks.first.y * block.y);
    end_ = std::min(setting.size, begin_ + static_cast<int>(blocks.count.y * block.y));
    for (float** array : {&power_, &fields_[0], &fields_[1]}) {
      *array = static_cast<float*>(device.memory().reserve(setting.cells() * sizeof(float)));
      if (!*array) std::abort();
    }
  }

  devices::Device& device() { return device_; }

  void upload(const Input& input) {
    const int first = std::max(begin_ - 1, 0), last = std::min(end_ + 1, setting_.size);
    copy_rows(power_, input.power.data(), begin_, end_);
    copy_rows(fields_[0], input.even.data(), first, last);
    copy_rows(fields_[1], input.odd.data(), first, last);
    done_.store(0);
  }
  void download(std::vector<char>& result) const {
    copy_rows(reinterpret_cast<float*>(result.data()), fields_[setting_.steps % 2], begin_, end_);
  }

  void run(const abi::Kernel& kernel, Slab* above, Slab* below) {
    for (int step = 0; step < setting_.steps; ++step) {
      launch(kernel, step);
      done_.store(step + 1, std::memory_order_release);
      float* const later = fields_[(step + 1) % 2];
      if (above) {
        above->wait_for(step + 1);
        copy_rows(later, above->fields_[(step + 1) % 2], begin_ - 1, begin_);
      }
      if (below) {
        below->wait_for(step + 1);
        copy_rows(later, below->fields_[(step + 1) % 2], end_, end_ + 1);
      }
    }
  }

 private:
  void copy_rows(float* to, const float* from, int first, int last) const {
    const auto row = static_cast<std::size_t>(setting_.size);
    const std::size_t begin = static_cast<std::size_t>(first) * row;
    std::memcpy(to + begin, from + begin,
                static_cast<std::size_t>(last - first) * row * sizeof(float));
  }
  void wait_for(int step) const {
    while (done_.load(std::memory_order_acquire) < step) __builtin_ia32_pause();
  }
  void launch(const abi::Kernel& kernel, int step) {
    float* in = fields_[step % 2];
    float* out = fields_[(step + 1) % 2];
    int n = setting_.size;
    float cap = 0.5f, across = 0.1f, along = 0.1f, sink = 0.01f, c = 0.125f;
    const void* hotspot[] = {&power_, &in, &out, &n, &n, &cap, &across, &along, &sink};
    const void* jacobi[] = {&in, &out, &n, &n, &c};
    const abi::LaunchContext context{.version = abi::version,
                                     .dynamic_shared = 0,
                                     .grid = setting_.grid(),
                                     .block = block,
                                     .first_block = blocks_.first,
                                     .block_count = blocks_.count,
                                     .arguments = setting_.is_hotspot ? hotspot : jacobi,
                                     .symbols = nullptr,
                                     .arrays = nullptr,
                                     .scratch = nullptr,
                                     .distinct_arguments = false,
                                     .small_arguments = false};
    if (device_.queue().run_part(kernel, context).fault != devices::Fault::none) std::abort();
  }

  const Setting setting_;
  devices::Device& device_;
  const runtime::BlockBox blocks_;
  int begin_, end_;  // rows
  float* power_ = nullptr;
  float* fields_[2] = {};
  alignas(64) std::atomic<int> done_{0};  // steps
};

/// A thread for each device goes through the phases of all runs together with this one.
void measure(const Setting& setting, int runs, std::vector<std::unique_ptr<Slab>>& slabs,
             const abi::Kernel& kernel) {
  const Input input(setting);
  std::vector<char> result(setting.cells() * sizeof(float));
  std::barrier everybody(static_cast<std::ptrdiff_t>(slabs.size()) + 1);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    threads.emplace_back([&, i] {
      Slab& own = *slabs[i];
      own.device().queue().adopt_thread();
      for (int run = 0; run < runs; ++run) {
        everybody.arrive_and_wait();
        own.upload(input);
        everybody.arrive_and_wait();
        own.run(kernel, i > 0 ? slabs[i - 1].get() : nullptr,
                i + 1 < slabs.size() ? slabs[i + 1].get() : nullptr);
        everybody.arrive_and_wait();
        own.download(result);
        everybody.arrive_and_wait();
      }
    });
  }
  for (int run = 0; run < runs; ++run) {
    everybody.arrive_and_wait();
    const auto start = bench::Clock::now();
    everybody.arrive_and_wait();
    const auto uploaded = bench::Clock::now();
    everybody.arrive_and_wait();
    const auto computed = bench::Clock::now();
    everybody.arrive_and_wait();
    bench::print_run(start, uploaded, computed, bench::Clock::now());
  }
  threads.clear();
  bench::Digest digest;
  digest.add(result);
  digest.print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: handmade hotspot|jacobi SIZE STEPS RUNS DEVICES\n");
    return 1;
  }
  const Setting setting{std::string(argv[1]) == "hotspot", std::atoi(argv[2]), std::atoi(argv[3])};
  const int count = std::atoi(argv[5]);
  support::Options options;
  options.devices = *support::parse_devices("cpu:" + std::to_string(count) + "x1");
  const auto devices = *devices::make_devices(options);
  const void* stub = setting.is_hotspot ? hotspot_kernel() : jacobi_kernel();
  const auto function = runtime::registry().find_function(stub);

  std::vector<std::unique_ptr<Slab>> slabs;
  const std::vector<std::uint32_t> equal(devices.size(), 1);
  for (const runtime::CutPart& part : runtime::cut(setting.grid(), 1, 1, equal)) {
    slabs.push_back(std::make_unique<Slab>(setting, *devices[part.device], part.blocks));
  }
  measure(setting, std::atoi(argv[4]), slabs, *function->kernel);
  return 0;
}
