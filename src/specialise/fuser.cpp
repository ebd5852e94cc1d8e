// The cache first, then gridcc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/fuser.h"

#include "specialise/make_product.h"
#include "specialise/product.h"
#include "support/fused_launches.h"
#include "support/readable_name.h"

#include <chrono>

namespace gridspan::specialise {

using abi::FuseState;
using abi::SpecialiseMode;
using abi::SpecialiserSays;

namespace {

/// Who asks may be keeping the library's loader: then nothing is there yet.
constexpr std::chrono::seconds longest_load{5};

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

/// In the cache, loaded. Without our lock: the loader of libraries has one, too, and who has that
/// may be waiting for ours (a library that goes).
std::optional<Fuser::Entry> Fuser::find(const Key& key) const {
  const auto& [module, text] = key;
  const auto launches = support::parse_fused_launches(text);
  if (!launches) return std::nullopt;
  const auto found = cache_.open(module, name_key(text), {});
  if (!found) return std::nullopt;
  if (!found->refusal.empty()) {
    say(SpecialiserSays::information, text, "not made one kernel: " + found->refusal);
    return Entry{FuseState::refused};
  }
  const auto kernel =
      load_fused(found->path, launches->name(), launches->value_count(), setup_.run_time);
  say(SpecialiserSays::information, text, kernel ? "loaded as one kernel" : kernel.error().message);
  return kernel ? Entry{FuseState::made, *kernel} : Entry{FuseState::refused};
}

/// Without the lock: takes long. Why there is none, or nothing.
std::string Fuser::make(const Key& key, const Build& build, bool aside) {
  const auto made =
      make_product(build, {key.first, name_key(key.second)}, compiler_, cache_, aside);
  return made ? std::string() : made.error().message;
}

void Fuser::settle(const Key& key, const std::optional<Entry>& found, const std::string& problem) {
  const std::scoped_lock lock(mutex_);
  if (stopped_) return;
  entries_[key] = found.value_or(Entry{FuseState::refused});
  if (!problem.empty() && told_.insert(problem).second)
    say(SpecialiserSays::information, key.second, problem);
  settled_.notify_all();
}

/// By a thread that nobody waits for, so it may load libraries.
void Fuser::get(const Key& key, const Build& build, SpecialiseMode mode) {
  std::optional<Entry> found = find(key);
  std::string problem;
  if (!found && mode == SpecialiseMode::on) {
    problem = make(key, build, true);
    if (problem.empty()) found = find(key);
    if (problem.empty() && !found) problem = "what was made of them is gone";
  }
  settle(key, found, problem);
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
  const bool is_there = cache_.has(module_name, name_key(request.launches), {});
  if (!is_there && request.mode == SpecialiseMode::cached) return {FuseState::refused, 0, nullptr};
  entry.is_asked_for = true;
  Build build{{}, {}, {}, request.launches, module.instruction_set, wider};
  build.container.assign(static_cast<const char*>(module.container), module.container_size);
  if (request.mode != SpecialiseMode::now) {
    (is_there ? loader_ : worker_)
        .post([this, key, mode = request.mode, wanted = std::move(build)] {
          get(key, wanted, mode);
        });
    return answer();
  }
  lock.unlock();
  std::string problem;
  if (!cache_.open(key.first, name_key(key.second), {})) problem = make(key, build, false);
  loader_.post([this, key, problem] { settle(key, find(key), problem); });
  lock.lock();
  settled_.wait_for(lock, longest_load,
                    [&] { return entry.state != FuseState::absent || stopped_; });
  return answer();
}

void Fuser::forget(const abi::Module& module) {
  const std::scoped_lock lock(mutex_);
  modules_.erase(&module);
}

void Fuser::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  settled_.notify_all();
  compiler_.stop();
  worker_.stop();
  loader_.stop();
}

}  // namespace gridspan::specialise
