// A stream that waits until all launches of a case are queued.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check.h"

#include <atomic>
#include <chrono>
#include <thread>

struct Hold {
  explicit Hold(cudaStream_t stream = nullptr) {
    CUDA_OK(cudaLaunchHostFunc(
        stream,
        [](void* self) {
          while (!static_cast<Hold*>(self)->open.load())
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        },
        this));
  }
  void go() {
    open = true;
    KERNEL_OK();
  }
  std::atomic<bool> open{false};
};
