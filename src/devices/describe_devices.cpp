// CPUs and GPUs are described apart, then put in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/describe_devices.h"

#include "devices/machine/description.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gridspan::devices {
namespace {

using support::DeviceTerm;

bool is_cuda(const DeviceTerm& term) { return term.kind == DeviceTerm::Kind::cuda; }

/// How many of `cpus` devices each `numa` stands for: as many as there are nodes.
std::size_t devices_of_numa(std::span<const DeviceTerm> terms, std::size_t cpus) {
  std::size_t counted = 0, numa = 0;
  for (const DeviceTerm& term : terms) {
    if (term.kind == DeviceTerm::Kind::cpu) counted += term.count;
    if (term.kind == DeviceTerm::Kind::numa) ++numa;
  }
  return numa == 0 ? 0 : (cpus - counted) / numa;
}

}  // namespace

support::Result<std::vector<DescribedDevice>> describe_devices(std::span<const DeviceTerm> terms,
                                                               unsigned threads) {
  std::vector<DeviceTerm> cpu_terms;
  std::ranges::copy_if(terms, std::back_inserter(cpu_terms),
                       [](const DeviceTerm& term) { return !is_cuda(term); });
  std::vector<DeviceFacts> cpus;
  if (!cpu_terms.empty()) {
    auto described = machine::describe_devices(cpu_terms, threads);
    if (!described) return support::fail(described.error());
    cpus = std::move(*described);
  }
  const std::size_t of_numa = devices_of_numa(terms, cpus.size());
  std::vector<DescribedDevice> all;
  auto next = cpus.begin();
  for (const DeviceTerm& term : terms) {
    if (is_cuda(term)) {
      auto gpus = cuda::describe_gpus(term);
      if (!gpus) return support::fail(gpus.error());
      for (cuda::Share& gpu : *gpus) all.push_back({gpu.facts, std::move(gpu)});
      continue;
    }
    const std::size_t count = term.kind == DeviceTerm::Kind::numa ? of_numa : term.count;
    for (std::size_t i = 0; i < count; ++i) all.push_back({std::move(*next++)});
  }
  if (all.size() > max_devices) {
    return support::fail("GRIDSPAN_DEVICES: " + std::to_string(all.size()) +
                         " devices are too many; at most " + std::to_string(max_devices));
  }
  return all;
}

}  // namespace gridspan::devices
