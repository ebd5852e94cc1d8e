// The best of a few: what disturbs a copy makes it slower, never faster.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/measure/probe.h"

#include "devices/measure/copy_kernel.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace gridspan::devices {
namespace {

constexpr std::size_t small = std::size_t{64} << 10, large = std::size_t{16} << 20;
constexpr std::size_t least_stream = std::size_t{32} << 20, most_stream = std::size_t{128} << 20;
constexpr int tries = 4;

/// Memory of a device for as long as this lives; its pages are there.
class Room {
 public:
  Room(Device& device, std::size_t bytes)
      : device_(device),
        bytes_(bytes),
        memory_(static_cast<char*>(device.memory().reserve(bytes))) {
    const bool needs_memory = memory_ && device.memory().memory_unit(bytes) != 0;
    if (needs_memory && device.memory().commit(memory_, bytes) < bytes) give_back();
    if (memory_ && device.memory().fill(pitched(bytes), {bytes, 1, 1}, 1).fault != Fault::none)
      give_back();
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() { give_back(); }

  bool is_there() const { return memory_ != nullptr; }
  char* memory() const { return memory_; }
  Pitched pitched(std::size_t bytes) const { return {memory_, bytes, bytes}; }

 private:
  void give_back() {
    if (memory_) device_.memory().release(memory_, bytes_);
    memory_ = nullptr;
  }

  Device& device_;
  const std::size_t bytes_;
  char* memory_;
};

/// Seconds that `copy` takes, which gives a RunResult; the first time does not count.
template <class Copy>
support::Result<double> time(Copy copy) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= tries; ++i) {
    const auto begin = Clock::now();
    if (const RunResult result = copy(); result.fault != Fault::none)
      return support::fail(result.message);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (i > 0) best = std::min(best, seconds);
  }
  return std::max(best, 1e-9);
}

/// copy(bytes) for two sizes: what a byte costs, and what it costs that there is a copy at all.
template <class Copy>
support::Result<Link> time_two(Copy copy, std::size_t less, std::size_t more) {
  const auto of_less = time([&] { return copy(less); });
  if (!of_less) return support::fail(of_less.error());
  const auto of_more = time([&] { return copy(more); });
  if (!of_more) return support::fail(of_more.error());
  const double rate = *of_more > 2 * *of_less
                          ? static_cast<double>(more - less) / (*of_more - *of_less)
                          : static_cast<double>(more) / *of_more;
  return Link{std::max(0.0, *of_less - static_cast<double>(less) / rate), rate};
}

}  // namespace

support::Result<double> probe_memory(Device& device) {
  // What stays in a cache would not be its memory.
  const std::size_t bytes =
      std::clamp<std::size_t>(2 * std::size_t{device.facts().l2_bytes}, least_stream, most_stream);
  const Room to(device, bytes), from(device, bytes);
  if (!to.is_there() || !from.is_there()) return support::fail("no room to measure");
  const auto link = time_two(
      [&](std::size_t part) {
        if (!device.facts().only_begins) return run_copy(device, to.memory(), from.memory(), part);
        return device.memory().copy(to.pitched(part), from.pitched(part), {part, 1, 1});
      },
      small, bytes);
  if (!link) return support::fail(link.error());
  return 2 * link->bytes_per_second;  // read, and written
}

support::Result<Link> probe_link(Device& from, Device& to) {
  const Room target(to, large), source(from, large);
  if (!target.is_there() || !source.is_there()) return support::fail("no room to measure");
  // As the run time chooses who copies (runtime/plan/coherence.cpp).
  const bool is_pushed = to.facts().host_reaches_memory && !from.facts().host_reaches_memory;
  Device& mover = is_pushed ? from : to;
  return time_two(
      [&](std::size_t part) {
        return mover.memory().copy(target.pitched(part), source.pitched(part), {part, 1, 1});
      },
      small, large);
}

}  // namespace gridspan::devices
