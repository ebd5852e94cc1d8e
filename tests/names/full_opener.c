// full_opener FILLERS EXTENSION: opens a library once no room for static thread-local variables is
// left. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILLERS/libfill_SIZE_NUMBER.so have initial-exec variables of SIZE bytes, as many large libraries
// that a Python process opens have; they are opened until none, down to the smallest, has room.
#include <dlfcn.h>
#include <string.h>

#include "check_compute.h"

static int fill(const char* folder) {
  int opened = 0, refused = 0;
  for (int size = 1024; size >= 8; size /= 2) {
    for (int number = 0; number < 8; ++number) {
      char path[4096];
      snprintf(path, sizeof path, "%s/libfill_%d_%d.so", folder, size, number);
      if (dlopen(path, RTLD_NOW)) {
        ++opened;
        continue;
      }
      if (!strstr(dlerror(), "static TLS")) return printf("%s does not open\n", path), 0;
      refused = size;
      break;
    }
  }
  if (opened == 0 || refused != 8) printf("room is left: %d opened\n", opened);
  return opened > 0 && refused == 8;
}

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  // The C++ library is in every such process, and has such variables itself.
  if (!dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL)) return puts(dlerror()), 1;
  if (!fill(argv[1])) return 1;
  void* const library = dlopen(argv[2], RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  return check_compute((int (*)(float*, const float*, int))dlsym(library, "compute"));
}
