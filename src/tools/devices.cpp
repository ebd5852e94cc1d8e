// The report of gridspan devices, asked of the run time itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/devices.h"

#include "support/options.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

namespace gridspan::tools {
namespace {

std::string bytes(std::size_t count) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(count);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
  return text;
}

std::string line(const char* title, const std::string& value) {
  std::string text = "  " + std::string(title);
  text.resize(22, ' ');
  return text + value + "\n";
}

support::Result<std::string> describe_device(int device) {
  cudaDeviceProp properties;
  cudaError_t status = cudaGetDeviceProperties(&properties, device);
  if (status != cudaSuccess)
    return support::fail("device " + std::to_string(device) + ": " + cudaGetErrorString(status));
  std::string text = "Device " + std::to_string(device) + ": " + properties.name + "\n";
  text += line("cores", std::to_string(properties.multiProcessorCount));
  text += line("memory", bytes(properties.totalGlobalMem));
  text += line("shared memory", bytes(properties.sharedMemPerBlock) + " a block");
  text += line("threads", "at most " + std::to_string(properties.maxThreadsPerBlock) + " a block");
  text +=
      line("CUDA level", std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                             " (compute capability programs are told)");
  return text;
}

/// Each variable with what it is set to, or its default.
std::string describe_variables() {
  std::string text = "Variables\n";
  for (const support::Option& option : support::option_table()) {
    const char* value = std::getenv(std::string(option.variable).c_str());
    bool is_set = value && *value;
    text += line(std::string(option.variable).c_str(),
                 is_set ? value : "not set: " + std::string(option.fallback));
  }
  return text;
}

}  // namespace

support::Result<std::string> describe_devices() {
  std::vector<std::string> remarks;
  auto options = support::options_from_environment(&remarks);
  if (!options) return support::fail(options.error());
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess)
    return support::fail(std::string("no device: ") + cudaGetErrorString(status));
  std::string text;
  for (int device = 0; device < count; ++device) {
    auto one = describe_device(device);
    if (!one) return one;
    text += *one + "\n";
  }
  text += describe_variables();
  for (const std::string& remark : remarks) text += "\nwarning: " + remark + "\n";
  return text;
}

}  // namespace gridspan::tools
