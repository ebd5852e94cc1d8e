// Asks the driver what there is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/gpus.h"

#include "support/log.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>

namespace gridspan::devices::cuda {
namespace {

/// What a processor of a GPU does in the time that a thread of a CPU needs for as much: a guess for
/// the first plans. Memory is what most kernels wait for.
constexpr std::uint32_t processor_speed = 8;

std::uint32_t attribute(const Driver& driver, Gpu gpu, GpuAttribute which) {
  int value = 0;
  if (driver.cuDeviceGetAttribute(&value, which, gpu) != success || value < 0) return 0;
  return static_cast<std::uint32_t>(value);
}

std::shared_ptr<const GpuFacts> all_facts(const Driver& driver, Gpu gpu) {
  auto facts = std::make_shared<GpuFacts>();
  for (int number = 1; number <= last_gpu_attribute; ++number) {
    int value = 0;
    if (driver.cuDeviceGetAttribute(&value, static_cast<GpuAttribute>(number), gpu) == success)
      facts->attributes.emplace(number, value);
  }
  char bus[32] = "";
  driver.cuDeviceGetUuid(facts->uuid.data(), gpu);
  driver.cuDeviceGetPCIBusId(bus, sizeof bus, gpu);
  facts->bus_id = bus;
  return facts;
}

/// The same GPU in the same slot, with the same driver.
std::string place_of(const Driver& driver, const DeviceFacts& facts) {
  int version = 0;
  driver.cuDriverGetVersion(&version);
  std::string digits;
  for (const unsigned char byte : facts.gpu->uuid) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", byte);
    digits += two;
  }
  return facts.processor + ", " + digits + ", " + facts.gpu->bus_id + ", driver " +
         std::to_string(version);
}

DeviceFacts describe(const Driver& driver, Gpu gpu) {
  const auto ask = [&](GpuAttribute which) { return attribute(driver, gpu, which); };
  DeviceFacts facts;
  char name[256] = "unknown GPU";
  driver.cuDeviceGetName(name, sizeof name, gpu);
  std::size_t bytes = 0;
  driver.cuDeviceTotalMem(&bytes, gpu);
  facts.kind = "cuda";
  facts.processor = name;
  facts.name = "Gridspan GPU (" + facts.processor + ")";
  facts.memory_bytes = bytes;
  facts.workers = std::max(1u, ask(GpuAttribute::processors));
  facts.clock_khz = ask(GpuAttribute::clock_khz);
  facts.memory_clock_khz = ask(GpuAttribute::memory_clock_khz);
  facts.l2_bytes = ask(GpuAttribute::l2_bytes);
  facts.max_shared_per_block = ask(GpuAttribute::shared_per_block_on_request);
  facts.capability = ask(GpuAttribute::capability_major) * 10 + ask(GpuAttribute::capability_minor);
  facts.host_reaches_memory = false;
  facts.only_begins = true;
  facts.speed = facts.workers * processor_speed;
  facts.gpu = all_facts(driver, gpu);
  facts.place = place_of(driver, facts);
  return facts;
}

/// Empty if we can work with the GPU.
std::string what_it_lacks(const Driver& driver, Gpu gpu, const DeviceFacts& facts) {
  if (facts.capability < 70) {
    return "compute capability " + std::to_string(facts.capability / 10) + "." +
           std::to_string(facts.capability % 10) + " is below 7.0";
  }
  if (attribute(driver, gpu, GpuAttribute::unified_addressing) == 0) return "no unified addressing";
  if (attribute(driver, gpu, GpuAttribute::virtual_memory) == 0)
    return "no virtual memory management";
  return {};
}

DeviceFacts share_of(DeviceFacts facts, unsigned shares) {
  if (shares == 1) return facts;
  constexpr std::uint64_t unit = 1 << 21;
  facts.memory_bytes = facts.memory_bytes / shares / unit * unit;
  facts.workers = std::max(1u, facts.workers / shares);
  facts.shares = shares;
  facts.speed = facts.workers * processor_speed;
  return facts;
}

Share look_at(const Driver& api, int ordinal) {
  Share share{static_cast<unsigned>(ordinal), {}};
  Gpu gpu = 0;
  if (const Result error = api.cuDeviceGet(&gpu, ordinal); error != success) {
    share.lack = api.describe(error, "cuDeviceGet");
    return share;
  }
  share.facts = describe(api, gpu);
  share.lack = what_it_lacks(api, gpu, share.facts);
  return share;
}

support::Result<int> count_gpus(const Driver& api) {
  int count = 0;
  if (const Result error = api.cuDeviceGetCount(&count); error != success)
    return support::fail(api.describe(error, "cuDeviceGetCount"));
  if (count == 0) return support::fail("the CUDA driver finds no GPU");
  return count;
}

std::string line_on(const Share& gpu) {
  const std::string name = gpu.facts.processor.empty() ? "" : " (" + gpu.facts.processor + ")";
  return "GPU " + std::to_string(gpu.ordinal) + name + ": " + gpu.lack;
}

/// Each as one device, whatever it lacks.
support::Result<std::vector<Share>> list_gpus() {
  const auto found = driver();
  if (!found) return support::fail(found.error());
  const auto count = count_gpus(**found);
  if (!count) return support::fail(count.error());
  std::vector<Share> gpus;
  gpus.reserve(static_cast<std::size_t>(*count));
  for (int i = 0; i < *count; ++i) gpus.push_back(look_at(**found, i));
  return gpus;
}

/// All of the machine's that lack nothing.
support::Result<std::vector<Share>> suitable_gpus() {
  auto gpus = list_gpus();
  if (!gpus) return support::fail("GRIDSPAN_DEVICES: cuda: " + gpus.error().message);
  std::vector<Share> left_out;
  std::ranges::copy_if(*gpus, std::back_inserter(left_out),
                       [](const Share& gpu) { return !gpu.lack.empty(); });
  if (left_out.size() == gpus->size()) {
    std::string reasons;
    for (const Share& gpu : left_out) reasons += (reasons.empty() ? "" : "; ") + line_on(gpu);
    return support::fail("GRIDSPAN_DEVICES: cuda: " + reasons);
  }
  for (const Share& gpu : left_out) {
    support::log(support::LogLevel::warn, "GRIDSPAN_DEVICES: cuda: left out: %s",
                 line_on(gpu).c_str());
  }
  std::erase_if(*gpus, [](const Share& gpu) { return !gpu.lack.empty(); });
  return gpus;
}

}  // namespace

