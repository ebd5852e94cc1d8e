// GRIDSPAN_VERIFY: runs recording builds in the place of kernels and holds them against the model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/recording.h"
#include "devices/device.h"
#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/launch_runner.h"
#include "runtime/verify/bound_model.h"
#include "runtime/verify/report.h"
#include "support/result.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace gridspan::runtime::verify {

class Verifier final : public LaunchRunner {
 public:
  Verifier(devices::Device& device, const AllocationTable& memory, std::uint64_t seed)
      : device_(device), memory_(memory), seed_(seed) {}

  /// Makes the recording build of a module, once, if any of its kernels has a model. Before the
  /// first launch of a kernel of it.
  support::Result<void> prepare(const abi::Module& module);

  /// The module goes; another may come to lie where it was.
  void forget(const abi::Module& module);

  /// Runs the recorded kernel and compares. Called by one thread at a time.
  devices::RunResult run(const abi::Kernel& kernel, const abi::LaunchContext& context) override;

  Report& report() { return report_; }

 private:
  struct Build {
    const abi::Recording* recording;
    const abi::Kernel* kernel;
  };
  void check(const Launch& launch, class Recorder& recorder);

  devices::Device& device_;
  const AllocationTable& memory_;
  std::uint64_t seed_;
  std::uint64_t launches_ = 0;
  std::mutex mutex_;                                       // guards the kernels
  std::unordered_map<const abi::Kernel*, Build> kernels_;  // by the original
  Report report_;
};

}  // namespace gridspan::runtime::verify
