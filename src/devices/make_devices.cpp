// From GRIDSPAN_DEVICES to devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/make_devices.h"

#include "devices/cpu/cpu_device.h"
#include "devices/cuda/cuda_device.h"
#include "devices/describe_devices.h"
#include "devices/failing_device.h"
#include "devices/limited_device.h"
#include "devices/maker.h"

#include <map>
#include <utility>

namespace gridspan::devices {
namespace {

/// One row for each kind.
constexpr struct {
  std::string_view kind;  // support::DeviceWord::kind
  Maker* maker;
} makers[] = {
    {"cpu", cpu::maker},
    {"cuda", cuda::maker},
};

void decorate(std::vector<std::unique_ptr<Device>>& made, const support::Options& options) {
  for (std::size_t i = 1; i < made.size() && options.copy_memory != 0; ++i)
    made[i] = make_limited(std::move(made[i]), options.copy_memory);
  const support::InjectedFailure& failure = options.failure;
  if (failure.kind != support::InjectedFailure::Kind::none && failure.device < made.size())
    made[failure.device] = make_failing(std::move(made[failure.device]), failure);
}

}  // namespace

support::Result<std::vector<std::unique_ptr<Device>>> make_devices(const support::Options& options,
                                                                   KernelChoice* choice,
                                                                   MemoryMap* memory) {
  const auto all = describe_devices(options.devices, options.threads);
  if (!all) return support::fail(all.error());
  const MakeRequest request{options, choice, memory, *all};
  std::map<std::string_view, Make> make;
  for (const auto& [kind, maker] : makers) make[kind] = maker(request);
  std::vector<std::unique_ptr<Device>> made;
  for (const DescribedDevice& one : *all) {
    auto device = make[one.facts.kind](one);
    if (!device) return support::fail(device.error());
    made.push_back(std::move(*device));
  }
  decorate(made, options);
  return made;
}

}  // namespace gridspan::devices
