// Which hardware threads and memories this machine has, and which of them this process may use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/topology.h"

#include "devices/machine/files.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace gridspan::devices::machine {
namespace {

using Cpus = std::vector<unsigned>;

Cpus intersection(std::span<const unsigned> a, std::span<const unsigned> b) {
  Cpus both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

Cpus without(std::span<const unsigned> a, std::span<const unsigned> b) {
  Cpus rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

/// From a line such as "Node 0 MemTotal:  32780512 kB".
std::uint64_t node_memory(const std::string& directory) {
  std::ifstream file(directory + "/meminfo");
  constexpr std::string_view key = "MemTotal:";
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(key);
    if (at == std::string::npos) continue;
    return std::strtoull(line.c_str() + at + key.size(), nullptr, 10) << 10;
  }
  return 0;
}

}  // namespace

std::size_t Topology::cpu_count() const {
  std::size_t count = 0;
  for (const NumaNode& node : nodes) count += node.cpus.size();
  return count;
}

std::vector<unsigned> usable_cpus() {
  // Machines may have more hardware threads than a cpu_set_t has bits: ask with room until it fits.
  for (unsigned room = CPU_SETSIZE; room <= 1u << 20; room *= 2) {
    cpu_set_t* set = CPU_ALLOC(room);
    if (set == nullptr) break;
    const std::size_t size = CPU_ALLOC_SIZE(room);
    CPU_ZERO_S(size, set);
    const bool answered = sched_getaffinity(0, size, set) == 0;
    Cpus cpus;
    for (unsigned cpu = 0; answered && cpu < room; ++cpu) {
      if (CPU_ISSET_S(cpu, size, set)) cpus.push_back(cpu);
    }
    CPU_FREE(set);
    if (!cpus.empty()) return cpus;
  }
  Cpus all;
  const auto online = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  for (unsigned cpu = 0; cpu < online; ++cpu) all.push_back(cpu);
  return all;
}

Topology read_topology(const std::string& root, std::span<const unsigned> usable) {
  const std::string system = root + "/devices/system";
  Cpus left(usable.begin(), usable.end());
  // An affinity mask may still name threads that were taken offline since.
  const Cpus online = parse_cpu_list(first_line(system + "/cpu/online"));
  if (Cpus both = intersection(left, online); !both.empty()) left = std::move(both);

  Topology topology;
  for (const unsigned id : parse_cpu_list(first_line(system + "/node/online"))) {
    const std::string directory = system + "/node/node" + std::to_string(id);
    NumaNode node{.id = static_cast<int>(id)};
    node.cpus = intersection(left, parse_cpu_list(first_line(directory + "/cpulist")));
    if (node.cpus.empty()) continue;
    node.memory_bytes = node_memory(directory);
    left = without(left, node.cpus);
    topology.nodes.push_back(std::move(node));
  }
  if (!left.empty()) topology.nodes.push_back({.cpus = std::move(left)});
  return topology;
}

std::vector<unsigned> parse_cpu_list(const std::string& text) {
  constexpr unsigned long most = 1 << 20;
  Cpus cpus;
  for (const char* at = text.c_str(); *at >= '0' && *at <= '9';) {
    char* end = nullptr;
    const unsigned long first = std::strtoul(at, &end, 10);
    unsigned long last = first;
    if (*end == '-') last = std::strtoul(end + 1, &end, 10);
    if (last >= most) break;
    for (unsigned long cpu = first; cpu <= last; ++cpu) cpus.push_back(static_cast<unsigned>(cpu));
    at = *end == ',' ? end + 1 : end;
    if (at == end) break;
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string cpu_list_text(std::span<const unsigned> cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[i]);
    if (end - i > 1) text += "-" + std::to_string(cpus[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace gridspan::devices::machine
