// Which kernels and variables the program has, and the host addresses it knows them by.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kinds of registration meet here, in whatever order constructors run:
//   device object:  gridspan_register_module(module)            the code, under its ModuleId
//   host object:    __cudaRegisterFatBinary(reference) = handle, or, device-linked,
//                   gridspan_register_linked_unit(module, names)
//                   __cudaRegisterFunction(handle, stub, name)   host address -> name in that
//                   handle
// So a name is only looked up at its first use, and only inside the module its handle refers to:
// two objects may define kernels of the same name.
#pragma once

#include "abi/module.h"
#include "runtime/api/current_device.h"
#include "runtime/memory/module_image.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime {

struct Function;

/// A module in this process, and its variables on each of the program's devices once they are
/// needed there.
struct LoadedModule {
  struct Place {
    std::optional<ModuleImage> image;              // guarded by image_mutex
    std::atomic<void* const*> addresses{nullptr};  // of the image, once made
  };
  const abi::Module* module;
  std::mutex image_mutex;
  std::array<Place, most_devices> places;
  bool referenced = false;  // some handle has it
  /// However a kernel is named, it is one with one set of attributes. Guarded by the registry.
  std::unordered_map<const abi::Kernel*, std::weak_ptr<Function>> functions;
  ManagedVariables managed;  // empty if there are none
};

/// What __cudaRegisterFatBinary hands out.
struct FatBinary {
  abi::ModuleId id{};
  bool is_ours = false;
  const abi::Module* linked = nullptr;   // known by address: the host code was device-linked to it
  std::string suffix;                    // of names in it that are private to this host code
  std::shared_ptr<LoadedModule> loaded;  // found at first use
};

/// A kernel as a host address names it.
struct Function {
  std::shared_ptr<LoadedModule> loaded;
  const abi::Kernel* kernel;
  std::atomic<std::uint32_t> dynamic_shared_limit;  // cudaFuncSetAttribute; 0 = not set
  std::atomic<std::uint64_t> fallbacks{0};          // launches that had to run on fibers
  /// That a block may have on the home device, a GPU that can run the kernel. 0: not asked yet.
  std::atomic<std::uint32_t> threads_at_home{0};
  std::atomic<bool> is_refusal_told{false};  // that the device has no code for it
};

/// A variable as a host address names it.
struct Variable {
  std::shared_ptr<LoadedModule> loaded;
  std::uint32_t index;  // in the module's symbols
};

/// Thread safe. Never destroyed.
class Registry {
 public:
  /// Does nothing if the module is there already.
  void add_module(const abi::Module* module);
  /// Calls `load`; the last module that this thread adds meanwhile, or null.
  template <class Load>
  const abi::Module* module_registered_by(Load load);
  /// Hands over the module, which nobody finds any more; null if it is unknown.
  std::shared_ptr<LoadedModule> remove_module(const abi::Module* module);

  /// Keeps a removed module's variables to the end of the process.
  void keep(std::shared_ptr<LoadedModule> removed);

  std::vector<std::shared_ptr<LoadedModule>> modules() const;
  /// Calls `look` with all modules, none of which is removed meanwhile.
  template <class Look>
  void with_modules(Look look) const {
    const std::shared_lock lock(mutex_);
    look(modules_);
  }

  /// Whether blocks of some kernel wait for the whole grid.
  bool has_grid_barriers() const;

  /// Forgets every module's variables on `device`; they are made anew at their next use.
  void drop_images(HomeMemory& memory, int device);

  /// `reference` may be bytes of another compiler; then the handle's kernels are never found.
  FatBinary* add_fat_binary(const void* reference);
  FatBinary* add_linked(const abi::Module* module, const char* suffix);
  void remove_fat_binary(FatBinary* handle);

  void add_function(FatBinary* handle, const void* stub, const char* name);
  void add_variable(FatBinary* handle, const void* shadow, const char* name);

  /// Null if no kernel (variable) of that host address is registered or its module is not there.
  std::shared_ptr<Function> find_function(const void* stub);
  std::shared_ptr<Variable> find_variable(const void* shadow);

  /// The module of a handle, or null.
  std::shared_ptr<LoadedModule> module_of_handle(FatBinary& handle);

 private:
  /// The module that this thread added last.
  static constinit thread_local const abi::Module* newest_;

  /// A name in a handle, resolved or not yet.
  template <class Target>
  struct Binding {
    FatBinary* handle;
    std::string name;
    std::shared_ptr<Target> target;
  };
  /// One host address may be bound several times: the linker merges equal inline kernels of several
  /// objects, and libraries may override each other's. The first that is there answers, so that all
  /// host code agrees on one, and stays until its own object goes.
  template <class Target>
  using Bindings = std::unordered_map<const void*, std::vector<Binding<Target>>>;

  // These expect the lock.
  void drop_handle(const FatBinary* handle);
  void place_managed(FatBinary& handle, const void* shadow, const std::string& name);
  std::shared_ptr<LoadedModule> module_of(FatBinary& handle);
  std::shared_ptr<Function> resolve(Binding<Function>& binding);
  std::shared_ptr<Variable> resolve(Binding<Variable>& binding);
  template <class Target>
  static void bind(Bindings<Target>& bindings, FatBinary* handle, const void* host,
                   const char* name);
  template <class Target>
  static void unbind(Bindings<Target>& bindings, const FatBinary* handle);
  template <class Target>
  static void forget(Bindings<Target>& bindings, const LoadedModule* loaded);
  template <class Target>
  std::shared_ptr<Target> find(Bindings<Target>& bindings, const void* host);

  mutable std::shared_mutex mutex_;
  std::vector<std::shared_ptr<LoadedModule>> modules_;
  std::vector<std::shared_ptr<LoadedModule>> kept_;
  std::vector<std::unique_ptr<FatBinary>> fat_binaries_;
  std::shared_ptr<Function> function_of(const std::shared_ptr<LoadedModule>& loaded,
                                        const abi::Kernel& kernel);

  Bindings<Function> functions_;
  Bindings<Variable> variables_;
};

template <class Load>
const abi::Module* Registry::module_registered_by(Load load) {
  newest_ = nullptr;
  load();
  return newest_;
}

/// The process's registry; exists from its first use to the end.
Registry& registry();

/// The module's variables on the program's `device`, made at the first call. Null if there is no
/// room.
void* const* symbol_addresses(LoadedModule& loaded, HomeMemory& memory, int device);

/// Gives back a module's variables on one device, or a removed module's on all.
void drop_image(LoadedModule& loaded, HomeMemory& memory, int device);
void drop_images(LoadedModule& loaded, HomeMemory& memory);

}  // namespace gridspan::runtime
