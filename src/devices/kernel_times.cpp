// A device with a stopwatch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/kernel_times.h"

#include "devices/decorators.h"

#include <chrono>
#include <cstdio>
#include <utility>

namespace gridspan::devices {

namespace {

class TimedQueue final : public ForwardedQueue {
 public:
  TimedQueue(CommandQueue& behind, KernelTimes& times) : ForwardedQueue(behind), times_(times) {}

  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    const auto begin = std::chrono::steady_clock::now();
    RunResult result = ForwardedQueue::run_part(kernel, launch);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    times_.add(kernel, time.count());
    return result;
  }
  RunResult run_lists(std::span<const PartList> lists) override {
    return run_one_by_one(*this, lists);
  }
  /// To know how long it took is to wait for it.
  RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    return run_part(kernel, launch);
  }

  /// Nor could kernels of a graph be timed.
  WorkGraphs* graphs() override { return nullptr; }

 private:
  KernelTimes& times_;
};

class TimedDevice final : public ForwardedDevice {
 public:
  TimedDevice(std::unique_ptr<Device> behind, KernelTimes& times)
      : ForwardedDevice(std::move(behind)), queue_(ForwardedDevice::queue(), times) {}

  CommandQueue& queue() override { return queue_; }

 private:
  TimedQueue queue_;
};

/// Paths may hold anything.
std::string quoted(const char* text) {
  std::string result = "\"";
  for (const char* at = text; at != nullptr && *at != 0; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte == '"' || byte == '\\') result += '\\';
    result += byte < ' ' ? '?' : *at;
  }
  return result + '"';
}

std::string module_text(const abi::Kernel& kernel) {
  char text[33] = "";
  if (kernel.module != nullptr)
    std::snprintf(text, sizeof text, "%016llx%016llx",
                  static_cast<unsigned long long>(kernel.module->id.words[0]),
                  static_cast<unsigned long long>(kernel.module->id.words[1]));
  return quoted(text);
}

}  // namespace

void KernelTimes::add(const abi::Kernel& kernel, double nanoseconds) {
  const std::lock_guard lock(mutex_);
  Times& times = kernels_[&kernel];
  const std::size_t place = times.launches++ % most_places;
  if (place == times.nanoseconds.size()) times.nanoseconds.push_back(0);
  times.nanoseconds[place] += nanoseconds;
}

std::string KernelTimes::text() const {
  const std::lock_guard lock(mutex_);
  std::string cpu, list;
  for (const auto& [kernel, times] : kernels_) {
    const char* name = kernel->module ? abi::cpu_name(kernel->module->instruction_set) : nullptr;
    cpu = name != nullptr ? name : "";
    list += list.empty() ? "\n" : ",\n";
    list += " {\"name\": " + quoted(kernel->name) + ", \"module\": " + module_text(*kernel) +
            ", \"file\": " + quoted(kernel->where.file) +
            ", \"line\": " + std::to_string(kernel->where.line) +
            ", \"launches\": " + std::to_string(times.launches) + ", \"nanoseconds\": [";
    for (std::size_t i = 0; i < times.nanoseconds.size(); ++i)
      list += (i == 0 ? "" : ", ") + std::to_string(static_cast<long long>(times.nanoseconds[i]));
    list += "]}";
  }
  return "{\"cpu\": " + quoted(cpu.c_str()) + ", \"kernels\": [" + list + "]}\n";
}

std::unique_ptr<Device> make_timed(std::unique_ptr<Device> device, KernelTimes& times) {
  return std::make_unique<TimedDevice>(std::move(device), times);
}

}  // namespace gridspan::devices
