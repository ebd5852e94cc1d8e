// The cache first, then gridcc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/fuser.h"

#include "specialise/make_product.h"
#include "specialise/product.h"
#include "support/fused_launches.h"
#include "support/readable_name.h"

namespace gridspan::specialise {

using abi::FuseState;
using abi::SpecialiseMode;
using abi::SpecialiserSays;

namespace {

/// "f(int*), g(int*)" of launches of these.
std::string kernels_text(const support::FusedLaunches& launches) {
  std::string text;
  for (const support::FusedLaunches::Launch& launch : launches.launches)
    text += (text.empty() ? "'" : ", '") + support::readable_name(launch.kernel) + "'";
  return text;
}

}  // namespace

void Fuser::say(SpecialiserSays level, const std::string& launches, const std::string& what) const {
  const auto parsed = support::parse_fused_launches(launches);
  setup_.say(level, ("fuse: " + (parsed ? kernels_text(*parsed) : launches) + ": " + what).c_str());
}

/// Expects the lock. False: there is nothing in the cache.
bool Fuser::look_up(const Key& key, Entry& entry) {
  const auto& [module, text] = key;
  const auto launches = support::parse_fused_launches(text);
  if (!launches) return false;
  const auto found = cache_.open(module, name_key(text), {});
  if (!found) return false;
  if (!found->refusal.empty()) {
    entry.state = FuseState::refused;
    say(SpecialiserSays::information, text, "not made one kernel: " + found->refusal);
    return true;
  }
  const auto kernel =
      load_fused(found->path, launches->name(), launches->value_count(), setup_.run_time);
  entry.state = kernel ? FuseState::made : FuseState::refused;
  if (kernel) entry.kernel = *kernel;
  say(SpecialiserSays::information, text, kernel ? "loaded as one kernel" : kernel.error().message);
  return true;
}

/// Without the lock: takes long.
void Fuser::make(const Key& key, const Build& build, bool aside) {
  const auto made =
      make_product(build, {key.first, name_key(key.second)}, compiler_, cache_, aside);
  const std::scoped_lock lock(mutex_);
  if (stopped_) return;
  Entry& entry = entries_[key];
  if (made && look_up(key, entry)) return;
  entry.state = FuseState::refused;
  const std::string trouble = made ? "what was made of them is gone" : made.error().message;
  if (told_.insert(trouble).second) say(SpecialiserSays::information, key.second, trouble);
}

abi::FuseAnswer Fuser::fuse(const abi::FuseRequest& request) {
  const abi::Module& module = *request.module;
  const abi::InstructionSet wider = wider_than(module, setup_.instructions);
  std::unique_lock lock(mutex_);
  std::string& module_name = modules_[&module];
  if (module_name.empty()) module_name = module_key(module, wider, compiler_.gridcc());
  if (!request.launches) {
    const bool may = request.mode != SpecialiseMode::cached || cache_.has_any(module_name);
    return {may ? FuseState::absent : FuseState::refused, 0, nullptr};
  }
  const Key key{module_name, request.launches};
  Entry& entry = entries_[key];  // stays where it is
  const auto answer = [&] { return abi::FuseAnswer{entry.state, 0, entry.kernel}; };
  if (entry.state != FuseState::absent || entry.is_asked_for || stopped_) return answer();
  if (look_up(key, entry)) return answer();
  if (request.mode == SpecialiseMode::cached) return {FuseState::refused, 0, nullptr};
  entry.is_asked_for = true;
  Build build{{}, {}, {}, request.launches, module.instruction_set, wider};
  build.container.assign(static_cast<const char*>(module.container), module.container_size);
  if (request.mode == SpecialiseMode::on) {
    worker_.post([this, key, wanted = std::move(build)] { make(key, wanted, true); });
    return answer();
  }
  lock.unlock();
  make(key, build, false);
  lock.lock();
  return answer();
}

void Fuser::forget(const abi::Module& module) {
  const std::scoped_lock lock(mutex_);
  modules_.erase(&module);
}

void Fuser::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  compiler_.stop();
  worker_.stop();
}

}  // namespace gridspan::specialise
