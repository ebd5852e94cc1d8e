// Legacy texture and surface references: variables of type texture<...> and surface<...>.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To the host such a variable is a struct whose fields it sets; to kernels it is a device variable
// that holds a handle, as a texture object is one. Programs change fields after binding, and CUDA
// looks at them when a kernel is launched. So do we: a launch brings the references of its module
// up to date, by writes that go through the queue in front of it. Each reference has one descriptor
// for good, which is overwritten in that order.
#pragma once

#include "abi/texture.h"
#include "runtime/api/registry.h"
#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace gridspan::runtime {

/// Thread safe. Never destroyed.
class ReferenceTable {
 public:
  void add_texture(const void* shadow, cudaTextureReadMode mode);
  void add_surface(const void* shadow);
  bool is_texture(const void* shadow) const { return find(shadow, false).has_value(); }
  bool is_surface(const void* shadow) const { return find(shadow, true).has_value(); }

  /// Checks the resource with the modes the variable has now, and binds it.
  Status bind_texture(Runtime& state, const void* shadow, const cudaResourceDesc& resource);
  Status bind_surface(Runtime& state, const void* shadow, const cudaResourceDesc& resource);
  Status unbind_texture(const void* shadow);
  /// Fails unless the texture is bound.
  Status check_bound(const void* shadow) const;

  /// Before a launch of one of the module's kernels, on the stream's device.
  Status bring_up_to_date(Runtime& state, const LoadedModule& module, Stream& stream);

  /// Nothing is bound on the device any more, and its memory is gone.
  void reset(int device);

 private:
  /// A reference on one of the program's devices, once it was bound there.
  struct Binding {
    std::optional<cudaResourceDesc> bound;
    unsigned long long handle = 0;                 // of its descriptor, once it was needed
    std::optional<abi::TextureDescriptor> placed;  // what the descriptor is
    unsigned long long variable = 0;               // what the device variable holds
  };
  struct Reference {
    bool is_surface = false;
    cudaTextureReadMode mode{};
    std::map<int, Binding> bindings{};  // by device
  };

  std::optional<Reference> find(const void* shadow, bool is_surface) const;
  Status bind(Runtime& state, const void* shadow, bool is_surface,
              const cudaResourceDesc& resource);
  static Status describe(Runtime& state, const void* shadow, const Reference& reference,
                         const cudaResourceDesc& resource, abi::TextureDescriptor& descriptor);
  static Status place(Runtime& state, const void* shadow, const Reference& reference,
                      Binding& binding, Stream& stream, unsigned long long& handle);

  mutable std::mutex mutex_;
  std::unordered_map<const void*, Reference> references_;
  std::atomic<bool> is_used_{false};  // something was bound
};

/// The process's references; exists from its first use to the end.
ReferenceTable& references();

}  // namespace gridspan::runtime
