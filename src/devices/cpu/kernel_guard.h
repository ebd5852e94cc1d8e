// Faults inside kernels: from a signal, trap or assertion back to the worker that started the
// block. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a thread runs kernel code, `running_kernel` points to its KernelFrame. A SIGSEGV, SIGBUS,
// SIGFPE or SIGILL then leaves the kernel through the frame; at any other time it goes to whoever
// handled it before us. Kernel code owns nothing, so abandoning its stack frames is safe; services
// that take locks or allocate clear the marker while they do (HostCode).
#pragma once

#include "abi/launch.h"
#include "abi/module.h"
#include "devices/device.h"

#include <atomic>
#include <csetjmp>
#include <cstdint>

namespace gridspan::devices::cpu {

/// What is known about a fault. Plain data: it is written inside a signal handler.
struct FaultRecord {
  Fault fault = Fault::none;
  int signal = 0;
  bool has_address = false;
  std::uintptr_t address = 0;
  std::uintptr_t stack_pointer = 0;  // 0: not from a signal
  bool has_thread = false;
  std::uint32_t thread = 0;
  abi::SourcePoint where = {};  // file == null: unknown
  char text[256] = {};          // of an assertion or trap
};

/// Addresses below a stack: a fault in here means that the stack has overflowed.
struct OverflowZone {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool contains(std::uintptr_t address) const { return begin <= address && address < end; }
};

/// Turns an illegal address into a stack overflow if it was one.
void recognise_overflow(FaultRecord& record, const OverflowZone& zone);

/// The way out of a kernel. Lives as long as the worker runs blocks of one part.
struct KernelFrame {
  /// Leaves the kernel; never returns. The record has been filled in.
  void (*leave)(KernelFrame& frame) = nullptr;
  void* owner = nullptr;  // for `leave`
  FaultRecord record;
  sigjmp_buf landing;
};

/// Not initial-exec: a library with such variables cannot be opened once a process has used up the
/// room for them. The signal handler finds the variable by what prepare_thread has noted.
extern constinit thread_local KernelFrame* running_kernel;

inline void enter_kernel(KernelFrame& frame) {
  running_kernel = &frame;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

inline void leave_kernel() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  running_kernel = nullptr;
}

/// Runs `body` on this stack as kernel code. False: a fault ended it; `frame.record` says which.
/// Frames between here and the kernel must be trivially destructible.
template <class Body>
[[gnu::noinline]] bool run_guarded(KernelFrame& frame, Body body) {
  frame.leave = [](KernelFrame& left) { siglongjmp(left.landing, 1); };
  if (sigsetjmp(frame.landing, 0) != 0) return false;
  enter_kernel(frame);
  body();
  leave_kernel();
  return true;
}

/// A stretch of a service that must not be abandoned halfway.
class HostCode {
 public:
  HostCode() : frame_(running_kernel) { leave_kernel(); }
  ~HostCode() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    running_kernel = frame_;
  }
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;

 private:
  KernelFrame* frame_;
};

/// Puts the signal handlers in place, once per process.
void install_fault_handlers();

/// Gives the calling thread a signal stack (once); returns the zone below its own stack.
OverflowZone prepare_thread();

/// Leaves the running kernel because of `record`; aborts when no kernel runs on this thread.
[[noreturn]] void abandon_kernel(const FaultRecord& record);

}  // namespace gridspan::devices::cpu
