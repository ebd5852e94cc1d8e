// The functions that stand for kernels in host code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     void __device_stub__k(ptr %s.coerce0, i64 %s.coerce1, float %x) {   k(S s, float x)
//       store %s.coerce0 -> %s, ...; void* kernel_args[] = {&s, &x}; cudaLaunchKernel(...)
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::host_plugin {

struct KernelStub {
  struct Parameter {
    struct Piece {
      unsigned argument;  // of the stub
      std::int64_t offset;
      llvm::Type* type;
    };
    std::vector<Piece> pieces;  // that it is made of
  };
  std::string kernel;  // as its device code is named
  bool is_understood = false;
  std::vector<Parameter> parameters;
};

using KernelStubs = llvm::DenseMap<const llvm::Function*, KernelStub>;

KernelStubs find_kernel_stubs(const llvm::Module& module);

/// The kernel of a stub that another source defines; empty if it is no stub.
std::string kernel_of_stub(llvm::StringRef stub);

/// What calls a function of that name, in the order of the module's users.
std::vector<llvm::CallBase*> calls_of(const llvm::Module& module, llvm::StringRef name);

}  // namespace gridspan::host_plugin
