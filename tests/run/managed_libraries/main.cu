// Managed variables of libraries are known as long as these are open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>

#include "../check.h"

static int type_of(const void* pointer) {
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type;
}

struct Library {
  void* handle;
  int* numbers;
  int* start;
  cudaError_t (*run)(int);

  explicit Library(const std::string& name) {
    handle = dlopen((check::own_folder() + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) std::fprintf(stderr, "%s\n", dlerror()), std::exit(1);
    numbers = find<int* (*)()>("library_numbers")();
    start = find<int* (*)()>("library_start")();
    run = find<cudaError_t (*)(int)>("library_run");
  }
  template <class Function>
  Function find(const char* name) {
    return reinterpret_cast<Function>(dlsym(handle, name));
  }
};

/// `first_is_copy`: what the first call about the library's variables is.
static void use(Library& library, int number, bool first_is_copy) {
  const int n = 5001;
  std::vector<int> values = check::Random(number).integers<int>(n, -50, 50);
  if (first_is_copy) {
    CUDA_OK(cudaMemcpy(library.numbers, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  } else {
    CHECK_EQ(type_of(library.start), int(cudaMemoryTypeManaged));
    CUDA_OK(cudaMemset(library.numbers, 0, n * sizeof(int)));
    std::fill(values.begin(), values.end(), 0);
  }
  CHECK_EQ(*library.start, number);
  *library.start += 1;
  CUDA_OK(library.run(n));
  for (int i = 0; i < n; ++i) values[i] += i + number + 1;
  check::equal("numbers", std::vector<int>(library.numbers, library.numbers + n), values);
}

int main() {
  CUDA_OK(cudaFree(nullptr));  // the run time is there before the libraries
  Library first("libfirst.so");
  use(first, 10, true);
  Library second("libsecond.so");
  use(second, 20, false);
  CHECK_EQ(type_of(first.numbers), int(cudaMemoryTypeManaged));
  int* const gone = second.numbers;
  dlclose(second.handle);
  CHECK_EQ(type_of(gone), int(cudaMemoryTypeUnregistered));
  CHECK_EQ(int(cudaMemset(gone, 0, 4)), int(cudaErrorInvalidValue));
  (void)cudaGetLastError();
  CHECK_EQ(type_of(first.numbers), int(cudaMemoryTypeManaged));
  // Opened again it is new; never used it may go as it came.
  {
    Library again("libsecond.so");
    use(again, 20, true);
    dlclose(again.handle);
    Library unused("libsecond.so");
    dlclose(unused.handle);
  }
  // Two files that a device link joined: both have variables.
  Library linked("liblinked.so");
  use(linked, 30, true);
  dlclose(linked.handle);
  CHECK_EQ(int(first.run(3)), int(cudaSuccess));
  return check::finish();
}
