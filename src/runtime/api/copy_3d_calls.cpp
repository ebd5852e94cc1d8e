// Three-dimensional copies and fills, and copies between devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/copy_3d.h"

#include "runtime/api/arrays.h"
#include "runtime/api/call.h"
#include "runtime/api/copy_calls.h"
#include "runtime/api/device_properties.h"

#include <algorithm>

using namespace gridspan::runtime;

namespace {

/// The box that starts at `position` of pitched memory: rows must hold it, slices too.
Status box_at(const char* role, const cudaPitchedPtr& memory, const cudaPos& position,
              const Extent& extent, Pitched& box) {
  if (!memory.ptr) return refuse(cudaErrorInvalidValue, "%s is null", role);
  const bool several_rows = extent.height > 1 || extent.depth > 1 || position.y || position.z;
  if (several_rows && (extent.width > memory.pitch || position.x > memory.pitch - extent.width)) {
    return refuse(cudaErrorInvalidPitchValue, "%s: %zu bytes at x = %zu do not fit pitch %zu", role,
                  extent.width, position.x, memory.pitch);
  }
  const bool several_slices = extent.depth > 1 || position.z;
  if (several_slices &&
      (extent.height > memory.ysize || position.y > memory.ysize - extent.height)) {
    return refuse(cudaErrorInvalidValue, "%s: %zu rows at y = %zu do not fit slices of %zu", role,
                  extent.height, position.y, memory.ysize);
  }
  const std::size_t slice = memory.pitch * memory.ysize;
  box = {
      static_cast<char*>(memory.ptr) + position.z * slice + position.y * memory.pitch + position.x,
      memory.pitch, slice};
  return cudaSuccess;
}

Extent to_extent(const cudaExtent& extent) { return {extent.width, extent.height, extent.depth}; }

/// One side of a copy: an array, whose positions count texels, or pitched memory, whose count
/// bytes.
struct Side3d {
  const char* role;
  cudaArray_const_t handle;
  const cudaPitchedPtr& memory;
  const cudaPos& position;
  std::shared_ptr<Array> array = nullptr;
  std::size_t texel_bytes = 1;
};

Status look_up(Runtime& state, Side3d& side) {
  if (!side.handle) return cudaSuccess;
  if (side.memory.ptr) return refuse(cudaErrorInvalidValue, "%s is given twice", side.role);
  GRIDSPAN_TRY(find_array(state, side.handle, side.array));
  TexelFormat texel;
  GRIDSPAN_TRY(read_format(side.array->format, texel));
  side.texel_bytes = texel.bytes();
  return cudaSuccess;
}

Status place_of(const Side3d& side, const Extent& extent, Pitched& place) {
  if (!side.array) return box_at(side.role, side.memory, side.position, extent, place);
  return part_of(*side.array, side.position.x * side.texel_bytes, side.position.y, side.position.z,
                 extent, place);
}

/// What cudaMemcpy3DParms and cudaMemcpy3DPeerParms have in common. The boxes of an empty extent
/// mean nothing.
template <class Parameters>
Status resolve(Runtime& state, const Parameters& parameters, Pitched& target, Pitched& source,
               Extent& extent) {
  Side3d to{"destination", parameters.dstArray, parameters.dstPtr, parameters.dstPos};
  Side3d from{"source", parameters.srcArray, parameters.srcPtr, parameters.srcPos};
  GRIDSPAN_TRY(look_up(state, to));
  GRIDSPAN_TRY(look_up(state, from));
  if (to.array && from.array && to.texel_bytes != from.texel_bytes) {
    return refuse(cudaErrorInvalidValue, "texels of %zu bytes do not go into texels of %zu",
                  from.texel_bytes, to.texel_bytes);
  }
  extent = to_extent(parameters.extent);
  if (extent.is_empty()) return cudaSuccess;
  // An array makes the extent count its texels.
  if (__builtin_mul_overflow(extent.width, std::max(to.texel_bytes, from.texel_bytes),
                             &extent.width)) {
    return refuse(cudaErrorInvalidValue, "the extent's width does not fit an address");
  }
  GRIDSPAN_TRY(place_of(to, extent, target));
  return place_of(from, extent, source);
}

template <class Parameters>
Status copy_3d(Runtime& state, const Parameters& parameters, cudaMemcpyKind kind,
               cudaStream_t stream, Asynchrony asynchrony) {
  Pitched target, source;
  Extent extent;
  GRIDSPAN_TRY(resolve(state, parameters, target, source, extent));
  return copy(state, target, source, extent, kind, stream, asynchrony);
}

Status copy_peer(Runtime& state, void* to, int to_device, const void* from, int from_device,
                 std::size_t count, cudaStream_t stream, Asynchrony asynchrony) {
  GRIDSPAN_TRY(check_device(state, to_device));
  GRIDSPAN_TRY(check_device(state, from_device));
  return copy(state, flat(to), flat(from), {count}, cudaMemcpyDeviceToDevice, stream, asynchrony);
}

Status fill_3d(Runtime& state, const cudaPitchedPtr& memory, int value, const cudaExtent& size,
               cudaStream_t stream, Asynchrony asynchrony) {
  const Extent extent = to_extent(size);
  if (extent.is_empty()) return fill(state, {}, extent, value, stream, asynchrony);
  Pitched box;
  GRIDSPAN_TRY(box_at("destination", memory, {0, 0, 0}, extent, box));
  return fill(state, box, extent, value, stream, asynchrony);
}

}  // namespace

Status gridspan::runtime::resolve_copy_3d(Runtime& state, const cudaMemcpy3DParms& parameters,
                                          Pitched& to, Pitched& from, Extent& extent) {
  return resolve(state, parameters, to, from, extent);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  GRIDSPAN_CALL(parameters) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    return copy_3d(state, *parameters, parameters->kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  GRIDSPAN_CALL(parameters, stream) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    return copy_3d(state, *parameters, parameters->kind, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  GRIDSPAN_CALL(parameters) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    GRIDSPAN_TRY(check_device(state, parameters->dstDevice));
    GRIDSPAN_TRY(check_device(state, parameters->srcDevice));
    return copy_3d(state, *parameters, cudaMemcpyDeviceToDevice, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  GRIDSPAN_CALL(parameters, stream) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    GRIDSPAN_TRY(check_device(state, parameters->dstDevice));
    GRIDSPAN_TRY(check_device(state, parameters->srcDevice));
    return copy_3d(state, *parameters, cudaMemcpyDeviceToDevice, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t count) {
  GRIDSPAN_CALL(destination, destination_device, source, source_device, count) {
    return copy_peer(state, destination, destination_device, source, source_device, count, nullptr,
                     Asynchrony::no);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t count, cudaStream_t stream) {
  GRIDSPAN_CALL(destination, destination_device, source, source_device, count, stream) {
    return copy_peer(state, destination, destination_device, source, source_device, count, stream,
                     Asynchrony::yes);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  GRIDSPAN_CALL(pointer, value, extent) {
    return fill_3d(state, pointer, value, extent, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  GRIDSPAN_CALL(pointer, value, extent, stream) {
    return fill_3d(state, pointer, value, extent, stream, Asynchrony::yes);
  });
}
