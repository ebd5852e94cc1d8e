// Keeps ThreadSanitizer quiet about TBB, whose library is not instrumented. No effect otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();

const char* __tsan_default_suppressions() {
  // Only where TBB itself makes the access: our workers' code runs below TBB's frames.
  return "race_top:tbb::detail\n"
         "race:tbb::detail::d1::fold_tree\n"
         "race:tbb::detail::d1::start_for*::start_for(\n"
         "race:tbb::detail::d1::tree_node::tree_node\n"
         "called_from_lib:libtbb.so\n";
}
