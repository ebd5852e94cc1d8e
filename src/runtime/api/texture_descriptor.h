// From CUDA's descriptions of textures and surfaces to ours, in device memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/texture.h"
#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

#include <vector>

namespace gridspan::runtime {

/// One descriptor; of a mipmap one for each level, or each of those that the view has.
using TextureDescriptors = std::vector<abi::TextureDescriptor>;
Status describe_texture(Runtime& state, const cudaResourceDesc& resource,
                        const cudaTextureDesc& description, const cudaResourceViewDesc* view,
                        TextureDescriptors& descriptors);
/// The same without levels.
Status describe_texture(Runtime& state, const cudaResourceDesc& resource,
                        const cudaTextureDesc& description, abi::TextureDescriptor& descriptor);

Status describe_surface(Runtime& state, const cudaResourceDesc& resource,
                        abi::TextureDescriptor& descriptor);

/// Room for descriptors in device memory. Its home address is the handle kernels get.
Status allocate_descriptor(Runtime& state, unsigned long long& handle, std::size_t count = 1);

/// Gives it back; nothing in the queue uses it.
void release_descriptor(Runtime& state, unsigned long long handle);

/// Writes `size` bytes to device memory at this place of `stream`: later launches see them.
void write_in_order(Runtime& state, Stream& stream, unsigned long long address, const void* bytes,
                    std::size_t size);
/// The same between all that was submitted before, to any stream, and all that comes after.
void write_between(Runtime& state, Stream& stream, unsigned long long address, const void* bytes,
                   std::size_t size);

}  // namespace gridspan::runtime
