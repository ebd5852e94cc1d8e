// Sticky faults and their one line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/first_fault.h"

#include "support/log.h"

namespace gridspan::runtime {

void FirstFault::report(const devices::RunResult& result) {
  if (result.fault == devices::Fault::none) return;
  devices::Fault none = devices::Fault::none;
  if (result.passes) {
    refusal_.compare_exchange_strong(none, result.fault);
    support::log_text(support::LogLevel::error, result.message);
    return;
  }
  if (!fault_.compare_exchange_strong(none, result.fault)) return;
  // The interpreter has printed what it found where it found it.
  if (result.fault == devices::Fault::misuse || result.message.empty()) return;
  support::log_text(support::LogLevel::error, result.message);
}

devices::Fault FirstFault::take_refusal() {
  if (refusal_.load() == devices::Fault::none) return devices::Fault::none;
  return refusal_.exchange(devices::Fault::none);
}

}  // namespace gridspan::runtime
