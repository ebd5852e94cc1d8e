// Contexts: there is one device with one state, so a context is only a name for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/driver/call.h"

#include <atomic>

/// What a CUcontext points to.
struct CUctx_st {
  std::atomic<unsigned> flags{0};
  bool is_primary = false;
};

namespace gridspan::runtime::driver {

void set_initialised();
bool is_initialised();

/// The context that the run-time API uses.
CUcontext primary_context();

CUcontext create_context(unsigned flags);
/// False if there is no such context. It leaves this thread's stack.
bool destroy_context(CUcontext context);
bool is_live(CUcontext context);

/// This thread's current context, or null.
CUcontext current_context();
void push_context(CUcontext context);
/// Null if none is current.
CUcontext pop_context();

}  // namespace gridspan::runtime::driver
