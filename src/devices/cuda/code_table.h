// The modules that a device has loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/module_code.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace gridspan::devices::cuda {

/// Modules are loaded when they are asked for first, or before that, while the program does
/// something else. Thread safe.
class CodeTable {
 public:
  CodeTable(const GpuContext& gpu, std::uint32_t capability) : gpu_(gpu), capability_(capability) {}
  ~CodeTable() { expect({}); }

  /// The error says in one line why the module can't run there; it stays so.
  support::Result<ModuleCode*> find(const abi::Module& module);
  /// See DeviceCode::expect.
  void expect(std::vector<const abi::Module*> modules);
  /// Nothing of the module runs any more.
  void forget(const abi::Module& module);

  /// Another number once a module was forgotten.
  std::uint64_t generation() const { return generation_.load(); }

  bool has_variable_at(const void* address) const;

 private:
  using Code = support::Result<std::unique_ptr<ModuleCode>>;
  struct Entry {
    std::once_flag once;
    std::optional<Code> code;                 // since `once`
    std::atomic<ModuleCode*> ready{nullptr};  // then, if it can run there
  };
  ModuleCode* find_again(const abi::Module& module) const {
    ModuleCode* const code = latest_.load(std::memory_order_acquire);
    return code && code->is_of(module) ? code : nullptr;
  }
  std::shared_ptr<Entry> entry_of(const abi::Module& module);

  const GpuContext& gpu_;
  const std::uint32_t capability_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<const abi::Module*, std::shared_ptr<Entry>> loaded_;
  std::vector<std::unique_ptr<ModuleCode>>
      forgotten_;  // which somebody may still ask of whom it is
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<ModuleCode*> latest_{nullptr};  // nearly always the one that is asked for

  std::mutex ahead_mutex_;  // of what follows
  std::thread ahead_;
  std::atomic<bool> is_ahead_wanted_{false};
};

}  // namespace gridspan::devices::cuda
