// What the devices of a setting are: names, threads, memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/description.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gridspan::devices::machine {
namespace {

using support::DeviceTerm;

/// The index of the node a CPU belongs to.
std::map<unsigned, std::size_t> nodes_of_cpus(const Topology& topology) {
  std::map<unsigned, std::size_t> nodes;
  for (std::size_t node = 0; node < topology.nodes.size(); ++node) {
    for (const unsigned cpu : topology.nodes[node].cpus) nodes[cpu] = node;
  }
  return nodes;
}

/// For each place its part of all memory: each node's memory is divided among the seats on it.
std::vector<double> memory_shares(std::span<const Place> places, const Topology& topology) {
  const auto node_of = nodes_of_cpus(topology);
  std::vector<double> seats_on(topology.nodes.size(), 0);
  for (const Place& place : places) {
    for (const unsigned cpu : place.seats) seats_on[node_of.at(cpu)] += 1;
  }
  const bool is_known = std::all_of(topology.nodes.begin(), topology.nodes.end(),
                                    [](const NumaNode& node) { return node.memory_bytes != 0; });
  std::vector<double> shares;
  double sum = 0;
  for (const Place& place : places) {
    double share = 0;
    for (const unsigned cpu : place.seats) {
      const std::size_t node = node_of.at(cpu);
      const auto memory = static_cast<double>(is_known ? topology.nodes[node].memory_bytes : 1);
      share += memory / seats_on[node];
    }
    shares.push_back(share);
    sum += share;
  }
  for (double& share : shares) share /= sum;
  return shares;
}

/// What a program may ask for at most. Shared memory is ordinary memory here; the number is that of
/// a current GPU, so that a program sizes its tiles as it would there.
constexpr std::uint32_t shared_limit = 227 << 10;

DeviceFacts describe(const Place& place, const Topology& topology, const Processor& processor) {
  DeviceFacts facts;
  const std::size_t workers = place.seats.size();
  facts.name = "Gridspan CPU (" + processor.name + ", " + std::to_string(workers) +
               (workers == 1 ? " thread)" : " threads)");
  facts.processor = processor.name;
  facts.workers = static_cast<std::uint32_t>(workers);
  facts.clock_khz = processor.clock_khz;
  facts.memory_clock_khz = 0;  // only firmware tables know it
  // The L2 of CUDA is the cache all multiprocessors share: ours is the last level.
  facts.l2_bytes = processor.last_cache_bytes;
  facts.core_cache_bytes = processor.core_cache_bytes;
  facts.max_shared_per_block = shared_limit;
  facts.cpus = place.seats;
  std::sort(facts.cpus.begin(), facts.cpus.end());
  facts.cpus.erase(std::unique(facts.cpus.begin(), facts.cpus.end()), facts.cpus.end());
  const auto node_of = nodes_of_cpus(topology);
  const std::size_t node = node_of.at(facts.cpus.front());
  const bool on_one_node = std::all_of(facts.cpus.begin(), facts.cpus.end(),
                                       [&](unsigned cpu) { return node_of.at(cpu) == node; });
  if (on_one_node) facts.numa_node = topology.nodes[node].id;
  facts.place = processor.name + ", " + std::to_string(workers) + " threads" +
                (on_one_node ? " on node " + std::to_string(facts.numa_node) : "");
  return facts;
}

/// Whether every thread of every device can have a hardware thread of its own.
bool has_enough_cores(std::span<const Place> places) {
  std::vector<unsigned> all;
  for (const Place& place : places) {
    all.insert(all.end(), place.seats.begin(), place.seats.end());
  }
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

}  // namespace

std::vector<DeviceFacts> describe_places(std::span<const Place> places, const Topology& topology,
                                         const Processor& processor) {
  const std::vector<double> shares = memory_shares(places, topology);
  const bool own_cpus = has_enough_cores(places);
  std::vector<DeviceFacts> all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    DeviceFacts facts = describe(places[i], topology, processor);
    // The memory of nodes without devices is everybody's, in the same proportion: pages go there
    // when a node is full.
    constexpr std::uint64_t unit = 1 << 16;
    const double bytes = static_cast<double>(processor.memory_bytes) * shares[i];
    facts.memory_bytes = places.size() == 1 ? processor.memory_bytes
                                            : static_cast<std::uint64_t>(bytes) / unit * unit;
    facts.has_own_cpus = own_cpus;
    // One device is left to the system, which knows what else runs here.
    facts.is_pinned = own_cpus && places.size() > 1;
    all.push_back(std::move(facts));
  }
  return all;
}

support::Result<std::vector<DeviceFacts>> describe_devices(std::span<const DeviceTerm> terms,
                                                           unsigned threads) {
  const Topology topology = read_topology("/sys", usable_cpus());
  // Counted before anything is made: the grammar allows millions.
  std::uint64_t devices = 0, wanted = 0;
  for (const DeviceTerm& term : terms) {
    const bool numa = is_each_node(term);
    const std::uint64_t count = numa ? topology.nodes.size() : term.count;
    devices += count;
    wanted += count * std::max(1u, term.threads_each);
  }
  if (devices > max_devices || wanted > max_threads) {
    return support::fail("GRIDSPAN_DEVICES: " + std::to_string(devices) + " devices with " +
                         std::to_string(wanted) + " threads are too many; at most " +
                         std::to_string(max_devices) + " devices, " + std::to_string(max_threads) +
                         " threads");
  }
  return describe_places(place_devices(terms, topology, threads), topology, read_processor());
}

support::Result<DescribedTerms> describe_terms(std::span<const DeviceTerm> terms,
                                               unsigned threads) {
  auto described = describe_devices(terms, threads);
  if (!described) return support::fail(described.error());
  // Each `numa` stands for as many devices as there are nodes.
  std::size_t counted = 0, each_node = 0;
  for (const DeviceTerm& term : terms) {
    if (is_each_node(term))
      ++each_node;
    else
      counted += term.count;
  }
  const std::size_t nodes = each_node == 0 ? 0 : (described->size() - counted) / each_node;
  DescribedTerms all;
  auto next = described->begin();
  for (const DeviceTerm& term : terms) {
    std::vector<DescribedDevice>& devices = all.emplace_back();
    const std::size_t count = is_each_node(term) ? nodes : term.count;
    for (std::size_t i = 0; i < count; ++i) devices.push_back({std::move(*next++)});
  }
  return all;
}

}  // namespace gridspan::devices::machine
