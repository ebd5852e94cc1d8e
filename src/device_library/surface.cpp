// Where the bytes of a surface lie.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "texel.h"

using namespace gridspan::device_library;

/// See device_surface.h. Modes are those of cudaSurfaceBoundaryMode: 0 zero, 1 clamp, 2 trap.
DEVICE_INLINE void* __gridspan_surface_address(Handle handle, int x, int y, int z, Word size,
                                               int mode) {
  if (!handle) return nullptr;
  const TextureDescriptor& surface = descriptor_of(handle);
  const auto bytes =
      static_cast<int>(surface.width * Word{surface.channels} * surface.channel_bytes);
  const auto last_x = bytes - static_cast<int>(size);
  const auto height = static_cast<int>(surface.height), depth = static_cast<int>(surface.depth);
  if (mode == 1) {
    x = x < 0 ? 0 : x > last_x ? last_x : x;
    y = clamped(y, height);
    z = clamped(z, depth);
  } else if (x < 0 || x > last_x || y < 0 || y >= height || z < 0 || z >= depth) {
    return nullptr;
  }
  return surface.data + static_cast<std::uint64_t>(z) * surface.slice +
         static_cast<std::uint64_t>(y) * surface.pitch + static_cast<std::uint64_t>(x);
}
