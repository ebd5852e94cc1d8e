// Each thread's device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/current_device.h"

#include <atomic>

namespace gridspan::runtime {

namespace {

constexpr int none = -1;
constinit thread_local int chosen = none;
constinit std::atomic<int> default_device{0};

}  // namespace

int current_device() { return chosen == none ? default_device.load() : chosen; }
void choose_device(int device) { chosen = device; }
void set_default_device(int device) { default_device.store(device); }

OnDevice::OnDevice(int device) : before_(chosen) { chosen = device; }
OnDevice::~OnDevice() { chosen = before_; }

}  // namespace gridspan::runtime
