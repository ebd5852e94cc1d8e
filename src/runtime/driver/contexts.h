// Contexts: a device has one state, so a context is only a name for its device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/driver/call.h"

#include <atomic>

/// What a CUcontext points to.
struct CUctx_st {
  int device = 0;
  std::atomic<unsigned> flags{0};
  bool is_primary = false;
  unsigned long long id = 0;  // of the contexts there ever were
};

namespace gridspan::runtime::driver {

void set_initialised();
bool is_initialised();

/// The context that the run-time API uses on a device.
CUcontext primary_context(int device);

CUcontext create_context(int device, unsigned flags);
/// False if there is no such context. It leaves this thread's stack.
bool destroy_context(CUcontext context);
bool is_live(CUcontext context);

/// This thread's current context, or null. Its device is the one of all calls: what changes the
/// context chooses the device, and after cudaSetDevice the primary context of that one is current.
CUcontext current_context();
/// The current context if it is on that device, else the primary one.
CUcontext context_on(int device);
void push_context(CUcontext context);
/// Null if none is current.
CUcontext pop_context();

}  // namespace gridspan::runtime::driver
