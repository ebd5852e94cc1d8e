// Starts gridcc --compile-verify and loads its product.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/recording_build.h"

#include "support/find_gridcc.h"
#include "support/memory_file.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace gridspan::runtime::verify {

namespace {

using support::fail;
using support::MemoryFile;
using support::Result;

// Descriptors in gridcc's process.
constexpr int container_descriptor = 3;
constexpr int product_descriptor = 4;

/// A descriptor that no dup2 onto the small numbers above can overwrite.
int out_of_the_way(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 16); }

/// `cpu`: null, or what the ordinary build was compiled for: with and without fused
/// multiply-add, results differ.
Result<void> run_gridcc(const std::string& gridcc, const char* cpu, const MemoryFile& container,
                        const MemoryFile& product) {
  const int from = out_of_the_way(container.descriptor());
  const int to = out_of_the_way(product.descriptor());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, from, container_descriptor);
  posix_spawn_file_actions_adddup2(&actions, to, product_descriptor);
  std::string input = "--compile-verify=/dev/fd/" + std::to_string(container_descriptor);
  std::string output = "/dev/fd/" + std::to_string(product_descriptor);
  std::string name = gridcc, dash_o = "-o";
  std::string march = cpu ? std::string("-march=") + cpu : std::string();
  char* const words[] = {
      name.data(), input.data(), dash_o.data(), output.data(), cpu ? march.data() : nullptr,
      nullptr};
  pid_t process = 0;
  const int error = posix_spawn(&process, gridcc.c_str(), &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(from);
  ::close(to);
  if (error != 0) return fail("cannot start " + gridcc + ": " + std::strerror(error));
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    // The program may ignore SIGCHLD; then nobody knows the status, and the product will tell.
    if (errno != EINTR) return {};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return fail(gridcc + " failed");
}

Result<const abi::Recording*> load(MemoryFile& product) {
  const std::string path = "/proc/self/fd/" + std::to_string(product.descriptor());
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(std::string("cannot load the recording build: ") + dlerror());
  product.keep_open();
  // A program linked with libgridspan.a has just loaded a second run time.
  if (dlsym(library, "gridspan_record_access") !=
      reinterpret_cast<void*>(&gridspan_record_access)) {
    return fail("the program must use the shared libgridspan.so");
  }
  const auto* recording = static_cast<const abi::Recording*>(dlsym(library, "gridspan_recording"));
  if (!recording || recording->version != abi::version)
    return fail("gridcc and libgridspan are of different versions");
  return recording;
}

}  // namespace

Result<const abi::Recording*> make_recording_build(const abi::Module& module) {
  auto gridcc = support::own_gridcc(reinterpret_cast<const void*>(&gridspan_record_access));
  if (!gridcc) return fail(gridcc.error());
  const MemoryFile container("gridspan-container");
  MemoryFile product("gridspan-recording");
  if (container.descriptor() < 0 || product.descriptor() < 0)
    return fail(std::string("cannot make a file in memory: ") + std::strerror(errno));
  if (!module.container || !container.write(module.container, module.container_size))
    return fail("the program carries no code to record");
  if (auto made = run_gridcc(*gridcc, abi::cpu_name(module.instruction_set), container, product);
      !made)
    return fail(made.error());
  return load(product);
}

}  // namespace gridspan::runtime::verify
