// Runs kernels in the default floating-point mode, whatever the host thread has set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gridspan::runtime {

/// Round to nearest, no flushing of subnormals, no traps; restores the thread's mode at the end.
class DefaultFloatMode {
 public:
#if defined(__x86_64__)
  DefaultFloatMode() : before_(__builtin_ia32_stmxcsr()) {
    if (before_ != plain) __builtin_ia32_ldmxcsr(plain);
  }
  ~DefaultFloatMode() {
    if (before_ != plain) __builtin_ia32_ldmxcsr(static_cast<unsigned>(before_));
  }

 private:
  static constexpr unsigned plain = 0x1f80;  // all exceptions masked, nearest even
#elif defined(__aarch64__)
  DefaultFloatMode() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    set(0);
  }
  ~DefaultFloatMode() { set(before_); }

 private:
  static void set(std::uint64_t mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
#endif
 public:
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;

 private:
  std::uint64_t before_;
};

}  // namespace gridspan::runtime
