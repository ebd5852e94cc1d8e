// A short list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/suspects.h"

#include "support/readable_name.h"

#include <algorithm>
#include <map>
#include <string>

namespace gridspan::devices::cuda {

Suspects& suspects_on(Gpu gpu) {
  static std::mutex mutex;
  static auto& all = *new std::map<Gpu, Suspects>;
  const std::scoped_lock lock(mutex);
  return all[gpu];
}

void Suspects::watch(const Timeline& timeline) {
  const std::scoped_lock lock(mutex_);
  timelines_.push_back(&timeline);
}

void Suspects::forget(const Timeline& timeline) {
  const std::scoped_lock lock(mutex_);
  std::erase(timelines_, &timeline);
}

bool Suspects::is_idle() const {
  return std::ranges::all_of(timelines_, [](const Timeline* one) { return one->is_idle(); });
}

/// Expects the lock.
void Suspects::note_only() {
  only_.store(kernels_.size() == 1 && !has_more_ ? kernels_.front() : nullptr);
}

void Suspects::add(const abi::Kernel& kernel) {
  if (only_.load() == &kernel) return;
  const std::scoped_lock lock(mutex_);
  if (is_idle()) {
    kernels_.clear();
    has_more_ = false;
  }
  if (std::ranges::find(kernels_, &kernel) != kernels_.end()) return;
  if (kernels_.size() < most)
    kernels_.push_back(&kernel);
  else
    has_more_ = true;
  note_only();
}

void Suspects::forget(const abi::Module& module) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(kernels_, [&](const abi::Kernel* kernel) { return kernel->module == &module; });
  note_only();
}

RunResult Suspects::blame(RunResult result) const {
  if (result.fault == Fault::none) return result;
  const std::scoped_lock lock(mutex_);
  if (kernels_.empty()) return result;
  const bool are_several = kernels_.size() > 1 || has_more_;
  result.message += are_several ? ", one of the kernels" : ", kernel";
  for (const abi::Kernel* kernel : kernels_)
    result.message +=
        (kernel == kernels_.front() ? " '" : ", '") + support::readable_name(kernel->name) + "'";
  if (has_more_) result.message += " and others";
  if (are_several) result.message += " (CUDA_LAUNCH_BLOCKING=1 tells which)";
  return result;
}

}  // namespace gridspan::devices::cuda
