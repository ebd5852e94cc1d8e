// Remembers which default stream this thread's call means.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/default_stream.h"

namespace gridspan::runtime {

namespace {

constinit thread_local bool is_per_thread = false;

}  // namespace

bool null_is_per_thread() { return is_per_thread; }

PerThreadDefault::PerThreadDefault() : before_(is_per_thread) { is_per_thread = true; }
PerThreadDefault::~PerThreadDefault() { is_per_thread = before_; }

}  // namespace gridspan::runtime
