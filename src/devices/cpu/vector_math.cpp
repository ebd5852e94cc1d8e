// SLEEF's deterministic functions, found when they are first called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sleef_finz_*: the same operations, fused multiply-adds among them, for one number and for vectors
// of any length. The library is opened, not linked: programs run without it, lane by lane.
#include "devices/cpu/vector_math.h"

#include "support/log.h"

#include <dlfcn.h>
#include <atomic>

#if defined(__x86_64__)
#include "devices/cpu/vector_math_forms.h"

namespace gridspan::devices::cpu {

static std::atomic<support::CpuMath> chosen{support::CpuMath::sleef};

static void* open_sleef() {
  void* library = dlopen("libsleef.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    support::log(support::LogLevel::info,
                 "libsleef.so.3 is not there (Debian's package libsleef3): kernels call the C "
                 "library's math functions thread by thread");
  return library;
}

static void* sleef() {
  static void* const library = open_sleef();
  return library;
}

void* find_math(const char* name, void* fallback) {
  if (chosen.load(std::memory_order_relaxed) == support::CpuMath::libm || !sleef()) return fallback;
  void* found = dlsym(sleef(), name);
  return found ? found : fallback;
}

void choose_math(support::CpuMath wanted) { chosen.store(wanted, std::memory_order_relaxed); }

bool has_sleef() { return sleef() != nullptr; }

}  // namespace gridspan::devices::cpu

#define DEFINE_FUNCTION(name, arguments, accuracy)                           \
  DEFINE_FORM(f32, float, float, 1, f1, purecfma, name, arguments, accuracy) \
  DEFINE_FORM(f64, double, double, 1, d1, purecfma, name, arguments, accuracy)
GRIDSPAN_MATH_FUNCTIONS(DEFINE_FUNCTION)

#else

namespace gridspan::devices::cpu {

void choose_math(support::CpuMath) {}
bool has_sleef() { return false; }

}  // namespace gridspan::devices::cpu

#endif
