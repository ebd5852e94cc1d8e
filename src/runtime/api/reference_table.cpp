// Binds references and keeps what kernels see of them current.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/reference_table.h"

#include "runtime/api/texture_descriptor.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

namespace {

cudaTextureDesc modes_of(const textureReference& reference, cudaTextureReadMode mode) {
  cudaTextureDesc description{};
  std::copy_n(reference.addressMode, 3, description.addressMode);
  description.filterMode = reference.filterMode;
  description.readMode = mode;
  description.sRGB = reference.sRGB;
  description.normalizedCoords = reference.normalized;
  return description;
}

}  // namespace

ReferenceTable& references() {
  static ReferenceTable& instance = *new ReferenceTable;
  return instance;
}

void ReferenceTable::add_texture(const void* shadow, cudaTextureReadMode mode) {
  const std::scoped_lock lock(mutex_);
  references_[shadow] = {.is_surface = false, .mode = mode};
}

void ReferenceTable::add_surface(const void* shadow) {
  const std::scoped_lock lock(mutex_);
  references_[shadow] = {.is_surface = true};
}

std::optional<ReferenceTable::Reference> ReferenceTable::find(const void* shadow,
                                                              bool is_surface) const {
  const std::scoped_lock lock(mutex_);
  const auto found = references_.find(shadow);
  if (found == references_.end() || found->second.is_surface != is_surface) return std::nullopt;
  return found->second;
}

Status ReferenceTable::describe(Runtime& state, const void* shadow, const Reference& reference,
                                const cudaResourceDesc& resource,
                                abi::TextureDescriptor& descriptor) {
  if (reference.is_surface) return describe_surface(state, resource, descriptor);
  const auto& fields = *static_cast<const textureReference*>(shadow);
  return describe_texture(state, resource, modes_of(fields, reference.mode), descriptor);
}

Status ReferenceTable::bind(Runtime& state, const void* shadow, bool is_surface,
                            const cudaResourceDesc& resource) {
  const std::scoped_lock lock(mutex_);
  const auto found = references_.find(shadow);
  if (found == references_.end() || found->second.is_surface != is_surface) {
    return refuse(is_surface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture,
                  "%p is no %s reference", shadow, is_surface ? "surface" : "texture");
  }
  abi::TextureDescriptor descriptor;
  GRIDSPAN_TRY(describe(state, shadow, found->second, resource, descriptor));
  found->second.bindings[current_device()].bound = resource;
  is_used_.store(true);
  return cudaSuccess;
}

Status ReferenceTable::bind_texture(Runtime& state, const void* shadow,
                                    const cudaResourceDesc& resource) {
  return bind(state, shadow, false, resource);
}

Status ReferenceTable::bind_surface(Runtime& state, const void* shadow,
                                    const cudaResourceDesc& resource) {
  return bind(state, shadow, true, resource);
}

Status ReferenceTable::unbind_texture(const void* shadow) {
  const std::scoped_lock lock(mutex_);
  const auto found = references_.find(shadow);
  if (found == references_.end()) {
    return refuse(cudaErrorInvalidTexture, "%p is no texture reference", shadow);
  }
  const auto binding = found->second.bindings.find(current_device());
  if (binding != found->second.bindings.end()) binding->second.bound.reset();
  return cudaSuccess;
}

Status ReferenceTable::check_bound(const void* shadow) const {
  const auto reference = find(shadow, false);
  if (!reference) return refuse(cudaErrorInvalidTexture, "%p is no texture reference", shadow);
  const auto binding = reference->bindings.find(current_device());
  if (binding != reference->bindings.end() && binding->second.bound) return cudaSuccess;
  return refuse(cudaErrorInvalidTextureBinding, "the texture reference at %p is not bound", shadow);
}

// All streams see one variable and one descriptor: they change when nothing runs.

/// The handle kernels must find: of the reference's descriptor, brought up to what its fields say
/// now, or 0 where nothing is bound. Programs free memory that is still bound, and go on with
/// kernels that do not look at it: what is gone counts as not bound.
Status ReferenceTable::place(Runtime& state, const void* shadow, const Reference& reference,
                             Binding& binding, Stream& stream, unsigned long long& handle) {
  handle = 0;
  if (!binding.bound) return cudaSuccess;
  abi::TextureDescriptor wanted;
  Status described = describe(state, shadow, reference, *binding.bound, wanted);
  if (described.code == cudaErrorInvalidFilterSetting) return described;
  if (described.failed()) return cudaSuccess;
  handle = binding.handle;
  // What only differs in padding is written once more.
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  if (binding.placed && std::memcmp(&*binding.placed, &wanted, sizeof wanted) == 0) {
    return cudaSuccess;
  }
  if (!handle) GRIDSPAN_TRY(allocate_descriptor(state, handle));
  binding.handle = handle;
  write_between(state, stream, handle, &wanted, sizeof wanted);
  binding.placed = wanted;
  return cudaSuccess;
}

Status ReferenceTable::bring_up_to_date(Runtime& state, const LoadedModule& module,
                                        Stream& stream) {
  if (!is_used_.load(std::memory_order_relaxed)) return cudaSuccess;
  const std::scoped_lock lock(mutex_);
  for (auto& [shadow, reference] : references_) {
    const auto binding = reference.bindings.find(stream.device);
    if (binding == reference.bindings.end()) continue;
    const auto variable = registry().find_variable(shadow);
    if (!variable || variable->loaded.get() != &module) continue;
    void* const* addresses = symbol_addresses(*variable->loaded, state.memory, stream.device);
    if (!addresses) return refuse(cudaErrorMemoryAllocation, "no room for texture references");
    unsigned long long wanted = 0;
    GRIDSPAN_TRY(place(state, shadow, reference, binding->second, stream, wanted));
    if (binding->second.variable == wanted) continue;
    const auto home = reinterpret_cast<std::uintptr_t>(addresses[variable->index]);
    write_between(state, stream, home, &wanted, sizeof wanted);
    binding->second.variable = wanted;
  }
  return cudaSuccess;
}

void ReferenceTable::reset(int device) {
  const std::scoped_lock lock(mutex_);
  for (auto& [shadow, reference] : references_) {
    reference.bindings.erase(device);
  }
}

}  // namespace gridspan::runtime
