// A CUDA program made by hand: what a compiled object would register, built in C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   void body(abi::ThreadContext* thread) { *argument<int*>(thread, 0) = 7; }
//   HandProgram program;
//   const void* stub = program.add_kernel<body>("k", {pointer_parameter()});
//   program.load();
//   launch(stub, {1}, {32}, pointer);
#pragma once

#include "abi/module.h"

#include "cuda_runtime_api.h"

#include <deque>
#include <initializer_list>
#include <string>
#include <vector>

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
int __cudaRegisterFunction(void** handle, const char* stub, char* device_name, const char* name,
                           int thread_limit, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void** handle, char* shadow, char* device_name, const char* name, int ext,
                       std::size_t size, int constant, int global);
}

namespace gridspan::tests {

/// Value of kernel parameter `index`, as generated code reads it.
template <class T>
T argument(const abi::ThreadContext* thread, unsigned index) {
  return *static_cast<const T*>(thread->block->launch->arguments[index]);
}

/// Address of symbol `index` of the kernel's module.
template <class T>
T* symbol(const abi::ThreadContext* thread, unsigned index) {
  return static_cast<T*>(thread->block->launch->symbols[index]);
}

/// threadIdx.x + blockIdx.x * blockDim.x
inline std::uint64_t global_x(const abi::ThreadContext* thread) {
  return thread->thread_index.x +
         std::uint64_t{thread->block->block_index.x} * thread->block->launch->block.x;
}

/// The region form of a kernel without sync points.
template <void (*body)(abi::ThreadContext*)>
void run_range(abi::BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const abi::Dim& extent = block->launch->block;
  for (std::uint32_t t = first; t < last; ++t) {
    abi::ThreadContext thread{
        block, {t % extent.x, t / extent.x % extent.y, t / extent.x / extent.y}, t};
    body(&thread);
  }
}

struct ParameterSize {
  std::uint32_t size, align;
  bool is_pointer;
};
inline ParameterSize pointer_parameter() { return {8, 8, true}; }
template <class T>
ParameterSize value_parameter() {
  return {sizeof(T), alignof(T), false};
}

/// One object file. Must outlive its use by the run time, so unload() before it goes.
class HandProgram {
 public:
  HandProgram();

  /// Returns the host address that stands for the kernel. `tune` may change the descriptor.
  template <void (*body)(abi::ThreadContext*)>
  const void* add_kernel(std::string name, std::initializer_list<ParameterSize> parameters,
                         void (*tune)(abi::Kernel&) = nullptr) {
    return add_kernel(std::move(name), parameters, run_range<body>, body, tune);
  }

  /// Returns the host address that stands for the variable; `initial` null means zeros.
  const void* add_symbol(std::string name, std::uint64_t size, const void* initial = nullptr,
                         std::vector<abi::SymbolRelocation> relocations = {},
                         std::uint32_t align = 8);

  /// Kernel `index` goes by another object's host address, as merged inline kernels do.
  void use_stub(std::size_t index, const void* stub) { stubs_[index] = stub; }

  /// Registers both halves: the module first, or the host half first as constructors may do it.
  enum class Order { module_first, host_first };
  void load(Order order = Order::module_first);
  void register_module();
  void register_host();
  /// As the host code of one object does whose device code was linked to this module.
  void register_linked_unit(void (*register_globals)(void** handle), const char* suffix = "");
  void unload();

  abi::Module& module() { return module_; }
  abi::ModuleReference& reference() { return reference_; }

 private:
  const void* add_kernel(std::string name, std::initializer_list<ParameterSize> parameters,
                         abi::RegionFunction region, abi::ThreadFunction thread,
                         void (*tune)(abi::Kernel&));

  void complete_descriptor();

  struct Wrapper {
    int magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    void* unused = nullptr;
  };
  // Deques: addresses stay while things are added.
  std::deque<std::string> names_;
  std::deque<std::vector<abi::Parameter>> parameters_;
  std::deque<abi::Region> regions_;
  std::deque<std::vector<abi::SymbolRelocation>> relocations_;
  std::deque<char> own_stubs_, shadows_;
  std::vector<const void*> stubs_;
  std::vector<abi::Kernel> kernels_;
  std::vector<abi::Symbol> symbols_;
  abi::Module module_{};
  abi::ModuleReference reference_{};
  Wrapper wrapper_;
  void** handle_ = nullptr;
  bool module_registered_ = false;
};

/// cudaLaunchKernel with its arguments.
template <class... A>
cudaError_t launch_in(cudaStream_t stream, const void* stub, dim3 grid, dim3 block,
                      std::size_t shared_bytes, A... arguments) {
  void* pointers[] = {&arguments..., nullptr};
  return cudaLaunchKernel(stub, grid, block, pointers, shared_bytes, stream);
}
template <class... A>
cudaError_t launch(const void* stub, dim3 grid, dim3 block, A... arguments) {
  return launch_in(nullptr, stub, grid, block, 0, arguments...);
}

}  // namespace gridspan::tests
