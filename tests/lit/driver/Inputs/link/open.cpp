#include <dlfcn.h>

#include <cstdio>

int main(int, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  if (!library) return std::printf("%s\n", dlerror()), 1;
  auto answer = reinterpret_cast<int (*)()>(dlsym(library, "answer"));
  std::printf("opened: %d\n", answer ? answer() : -1);
  return dlclose(library);
}
