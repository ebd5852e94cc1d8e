// Loads images and finds what is in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/modules.h"

#include "runtime/api/stream_table.h"
#include "runtime/driver/linker.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace gridspan::runtime::driver {

namespace {

/// Never destroyed: destructors of the program may still call us.
HandleTable<CUmod_st>& modules() {
  static auto& table = *new HandleTable<CUmod_st>;
  return table;
}

/// Handles of kernels, which programs may give where the run-time API expects a host address.
struct FunctionHandles {
  std::mutex mutex;
  std::unordered_set<const void*> live;
};
FunctionHandles& function_handles() {
  static auto& table = *new FunctionHandles;
  return table;
}

void drop_handles(CUmod_st& module) {
  const std::scoped_lock lock(module.mutex, function_handles().mutex);
  for (const auto& [name, function] : module.functions) {
    function_handles().live.erase(function.get());
  }
}

bool is_function_handle(const void* address) {
  const std::scoped_lock lock(function_handles().mutex);
  return function_handles().live.contains(address);
}

/// Modules of the program's own code that it has asked for by a symbol.
struct OwnModules {
  std::mutex mutex;
  std::map<const abi::Module*, CUmodule> modules;
};
OwnModules& own_modules() {
  static auto& table = *new OwnModules;
  return table;
}

CUmodule own_module(const abi::Module* code) {
  OwnModules& own = own_modules();
  const std::scoped_lock lock(own.mutex);
  CUmodule& module = own.modules[code];
  if (!module) {
    auto made = std::make_shared<CUmod_st>();
    made->is_own = true;
    made->module = code;
    made->handle = registry().add_linked(code, "");
    module = modules().add(std::move(made));
  }
  return module;
}

/// In which PTX says that it is PTX.
constexpr std::size_t longest_start = 4096;

/// Bytes of an ELF image, or 0 if it is none of this machine's: its section headers come last.
std::size_t size_of_library(const char* image) {
  Elf64_Ehdr header;
  if (std::strncmp(image, ELFMAG, SELFMAG) != 0) return 0;
  std::memcpy(&header, image, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN) return 0;
  return header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum;
}

CUresult refuse_image(const char* call, const char* what) {
  return refuse(call, CUDA_ERROR_INVALID_IMAGE,
                "the image is %s; modules are made with gridcc -fatbin, -cubin or -ptx", what);
}

/// A file in memory with these bytes, or -1.
int make_file(const char* bytes, std::size_t size) {
  const int file = memfd_create("gridspan-module", MFD_CLOEXEC);
  for (std::size_t done = 0; file >= 0 && done < size;) {
    const ssize_t written = write(file, bytes + done, size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      close(file);
      return -1;
    }
    done += static_cast<std::size_t>(written);
  }
  return file;
}

CUresult load_library(const char* call, const char* bytes, std::size_t size, CUmodule* module) {
  const int file = make_file(bytes, size);
  if (file < 0) {
    return refuse(call, CUDA_ERROR_OPERATING_SYSTEM, "no file in memory: %s", std::strerror(errno));
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  auto loaded = std::make_shared<CUmod_st>();
  loaded->module = registry().module_registered_by(
      [&] { loaded->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); });
  loaded->file = file;  // open as long as the library: the loader tells libraries apart by path
  if (!loaded->library) {
    close(file);
    return refuse(call, CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "the module: %s", dlerror());
  }
  if (!loaded->module) {
    dlclose(loaded->library);
    close(file);
    return refuse_image(call, "a library without kernels");
  }
  loaded->handle = registry().add_linked(loaded->module, "");
  *module = modules().add(std::move(loaded));
  return CUDA_SUCCESS;
}

/// What is not yet a library: text, relocatable code.
CUresult load_linked(const char* call, std::string bytes, CUmodule* module) {
  CUlinkState_st link;
  std::string why;
  CUresult result = add_input(link, std::move(bytes), "the image", why);
  if (!result) result = complete(link, why);
  if (result) return refuse(call, result, "%s", why.c_str());
  const std::size_t size = size_of_library(link.image.c_str());
  if (size == 0 || size > link.image.size()) return refuse_image(call, "damaged");
  return load_library(call, link.image.c_str(), size, module);
}

/// Bytes of an ELF object in memory: its section headers come last.
std::size_t size_of_object(const char* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  return header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum;
}

/// The module of the program's own code that `.nv_fatbin` names.
CUresult load_own(const char* call, const void* reference, CUmodule* module) {
  auto loaded = std::make_shared<CUmod_st>();
  loaded->handle = registry().add_fat_binary(reference);
  const auto own = registry().module_of_handle(*loaded->handle);
  if (!own) return refuse_image(call, "of a file that is not linked");
  loaded->module = own->module;
  *module = modules().add(std::move(loaded));
  return CUDA_SUCCESS;
}

/// The kernel or variable of that name, or null.
template <class Entry>
const Entry* find_named(const Entry* entries, std::uint32_t count, std::string_view name) {
  const Entry* found = std::find_if(entries, entries + count,
                                    [&](const Entry& entry) { return entry.name == name; });
  return found == entries + count ? nullptr : found;
}

}  // namespace

