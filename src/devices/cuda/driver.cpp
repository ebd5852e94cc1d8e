// Opens libcuda.so.1 and looks its functions up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/driver.h"

#include "support/first_at_exit.h"

#include <dlfcn.h>
#include <mutex>

namespace gridspan::devices::cuda {
namespace {

support::Result<const Driver*> open_driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* const why = dlerror();
    return support::fail("no CUDA driver: " + std::string(why ? why : "libcuda.so.1 not found"));
  }
  // Programs built against our toolkit folder may have us under the driver's name.
  if (dlsym(library, "gridspan_register_module")) {
    return support::fail("no CUDA driver: libcuda.so.1 is Gridspan's own stand-in for it");
  }
  auto* made = new Driver;
  const char* missing = nullptr;
#define GRIDSPAN_CUDA_FIND(name, symbol, parameters)                           \
  made->name = reinterpret_cast<decltype(made->name)>(dlsym(library, symbol)); \
  if (!made->name) missing = symbol;
  GRIDSPAN_CUDA_FUNCTIONS(GRIDSPAN_CUDA_FIND)
#undef GRIDSPAN_CUDA_FIND
#define GRIDSPAN_CUDA_LOOK_FOR(name, symbol, parameters) \
  made->name = reinterpret_cast<decltype(made->name)>(dlsym(library, symbol));
  GRIDSPAN_CUDA_LATER_FUNCTIONS(GRIDSPAN_CUDA_LOOK_FOR)
#undef GRIDSPAN_CUDA_LOOK_FOR
  if (missing) {
    delete made;
    return support::fail("the CUDA driver is too old: libcuda.so.1 has no " + std::string(missing));
  }
  made->library = library;
  made->is_fake = dlsym(library, "gridspan_fake_cuda_take_hooks") != nullptr;
  if (const Result error = made->cuInit(0); error != success) {
    std::string text = made->describe(error, "cuInit");
    delete made;
    return support::fail("the CUDA driver does not start: " + text);
  }
  return made;
}

}  // namespace

support::Result<const Driver*> driver() {
  static const support::Result<const Driver*> opened = open_driver();
  return opened;
}

void Driver::load_compiler() const {
  if (is_fake) return;
  static std::once_flag once;
  std::call_once(once, [] {
    dlopen("libnvidia-ptxjitcompiler.so.1", RTLD_LAZY | RTLD_LOCAL);  // if not, the driver does
    support::be_first_at_exit();
  });
}

bool Driver::makes_graphs() const {
  bool has_all = true;
#define GRIDSPAN_CUDA_IS_THERE(name, symbol, parameters) has_all &= (name) != nullptr;
  GRIDSPAN_CUDA_LATER_FUNCTIONS(GRIDSPAN_CUDA_IS_THERE)
#undef GRIDSPAN_CUDA_IS_THERE
  return has_all;
}

std::string Driver::describe(Result error, const char* call) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(error, &name) != success || !name) name = "unknown error";
  if (cuGetErrorString(error, &text) != success || !text) text = "";
  std::string line = std::string(call) + " failed: " + name + " (" + std::to_string(error) + ")";
  return *text ? line + ": " + text : line;
}

RunResult Driver::fault(Result error, const char* call) const {
  if (error == success) return {};
  const auto kind = [error] {
    switch (error) {
      case error_out_of_memory:
        return Fault::out_of_memory;
      case error_invalid_value:
        return Fault::invalid_value;
      case error_ecc_uncorrectable:
        return Fault::uncorrectable_memory;
      case error_illegal_address:
        return Fault::illegal_address;
      case error_too_many_resources:
        return Fault::out_of_resources;
      case error_launch_timeout:
        return Fault::timeout;
      case error_assert:
        return Fault::assertion;
      case error_hardware_stack:
        return Fault::hardware_stack;
      case error_illegal_instruction:
        return Fault::illegal_instruction;
      case error_misaligned_address:
        return Fault::misaligned_address;
      case error_invalid_address_space:
        return Fault::invalid_address_space;
      case error_invalid_pc:
        return Fault::invalid_pc;
      case error_cooperative_launch_too_large:
        return Fault::too_many_blocks;
      default:
        return Fault::trap;
    }
  };
  return {kind(), "error: " + describe(error, call)};
}

RunResult Driver::launch_fault(Result error, const char* call) const {
  RunResult result = fault(error, call);
  result.passes = error == error_invalid_value || error == error_out_of_memory ||
                  error == error_too_many_resources || error == error_cooperative_launch_too_large;
  return result;
}

}  // namespace gridspan::devices::cuda
