// opener GLOBAL... EXTENSION: opens libraries one after the other, the last one for its `compute`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As Python does it: the program itself knows nothing of CUDA.
#include <dlfcn.h>

#include "check_compute.h"

int main(int argc, char** argv) {
  void* last = NULL;
  for (int i = 1; i < argc; ++i) {
    last = dlopen(argv[i], RTLD_NOW | (i + 1 < argc ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!last) return puts(dlerror()), 1;
  }
  int (*compute)(float*, const float*, int) =
      (int (*)(float*, const float*, int))dlsym(last, "compute");
  return compute ? check_compute(compute) : (puts(dlerror()), 1);
}
