// The modules that a device has loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/module_code.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace gridspan::devices::cuda {

/// Modules are loaded when they are asked for first. Thread safe.
class CodeTable {
 public:
  CodeTable(const GpuContext& gpu, std::uint32_t capability) : gpu_(gpu), capability_(capability) {}

  /// The error says in one line why the module can't run there; it stays so.
  support::Result<ModuleCode*> find(const abi::Module& module);
  /// Nothing of the module runs any more.
  void forget(const abi::Module& module);

  bool has_variable_at(const void* address) const;

 private:
  using Code = support::Result<std::unique_ptr<ModuleCode>>;
  static support::Result<ModuleCode*> answer(const Code& code);

  const GpuContext& gpu_;
  const std::uint32_t capability_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<const abi::Module*, Code> loaded_;
};

}  // namespace gridspan::devices::cuda
