// Asks the models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/fused_launches.h"

#include "codegen/device_compiler.h"
#include "fusion/fusible.h"
#include "model/text.h"

#include <algorithm>

namespace gridspan::driver {

using support::fail;
using support::FusedLaunches;
using support::Result;

namespace {

/// Nobody waits for the proof, and each answer is kept.
constexpr model::ProofLimits patient{1'000'000, 3'000'000};

/// Shapes are equal, and known as far as they have one block along an axis.
fusion::Launch launch_of(const model::Kernel& kernel, const FusedLaunches::Launch& launch,
                         const FusedLaunches& all) {
  fusion::Launch made;
  made.kernel = &kernel;
  made.arguments.assign(launch.values.begin(), launch.values.end());
  for (std::size_t axis = 0; axis < 3; ++axis) made.blocks[axis] = all.one_block[axis] ? 1 : 0;
  return made;
}

}  // namespace

Result<void> prove_fusible(const DeviceSource& source, const FusedLaunches& launches) {
  const auto refuse = [](const std::string& why) { return fail(codegen::refusal_mark + why); };
  const model::IslContext isl;
  const auto models = model::from_text(isl.get(), source.models);
  if (!models) return fail("the models in the container are damaged: " + models.error().message);
  std::vector<fusion::Launch> made;
  for (const FusedLaunches::Launch& launch : launches.launches) {
    const auto kernel = std::ranges::find(models->kernels, launch.kernel, &model::Kernel::name);
    if (kernel == models->kernels.end()) return refuse("'" + launch.kernel + "' has no model");
    if (kernel->argument_names.size() != launch.values.size())
      return refuse("the arguments are not those of '" + launch.kernel + "'");
    made.push_back(launch_of(*kernel, launch, launches));
  }
  const std::string reason = fusion::why_not_fusible(made, launches.one_thread, patient);
  return reason.empty() ? Result<void>() : refuse(reason);
}

}  // namespace gridspan::driver