support::Result<std::vector<ListedDevice>> list_devices() {
  const auto gpus = list_gpus();
  if (!gpus) return support::fail(gpus.error());
  std::vector<ListedDevice> listed;
  listed.reserve(gpus->size());
  for (const Share& gpu : *gpus)
    listed.push_back({"cuda:" + std::to_string(gpu.ordinal), gpu.facts, gpu.lack});
  return listed;
}

support::Result<std::vector<Share>> describe_gpus(const support::DeviceTerm& term) {
  if (term.indices.empty()) return suitable_gpus();
  const auto found = driver();
  if (!found) return support::fail("GRIDSPAN_DEVICES: cuda: " + found.error().message);
  const auto count = count_gpus(**found);
  if (!count) return support::fail("GRIDSPAN_DEVICES: cuda: " + count.error().message);
  std::vector<Share> named;
  for (const unsigned index : term.indices) {
    if (index >= static_cast<unsigned>(*count)) {
      return support::fail("GRIDSPAN_DEVICES: cuda:" + std::to_string(index) +
                           " is not there: this machine has " + std::to_string(*count) +
                           (*count == 1 ? " GPU" : " GPUs"));
    }
    const Share gpu = look_at(**found, static_cast<int>(index));
    if (!gpu.lack.empty()) return support::fail("GRIDSPAN_DEVICES: cuda: " + line_on(gpu));
    const auto shares = std::count(term.indices.begin(), term.indices.end(), index);
    named.push_back({index, share_of(gpu.facts, static_cast<unsigned>(shares))});
  }
  return named;
}

support::Result<DescribedTerms> describe_terms(std::span<const support::DeviceTerm> terms,
                                               unsigned /*threads*/) {
  DescribedTerms all;
  for (const support::DeviceTerm& term : terms) {
    auto gpus = describe_gpus(term);
    if (!gpus) return support::fail(gpus.error());
    std::vector<DescribedDevice>& devices = all.emplace_back();
    for (Share& gpu : *gpus) devices.push_back({gpu.facts, std::move(gpu)});
  }
  return all;
}

}  // namespace gridspan::devices::cuda
