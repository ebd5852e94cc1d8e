// One launch after the other: record, compare, tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/verifier.h"

#include "runtime/verify/comparison.h"
#include "runtime/verify/recorder.h"
#include "runtime/verify/recording_build.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime::verify {

namespace {

bool has_models(const abi::Module& module) {
  return std::any_of(module.kernels, module.kernels + module.kernel_count,
                     [](const abi::Kernel& kernel) { return kernel.model != nullptr; });
}

bool claims_same_values(const abi::KernelModel& model) {
  for (std::uint32_t a = 0; a < model.array_count; ++a)
    for (std::uint32_t s = 0; s < model.arrays[a].set_count; ++s)
      if (model.arrays[a].sets[s].kind == abi::SetKind::write_same) return true;
  return false;
}

}  // namespace

support::Result<void> Verifier::prepare(const abi::Module& module) {
  const std::scoped_lock lock(mutex_);
  if (!has_models(module) || kernels_.contains(&module.kernels[0])) return {};
  auto made = make_recording_build(module);
  if (!made) return support::fail(made.error());
  const abi::Module& recorded = *(*made)->module;
  bool same =
      recorded.kernel_count == module.kernel_count && recorded.symbol_count == module.symbol_count;
  for (std::uint32_t i = 0; same && i < module.kernel_count; ++i)
    same = std::strcmp(recorded.kernels[i].name, module.kernels[i].name) == 0;
  if (!same) return support::fail("the recording build has other kernels than the program");
  for (std::uint32_t i = 0; i < module.kernel_count; ++i)
    kernels_[&module.kernels[i]] = {*made, &recorded.kernels[i]};
  return {};
}

void Verifier::forget(const abi::Module& module) {
  const std::scoped_lock lock(mutex_);
  for (std::uint32_t i = 0; i < module.kernel_count; ++i) kernels_.erase(&module.kernels[i]);
}

devices::RunResult Verifier::run(const abi::Kernel& kernel, const abi::LaunchContext& context) {
  Build recorded{};
  {
    const std::scoped_lock lock(mutex_);
    const auto found = kernels_.find(&kernel);
    if (found != kernels_.end()) recorded = found->second;
  }
  // What a kernel launches is not in its model.
  if (!kernel.model || !recorded.kernel || (kernel.flags & abi::kernel_launches) != 0) {
    report_.add_unmodelled(kernel);
    return device_.queue().run_part(kernel, context);
  }
  const Launch launch{&kernel,           context.grid,    context.block,
                      context.arguments, context.symbols, memory_.held()};
  IntervalSet known;
  for (const Allocation& allocation : launch.allocations)
    known.add(allocation.base, allocation.end());
  known.normalise();
  Recorder recorder(recorded.recording->site_count, context.grid, known,
                    {.seed = seed_, .values = claims_same_values(*kernel.model)});
  devices::RunResult result = device_.queue().run_part(*recorded.kernel, context);
  if (result.fault == devices::Fault::none) check(launch, recorder);
  return result;
}

void Verifier::check(const Launch& launch, Recorder& recorder) {
  const verify::Recorded recorded{
      recorder.finish(), [&](std::uint64_t number) { return recorder.is_sampled(number); }};
  const Findings findings = compare(launch, recorded, seed_ + ++launches_);
  if (recorder.is_thinned()) {
    const Box grid{{0, 0, 0}, {launch.grid.x - 1, launch.grid.y - 1, launch.grid.z - 1}};
    report_.add_sampled(*launch.kernel, findings.blocks, grid.blocks());
  }
  report_.add(BoundModel(launch), findings);
}

}  // namespace gridspan::runtime::verify
