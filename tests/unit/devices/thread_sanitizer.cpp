// Keeps ThreadSanitizer quiet about TBB, whose library is not instrumented. No effect otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();

const char* __tsan_default_suppressions() {
  // `race_top`: only where TBB itself makes the access. Our code runs below TBB's frames.
  return "race_top:tbb::detail\nrace_top:std::__atomic_base<int>\ncalled_from_lib:libtbb.so\n";
}
