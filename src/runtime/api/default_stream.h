// What a null stream means to a call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/cuda_api.h"

namespace gridspan::runtime {

/// True while this thread is in a call of a source compiled with --default-stream per-thread.
bool null_is_per_thread();

/// Makes calls on this thread take a null stream as the thread's own default stream.
class PerThreadDefault {
 public:
  PerThreadDefault();
  PerThreadDefault(const PerThreadDefault&) = delete;
  PerThreadDefault& operator=(const PerThreadDefault&) = delete;
  ~PerThreadDefault();

 private:
  bool before_;
};

}  // namespace gridspan::runtime
