// The entry points that constructors call before main, and destructors after it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/module.h"
#include "abi/recording.h"
#include "abi/relocatable.h"
#include "abi/services.h"
#include "abi/variants.h"
#include "devices/cpu/instruction_set.h"
#include "runtime/api/instruction_limit.h"
#include "runtime/api/reference_table.h"
#include "runtime/api/registry.h"
#include "runtime/api/runtime_state.h"
#include "runtime/driver/modules.h"
#include "runtime/record/replay.h"
#include "support/options.h"

#include <cstdio>
#include <cstdlib>

using namespace gridspan;
using runtime::FatBinary;

namespace {

/// What clang's host code passes to __cudaRegisterFatBinary.
struct FatBinaryWrapper {
  int magic;
  int version;
  const void* data;  // the bytes of .nv_fatbin
  void* unused;
};
constexpr int wrapper_magic = 0x466243b1;

void check_version(std::uint32_t version) {
  if (version == abi::version) return;
  std::fprintf(stderr,
               "gridspan: error: an object was compiled by another version of gridcc (layout %u, "
               "this library has %u); compile it again\n",
               version, abi::version);
  std::abort();
}

/// The same for the whole life of the process.
const abi::Module& variant_of(const abi::ModuleVariants& variants) {
  static const abi::InstructionSet limit = [] {
    // What is wrong with the options is said when the run time starts.
    const auto options = support::options_from_environment(nullptr);
    const auto wanted = options ? options->instructions : support::CpuInstructions::best;
    return runtime::instruction_limit(wanted);
  }();
  return devices::cpu::choose_variant(variants, limit);
}

[[noreturn]] void die(const char* line) {
  std::fprintf(stderr, "gridspan: error: %s\n", line);
  std::abort();
}

/// What kernels call goes into a program of -cudart static even if its own kernels do not need it:
/// those of its libraries must find the services of the run time that runs them.
[[gnu::used]] const void* const services_of_kernels[] = {
    reinterpret_cast<const void*>(&gridspan_device_vprintf),
    reinterpret_cast<const void*>(&gridspan_device_configure),
    reinterpret_cast<const void*>(&gridspan_record_access),
};

}  // namespace

#define GRIDSPAN_EXPORT extern "C" __attribute__((visibility("default")))

GRIDSPAN_EXPORT void gridspan_register_module(const abi::Module* module) {
  check_version(module->version);
  runtime::registry().add_module(module);
  runtime::record::replay_if_ready();
}

GRIDSPAN_EXPORT void gridspan_unregister_module(const abi::Module* module) {
  runtime::driver::forget_own_module(module);
  auto removed = runtime::registry().remove_module(module);
  runtime::Runtime* state = runtime::runtime_if_started();
  if (!removed || !state) return;
  if (state->exiting.load()) {
    // The code stays mapped to the end, and a kernel may still be running: its variables stay too.
    runtime::registry().keep(std::move(removed));
    return;
  }
  for (runtime::fuse::Chainer* chainer : state->chainers()) chainer->expect_to_forget();
  state->queue.wait(state->queue.last_submitted());
  if (state->verifier) state->verifier->forget(*module);
  state->queue.run_exclusively([&] {
    for (runtime::fuse::Chainer* chainer : state->chainers()) chainer->forget();
    if (state->many_devices) state->many_devices->forget_kernels();
    if (state->home_or_all) state->home_or_all->forget_kernels();
    if (state->home_or_rounds) state->home_or_rounds->forget(*module);
  });
  if (state->specialised) state->specialised->forget(*module);
  runtime::drop_images(*removed, state->memory);
  for (const auto& device : state->devices)
    if (devices::is_there(*device)) device->code().forget(*module);
}

GRIDSPAN_EXPORT void gridspan_register_linked_unit(const abi::Module* module, const char* suffix,
                                                   void (*register_globals)(void** handle)) {
  gridspan_register_module(module);
  register_globals(reinterpret_cast<void**>(runtime::registry().add_linked(module, suffix)));
}

GRIDSPAN_EXPORT void gridspan_register_linked_unit_of_variants(
    const abi::ModuleVariants* variants, const char* suffix,
    void (*register_globals)(void** handle)) {
  gridspan_register_linked_unit(&variant_of(*variants), suffix, register_globals);
}

GRIDSPAN_EXPORT void gridspan_register_variants(const abi::ModuleVariants* variants) {
  check_version(variants->version);
  gridspan_register_module(&variant_of(*variants));
}

GRIDSPAN_EXPORT void gridspan_unregister_variants(const abi::ModuleVariants* variants) {
  gridspan_unregister_module(&variant_of(*variants));
}

GRIDSPAN_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  const auto* fat = static_cast<const FatBinaryWrapper*>(wrapper);
  const void* reference = fat->magic == wrapper_magic ? fat->data : nullptr;
  return reinterpret_cast<void**>(runtime::registry().add_fat_binary(reference));
}

GRIDSPAN_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}  // names are resolved at first use

GRIDSPAN_EXPORT void __cudaUnregisterFatBinary(void** handle) {
  runtime::registry().remove_fat_binary(reinterpret_cast<FatBinary*>(handle));
}

GRIDSPAN_EXPORT int __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name,
                                           int, void*, void*, void*, void*, int*) {
  runtime::registry().add_function(reinterpret_cast<FatBinary*>(handle), stub, name);
  return 0;
}

GRIDSPAN_EXPORT void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int,
                                       std::size_t, int, int) {
  runtime::registry().add_variable(reinterpret_cast<FatBinary*>(handle), shadow, name);
}

GRIDSPAN_EXPORT void __cudaRegisterTexture(void** handle, const textureReference* shadow,
                                           const void**, const char* name, int, int read_mode,
                                           int) {
  runtime::registry().add_variable(reinterpret_cast<FatBinary*>(handle), shadow, name);
  runtime::references().add_texture(shadow, static_cast<cudaTextureReadMode>(read_mode));
}

GRIDSPAN_EXPORT void __cudaRegisterSurface(void** handle, const surfaceReference* shadow,
                                           const void**, const char* name, int, int) {
  runtime::registry().add_variable(reinterpret_cast<FatBinary*>(handle), shadow, name);
  runtime::references().add_surface(shadow);
}

GRIDSPAN_EXPORT void __cudaRegisterManagedVar(void**, void**, char*, const char* name, int,
                                              std::size_t, int, int) {
  std::fprintf(stderr, "gridspan: error: __managed__ variable '%s'\n", name);
  die("__managed__ variables are not supported yet");
}
