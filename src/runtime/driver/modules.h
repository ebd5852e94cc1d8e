// Modules that the program loads while it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `gridcc -fatbin` and `-cubin` write is a shared library with the code of the kernels.
// Loading a module loads a copy of the library, so that each module has its own variables; its
// constructor passes its abi::Module to the run time, as those of linked objects do before main. A
// function or variable of the module is then registered under the address of its handle, by which
// the run-time API finds it as it finds the program's own kernels.
#pragma once

#include "runtime/api/registry.h"
#include "runtime/driver/call.h"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

/// What a CUfunction points to; its address is what the run-time API knows the kernel by.
struct CUfunc_st {
  CUmod_st* module;
  const gridspan::abi::Kernel* kernel;
  // The launch functions before cuLaunchKernel.
  unsigned block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  std::string parameters{};
};

/// What a CUmodule points to.
struct CUmod_st {
  void* library = nullptr;  // of dlopen; null: the program's own code
  int file = -1;            // the library's
  bool is_own = false;      // what the program was linked from: never unloaded by it
  const gridspan::abi::Module* module = nullptr;
  gridspan::runtime::FatBinary* handle = nullptr;

  std::mutex mutex;  // guards what follows
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
  std::map<std::string, std::unique_ptr<char>> variables;  // addresses to register them under
};

namespace gridspan::runtime::driver {

/// Loads an image in memory. PTX and code of NVIDIA GPUs are refused.
CUresult load_image(const char* call, const void* image, CUmodule* module);
CUresult load_file(const char* call, const char* path, CUmodule* module);
CUresult unload(const char* call, CUmodule module);

CUresult find_module(const char* call, CUmodule handle, std::shared_ptr<CUmod_st>& module);
/// The function of a kernel that the program names by its host address, or null. Its module is the
/// one that the kernel was linked with.
CUfunction function_of_symbol(const void* stub);
/// The code is about to go: so does what function_of_symbol made.
void forget_own_module(const abi::Module* module);

/// Functions live as long as their module.
CUresult find_function(CUmod_st& module, const char* name, CUfunction* function);
/// The address under which the run-time API knows the variable.
CUresult find_variable(CUmod_st& module, const char* name, const void** shadow);

}  // namespace gridspan::runtime::driver
