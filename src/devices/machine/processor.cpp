// What this machine's processor is, as Linux tells it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/processor.h"

#include "devices/machine/files.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace gridspan::devices::machine {
namespace {

/// The value of the first line of /proc/cpuinfo that starts with `key`.
std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

std::string processor_name() {
  for (const char* key : {"model name", "Hardware", "cpu model"}) {
    if (std::string name = cpuinfo(key); !name.empty()) return name;
  }
  const std::string board = first_line("/sys/firmware/devicetree/base/model");
  return board.empty() ? "unknown processor" : board.substr(0, board.find('\0'));
}

std::uint32_t clock_khz() {
  const std::string khz = first_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (!khz.empty()) return static_cast<std::uint32_t>(std::strtoul(khz.c_str(), nullptr, 10));
  return static_cast<std::uint32_t>(std::strtod(cpuinfo("cpu MHz").c_str(), nullptr) * 1000);
}

/// Bytes of memory this process may use: the machine's or its control group's, if that is less.
std::uint64_t memory_bytes() {
  const auto machine = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  std::uint64_t limit = machine;
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const std::uint64_t group = std::strtoull(first_line(path).c_str(), nullptr, 10);
    if (group != 0) limit = std::min(limit, group);  // "max" reads as 0
  }
  return limit;
}

/// Size in bytes of cpu0's unified or data cache of this level, e.g. from "2048K".
std::uint32_t cache_bytes(const std::string& level) {
  for (int index = 0; index < 8; ++index) {
    const std::string cache = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    if (first_line(cache + "/level") != level) continue;
    if (first_line(cache + "/type") == "Instruction") continue;
    const std::string size = first_line(cache + "/size");
    char* unit = nullptr;
    const unsigned long long number = std::strtoull(size.c_str(), &unit, 10);
    const unsigned shift = *unit == 'K' ? 10 : *unit == 'M' ? 20 : 0;
    return static_cast<std::uint32_t>(std::min<unsigned long long>(number << shift, 0x7fffffff));
  }
  return 0;
}

}  // namespace

Processor read_processor() {
  Processor processor;
  processor.name = processor_name();
  processor.memory_bytes = memory_bytes();
  processor.clock_khz = clock_khz();
  processor.core_cache_bytes = cache_bytes("2");
  processor.last_cache_bytes = cache_bytes("3");
  if (processor.last_cache_bytes == 0) processor.last_cache_bytes = processor.core_cache_bytes;
  return processor;
}

}  // namespace gridspan::devices::machine
