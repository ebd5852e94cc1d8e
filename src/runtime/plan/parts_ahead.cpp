// One module after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/parts_ahead.h"

#include "support/log.h"
#include "support/readable_name.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>
#include <system_error>

namespace gridspan::runtime {

PartsAhead::Answer PartsAhead::ask(const abi::Kernel& kernel) {
  const std::scoped_lock lock(mutex_);
  if (const auto known = answers_.find(&kernel); known != answers_.end()) return known->second;
  if (is_stopped_) return Answer::is_loading;
  if (known_.insert(kernel.module).second) wanted_.push_back(&kernel);
  go_on();
  const auto is_of_module = [&](const abi::Kernel* one) { return one->module == kernel.module; };
  if (std::ranges::any_of(wanted_, is_of_module)) return Answer::is_loading;
  return answers_[&kernel] = answer_of(kernel);
}

bool PartsAhead::is_idle() {
  const std::scoped_lock lock(mutex_);
  go_on();
  return wanted_.empty();
}

/// Takes what is loaded, and begins with the next.
void PartsAhead::go_on() {
  while (!is_stopped_ && !wanted_.empty()) {
    if (loading_.valid()) {
      if (!loading_.is_ready()) return;
      loading_.get();
      wanted_.pop_front();
      continue;
    }
    try {
      loading_ =
          support::Background<bool>([this, kernel = wanted_.front()] { return load(*kernel); });
    } catch (const std::system_error&) {
      wanted_.pop_front();  // without a thread for it, it is loaded when a launch is divided
    }
  }
}

/// The kernel's module. What comes of it is asked again: this is for its being done.
bool PartsAhead::load(const abi::Kernel& kernel) const {
  try {
    // Not before the program's own launch of it.
    devices_.front()->code().refusal(kernel, true);
    if (is_ending_ || !lazy_.lack().empty()) return false;
    for (std::size_t i = devices_.size(); i-- > 0 && !is_ending_;)
      devices_[i]->code().refusal(kernel, false);
    return true;
  } catch (const std::bad_alloc&) {
    return false;  // who divides the launch is told
  }
}

PartsAhead::Answer PartsAhead::answer_of(const abi::Kernel& kernel) {
  if (const std::string why = lazy_.lack(); !why.empty()) {
    if (!std::exchange(lacks_device_, true))
      support::log(support::LogLevel::warn, "several devices: launches stay on one: %s",
                   why.c_str());
    return Answer::is_refused;
  }
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const std::string why = devices_[i]->code().refusal(kernel, false);
    if (why.empty()) continue;
    support::log(support::LogLevel::info,
                 "several devices: launches of '%s' stay on one: device %zu cannot run parts: %s",
                 support::readable_name(kernel.name).c_str(), i, why.c_str());
    return Answer::is_refused;
  }
  return Answer::is_ready;
}

/// The lock is held.
void PartsAhead::end_loading() {
  is_ending_ = true;
  loading_ = {};
  is_ending_ = false;
}

void PartsAhead::forget() {
  const std::scoped_lock lock(mutex_);
  end_loading();
  wanted_.clear();
  known_.clear();
  answers_.clear();
}

void PartsAhead::stop() {
  const std::scoped_lock lock(mutex_);
  is_stopped_ = true;
  end_loading();
}

}  // namespace gridspan::runtime
