// The report of gridspan devices, asked of the run time itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/devices.h"

#include "devices/choose_devices.h"
#include "devices/describe_devices.h"
#include "devices/kinds.h"
#include "devices/machine/topology.h"
#include "devices/measure/measured.h"
#include "support/options.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gridspan::tools {
namespace {

using devices::DeviceFacts;
using devices::machine::cpu_list_text;

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
  text.resize(std::max<std::size_t>(22, text.size() + 1), ' ');
  return text + value + "\n";
}

std::string describe_program_device(const cudaDeviceProp& properties) {
  std::string text = "Device 0: " + std::string(properties.name) + "\n";
  text += line("cores", std::to_string(properties.multiProcessorCount));
  text += line("memory", bytes(properties.totalGlobalMem));
  text += line("shared memory", bytes(properties.sharedMemPerBlock) + " a block");
  text += line("threads", "at most " + std::to_string(properties.maxThreadsPerBlock) + " a block");
  text +=
      line("CUDA level", std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                             " (compute capability programs are told)");
  return text;
}

/// Columns as wide as their widest cell.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string cells = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    }
    text += cells.substr(0, cells.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string describe_parts(std::span<const DeviceFacts> devices) {
  std::vector<std::vector<std::string>> rows{
      {"index", "kind", "threads", "CPUs", "NUMA node", "memory"}};
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceFacts& facts = devices[i];
    if (facts.cpus.empty()) {  // no part of the host
      rows.push_back({std::to_string(i), std::string(facts.kind), std::to_string(facts.workers),
                      facts.processor, "-", bytes(facts.memory_bytes)});
      continue;
    }
    rows.push_back({std::to_string(i), std::string(facts.kind), std::to_string(facts.workers),
                    cpu_list_text(facts.cpus) + (facts.has_own_cpus ? "" : " (shared)"),
                    facts.numa_node < 0 ? "-" : std::to_string(facts.numa_node),
                    bytes(facts.memory_bytes)});
  }
  std::string text = "Behind it\n" + table(rows);
  if (devices.front().is_pinned) text += "  Threads stay on their device's CPUs.\n";
  return text;
}

/// What the run time, which has started, found out or remembered; empty if nothing.
std::string describe_measured(const std::optional<devices::Measured>& measured) {
  if (!measured) return {};
  const auto gigabytes = [](double rate) {
    char text[32];
    std::snprintf(text, sizeof text, rate < 99.95e9 ? "%.1f" : "%.0f", rate / 1e9);
    return std::string(text);
  };
  std::vector<std::vector<std::string>> rows{{"index", "memory"}};
  for (std::size_t from = 0; from < measured->memory.size(); ++from) {
    rows.front().push_back("to " + std::to_string(from));
    rows.push_back({std::to_string(from), gigabytes(measured->memory[from])});
    for (std::size_t to = 0; to < measured->memory.size(); ++to) {
      rows.back().push_back(to == from ? "-"
                                       : gigabytes(measured->links[from][to].bytes_per_second));
    }
  }
  return "Measured, in GB/s (GRIDSPAN_MEASURE)\n" + table(rows) + "\n";
}

nlohmann::ordered_json measured_json(const devices::Measured& measured) {
  auto links = nlohmann::ordered_json::array();
  for (std::size_t from = 0; from < measured.links.size(); ++from) {
    for (std::size_t to = 0; to < measured.links.size(); ++to) {
      if (from == to) continue;
      links.push_back({{"from", from},
                       {"to", to},
                       {"seconds", measured.links[from][to].seconds},
                       {"bytes_per_second", measured.links[from][to].bytes_per_second}});
    }
  }
  return {{"memory_bytes_per_second", measured.memory}, {"links", std::move(links)}};
}

std::string describe_listed(const devices::ListedDevice& one) {
  const auto& [term, facts, lack] = one;
  if (facts.processor.empty()) return lack;
  std::string text = facts.processor;
  if (facts.capability != 0) text += ", sm_" + std::to_string(facts.capability);
  return text + ", " + std::to_string(facts.workers) + " multiprocessors, " +
         bytes(facts.memory_bytes) + (lack.empty() ? "" : ": cannot be used: " + lack);
}

/// The devices that GRIDSPAN_DEVICES could name by number, by kind, or why there are none.
std::string describe_nameable() {
  std::string text;
  for (const devices::Kind& kind : devices::kinds()) {
    if (!kind.list) continue;
    const auto listed = kind.list();
    text += std::string(kind.title) + "\n";
    if (!listed) text += "  none: " + listed.error().message + "\n";
    for (const devices::ListedDevice& one : listed ? *listed : std::vector<devices::ListedDevice>())
      text += line(one.term.c_str(), describe_listed(one));
  }
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

std::string as_json(const cudaDeviceProp& properties, std::span<const DeviceFacts> devices,
                    const std::optional<devices::Measured>& measured) {
  nlohmann::ordered_json page;
  page["program"] = {{"name", properties.name},
                     {"multiprocessors", properties.multiProcessorCount},
                     {"memory_bytes", properties.totalGlobalMem}};
  page["devices"] = nlohmann::ordered_json::array();
  for (const DeviceFacts& facts : devices) {
    nlohmann::ordered_json one{{"index", page["devices"].size()},
                               {"kind", facts.kind},
                               {"processor", facts.processor},
                               {"threads", facts.workers},
                               {"cpus", facts.cpus},
                               {"pinned", facts.is_pinned},
                               {"numa_node", nullptr},
                               {"memory_bytes", facts.memory_bytes}};
    if (facts.numa_node >= 0) one["numa_node"] = facts.numa_node;
    page["devices"].push_back(std::move(one));
  }
  if (measured) page["measured"] = measured_json(*measured);
  return page.dump(2) + "\n";
}

}  // namespace

support::Result<std::string> describe_devices(const DevicesRequest& request) {
  // The run time starts with the first CUDA call below, and reads the same variables.
  if (!request.setting.empty()) setenv("GRIDSPAN_DEVICES", request.setting.c_str(), 1);
  std::vector<std::string> remarks;
  auto options = support::options_from_environment(&remarks);
  if (!options) return support::fail(options.error());
  const devices::DeviceChoice choice = devices::choose_devices(*options);
  auto described = devices::describe_devices(choice.terms, options->threads);
  if (!described) return support::fail(described.error());
  std::vector<DeviceFacts> facts;
  for (devices::DescribedDevice& one : *described) facts.push_back(std::move(one.facts));
  cudaDeviceProp properties;
  if (const cudaError_t status = cudaGetDeviceProperties(&properties, 0); status != cudaSuccess) {
    return support::fail(std::string("no device: ") + cudaGetErrorString(status));
  }
  std::optional<devices::Measured> measured;
  if (facts.size() > 1 && options->measure != support::Measure::off)
    measured = by_device(recall(devices::places_of(facts)), facts);
  if (request.json) return as_json(properties, facts, measured);
  std::string text = describe_program_device(properties) + "\n" + describe_parts(facts) + "\n" +
                     describe_measured(measured) + describe_nameable() + "\n" +
                     describe_variables();
  for (const std::string& remark : remarks) text += "\nwarning: " + remark + "\n";
  return text;
}

}  // namespace gridspan::tools
