// Uses one library it is linked with and loads and unloads a second one by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../check.h"

#include <dlfcn.h>

extern "C" int add_linked(int* device, int n);

__global__ void add(int* data, int n) {  // same name as in the libraries
  const int i = check::global_index();
  if (i < n) data[i] += 1;
}

int main(int, char** argv) {
  const std::string folder = std::string(argv[0]).substr(0, std::string(argv[0]).rfind('/'));
  const int n = 1009;
  check::Array<int> data(std::vector<int>(n, 0));
  int want = 0;
  for (int round = 1; round <= 3; ++round) {
    add<<<(n + 63) / 64, 64>>>(data.data(), n);
    CHECK_EQ(add_linked(data.data(), n), 100 + round);
    want += 1 + 100;
    void* library = dlopen((folder + "/libloaded.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!CHECK(library != nullptr)) {
      std::fprintf(stderr, "%s\n", dlerror());
      return check::finish();
    }
    auto add_loaded = reinterpret_cast<int (*)(int*, int)>(dlsym(library, "add_loaded"));
    const int first = add_loaded(data.data(), n);
    CHECK_EQ(add_loaded(data.data(), n), first + 1);
    want += 2 * 10000;
    check::equal("after libraries", data.get(), std::vector<int>(n, want));
    CHECK_EQ(dlclose(library), 0);
  }
  return check::finish();
}
