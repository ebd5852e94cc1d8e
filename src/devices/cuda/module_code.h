// A module's kernels and variables on one device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/child_list.h"
#include "abi/module.h"
#include "devices/cuda/gpu_context.h"
#include "devices/cuda/ptx.h"
#include "devices/cuda/ptx_names.h"
#include "support/result.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gridspan::devices::cuda {

/// One entry of the PTX.
struct EntryPoint {
  FunctionHandle function = nullptr;            // null: the PTX has none
  std::atomic<std::uint32_t> dynamic_limit{0};  // bytes of shared memory asked for so far
  std::atomic<std::uint32_t> most_threads{0};   // that a block has registers for; 0: not asked yet
};

/// A kernel's: for all blocks of a grid, for some, and for some that work on packed boxes.
struct KernelCode {
  EntryPoint whole, part, packed;
};

struct Variable {
  Address address = 0;
  std::size_t bytes = 0;
};

/// Never destroyed: the driver unloads code with the context, or `unload` does.
class ModuleCode {
 public:
  /// Loads its machine code, or has the driver compile its PTX. The error says in one line why the
  /// module can't run there.
  static support::Result<std::unique_ptr<ModuleCode>> load(const GpuContext& gpu,
                                                           const abi::Module& module,
                                                           std::uint32_t capability);
  void unload();

  /// Tells the code where managed variables are, if it does not know: `addresses` has all of the
  /// module's variables. What `stream` does from now on finds them.
  Result place_managed(void* const* addresses, Stream stream);

  /// The same of the list of kernels that launch kernels, if the code has any.
  Result place_child_list(void* list, Stream stream);
  /// Null: the module has no such kernel.
  const abi::Kernel* find_kernel(unsigned long long identity) const;
  /// What copies and fills for kernels; null: there is none.
  FunctionHandle mover(abi::ChildKind kind) const {
    return kind == abi::ChildKind::copy ? copy_bytes_ : fill_bytes_;
  }
  /// Of any of its kernels.
  std::uint32_t most_argument_bytes() const { return most_argument_bytes_; }

  bool is_of(const abi::Module& module) const { return &module_ == &module; }
  /// Of a kernel of the module. Its clones are known once they were wanted.
  KernelCode& kernel(const abi::Kernel& kernel) { return kernels_[index_of(kernel)]; }
  /// Loads the clones of all kernels that run parts, or those that work on packed boxes, if that is
  /// not done. The error says in one line why they can't be. Thread safe.
  support::Result<void> want_parts() { return want(parts_); }
  support::Result<void> want_packed() { return want(packed_); }
  /// Of a managed variable, which the code does not have itself: nothing.
  const Variable& variable(std::uint32_t index) const { return variables_[index]; }
  const std::vector<Variable>& variables() const { return variables_; }

 private:
  ModuleCode(const GpuContext& gpu, const abi::Module& module, ModuleHandle handle,
             std::uint32_t capability, bool is_divided)
      : gpu_(gpu),
        module_(module),
        handle_(handle),
        capability_(capability),
        is_divided_(is_divided),
        kernels_(module.kernel_count) {}
  /// Everything is found, or `handle` is unloaded.
  static support::Result<std::unique_ptr<ModuleCode>> with_handle(const GpuContext& gpu,
                                                                  const abi::Module& module,
                                                                  std::uint32_t capability,
                                                                  ModuleHandle handle,
                                                                  bool is_divided);
  /// One of the two kinds.
  struct Clones {
    std::string DividedPtx::* text;
    EntryPoint KernelCode::* entry;
    std::string (*name)(std::string_view kernel);
    std::once_flag once = {};
    std::optional<support::Result<void>> state = {};  // since then
    std::atomic<ModuleHandle> handle{nullptr};
  };
  support::Result<void> want(Clones& clones);
  support::Result<void> load(Clones& clones);
  support::Result<FunctionHandle> find(ModuleHandle handle, const std::string& name) const;
  support::Result<void> find_kernels();
  support::Result<void> find_clones(const Clones& clones, ModuleHandle handle);
  support::Result<void> find_variables();
  support::Result<void> find_child_list();
  std::size_t index_of(const abi::Kernel& kernel) const {
    return static_cast<std::size_t>(&kernel - module_.kernels);
  }

  const GpuContext& gpu_;
  const abi::Module& module_;
  ModuleHandle handle_;
  const std::uint32_t capability_;
  const bool is_divided_;
  Clones parts_{&DividedPtx::parts, &KernelCode::part, part_name};
  Clones packed_{&DividedPtx::packed, &KernelCode::packed, packed_name};
  std::vector<KernelCode> kernels_;
  std::vector<Variable> variables_;
  struct ManagedPlace {
    std::uint32_t index;
    Address place;  // of the address
    void* written = nullptr;
  };
  std::vector<ManagedPlace> managed_;
  Address child_list_place_ = 0;  // of the address; 0: no kernel launches any
  void* child_list_ = nullptr;    // written there
  std::unordered_map<unsigned long long, const abi::Kernel*> by_identity_;
  std::uint32_t most_argument_bytes_ = 0;
  FunctionHandle copy_bytes_ = nullptr, fill_bytes_ = nullptr;
};

}  // namespace gridspan::devices::cuda