CUresult load_image(const char* call, const void* image, CUmodule* module) {
  if (!image || !module) return CUDA_ERROR_INVALID_VALUE;
  const char* bytes = static_cast<const char*>(image);
  if (std::strncmp(bytes, "GRIDSPAN", 8) == 0) return load_own(call, image, module);
  if (const std::size_t size = size_of_library(bytes)) {
    return load_library(call, bytes, size, module);
  }
  const bool is_elf = std::strncmp(bytes, ELFMAG, SELFMAG) == 0;
  const ImageKind kind =
      kind_of({bytes, is_elf ? sizeof(Elf64_Ehdr) : strnlen(bytes, longest_start)});
  if (kind == ImageKind::text) return load_linked(call, bytes, module);
  if (kind == ImageKind::object) return load_linked(call, {bytes, size_of_object(bytes)}, module);
  return refuse_image(call, describe(kind));
}

CUresult load_file(const char* call, const char* path, CUmodule* module) {
  if (!path || !module) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return refuse(call, CUDA_ERROR_FILE_NOT_FOUND, "%s: %s", path, std::strerror(errno));
  }
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < sizeof(Elf64_Ehdr)) return refuse_image(call, "too short");
  const std::size_t size = size_of_library(bytes.data());
  if (size > bytes.size()) return refuse_image(call, "cut short");
  return load_image(call, bytes.c_str(), module);
}

CUresult find_module(const char* call, CUmodule handle, std::shared_ptr<CUmod_st>& module) {
  if (const CUresult result = check(Needs::context)) return result;
  module = modules().find(handle);
  if (module) return CUDA_SUCCESS;
  return refuse(call, CUDA_ERROR_INVALID_HANDLE, "%p is not a module, or was unloaded",
                static_cast<void*>(handle));
}

CUresult unload(const char* call, CUmodule handle) {
  std::shared_ptr<CUmod_st> module;
  if (const CUresult result = find_module(call, handle, module)) return result;
  if (module->is_own) {
    return refuse(call, CUDA_ERROR_NOT_PERMITTED, "the module is part of the program");
  }
  modules().remove(handle);
  (void)cudaDeviceSynchronize();
  drop_handles(*module);
  if (module->library) {
    dlclose(module->library);  // its destructor takes the registrations with it
    close(module->file);
  } else {
    registry().remove_fat_binary(module->handle);
  }
  return CUDA_SUCCESS;
}

CUfunction function_of_symbol(const void* stub) {
  const std::shared_ptr<Function> known = registry().find_function(stub);
  if (!known) return nullptr;
  if (is_function_handle(stub)) return static_cast<CUfunction>(const_cast<void*>(stub));
  const std::shared_ptr<CUmod_st> module = modules().find(own_module(known->loaded->module));
  CUfunction function = nullptr;
  if (module) (void)find_function(*module, known->kernel->name, &function);
  return function;
}

void forget_own_module(const abi::Module* code) {
  OwnModules& own = own_modules();
  const std::scoped_lock lock(own.mutex);
  const auto found = own.modules.find(code);
  if (found == own.modules.end()) return;
  if (const auto module = modules().find(found->second)) drop_handles(*module);
  modules().remove(found->second);
  own.modules.erase(found);
}

CUresult find_function(CUmod_st& module, const char* name, CUfunction* function) {
  const auto* kernel = find_named(module.module->kernels, module.module->kernel_count, name);
  if (!kernel) return CUDA_ERROR_NOT_FOUND;
  const std::scoped_lock lock(module.mutex);
  auto& found = module.functions[name];
  if (!found) {
    found.reset(new CUfunc_st{.module = &module, .kernel = kernel});
    registry().add_function(module.handle, found.get(), name);
    const std::scoped_lock handles(function_handles().mutex);
    function_handles().live.insert(found.get());
  }
  *function = found.get();
  return CUDA_SUCCESS;
}

CUresult find_variable(CUmod_st& module, const char* name, const void** shadow) {
  const abi::Module& described = *module.module;
  const abi::Symbol* found = find_named(described.symbols, described.symbol_count, name);
  if (!found) {
    // clang mangles the names of static variables, nvcc does not.
    const std::string mangled = "_ZL" + std::to_string(std::strlen(name)) + name;
    found = find_named(described.symbols, described.symbol_count, mangled);
  }
  if (!found) return CUDA_ERROR_NOT_FOUND;
  const std::scoped_lock lock(module.mutex);
  auto& address = module.variables[found->name];
  if (!address) {
    address = std::make_unique<char>();
    registry().add_variable(module.handle, address.get(), found->name);
  }
  *shadow = address.get();
  return CUDA_SUCCESS;
}

}  // namespace gridspan::runtime::driver
