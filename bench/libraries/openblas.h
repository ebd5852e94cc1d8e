// OpenBLAS, opened when the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <dlfcn.h>

namespace bench {

/// It has one thread. Null: there is none.
inline void* openblas() {
  static void* const library = [] {
    void* found = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (found)
      if (auto* set = reinterpret_cast<void (*)(int)>(dlsym(found, "openblas_set_num_threads")))
        set(1);
    return found;
  }();
  return library;
}

}  // namespace bench
