// From GRIDSPAN_DEVICES to devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/make_devices.h"

#include "devices/cpu/cpu_device.h"
#include "devices/cuda/cuda_device.h"
#include "devices/cuda/ptx.h"
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
  KernelWithoutCode* kernel_without_code;  // null: its devices run all kernels
} makers[] = {
    {"cpu", cpu::maker, nullptr},
    {"cuda", cuda::maker, cuda::kernel_without_code},
};

void decorate(std::vector<std::unique_ptr<Device>>& made, const support::Options& options) {
  for (std::size_t i = 1; i < made.size() && options.copy_memory != 0; ++i)
    made[i] = make_limited(std::move(made[i]), options.copy_memory);
  const support::InjectedFailure& failure = options.failure;
  if (failure.kind != support::InjectedFailure::Kind::none && failure.device < made.size())
    made[failure.device] = make_failing(std::move(made[failure.device]), failure);
}

}  // namespace

std::string kernel_without_code(const DeviceChoice& choice, const abi::Module& module) {
  for (const support::DeviceTerm& term : choice.terms)
    for (const auto& row : makers) {
      if (row.kind != word_of(term).kind || !row.kernel_without_code) continue;
      std::string why = row.kernel_without_code(module, choice.capability);
      if (!why.empty()) return why;
    }
  return {};
}

support::Result<std::vector<std::unique_ptr<Device>>> make_devices(const support::Options& options,
                                                                   KernelChoice* choice,
                                                                   MemoryMap* memory,
                                                                   bool may_be_lazy) {
  const auto all = describe_devices(options.devices, options.threads);
  if (!all) return support::fail(all.error());
  const MakeRequest request{options, choice, memory, *all, may_be_lazy};
  std::map<std::string_view, Make> make;
  for (const auto& row : makers) make[row.kind] = row.maker(request);
  std::vector<std::unique_ptr<Device>> made;
  for (const DescribedDevice& one : *all) {
    auto device = make[one.facts.kind](one);
    if (!device) return support::fail(device.error());
    made.push_back(std::move(*device));
  }
  decorate(made, options);
  return made;
}

support::Result<std::unique_ptr<Device>> make_companion(const support::Options& options,
                                                        std::uint64_t room) {
  const auto all = describe_devices(options.devices, options.threads);
  if (!all) return support::fail(all.error());
  support::Options own = options;
  own.oversubscribe.most_on_gpu = 0;  // which is the home device's
  const MakeRequest request{own, nullptr, nullptr, std::span(*all).first(1), false};
  const DescribedDevice& home = all->front();
  for (const auto& row : makers) {
    if (row.kind != home.facts.kind) continue;
    auto device = row.maker(request)(home);
    if (!device) return support::fail(device.error());
    return make_limited(std::move(*device), room);
  }
  return support::fail("there is no device of kind " + std::string(home.facts.kind));
}

}  // namespace gridspan::devices
