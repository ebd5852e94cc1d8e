// Three-dimensional copies and fills, and copies between devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/copy_calls.h"
#include "runtime/api/device_properties.h"

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

/// What cudaMemcpy3DParms and cudaMemcpy3DPeerParms have in common.
template <class Parameters>
Status copy_3d(Runtime& state, const Parameters* parameters, cudaMemcpyKind kind,
               cudaStream_t stream, Asynchrony asynchrony) {
  if (parameters->srcArray || parameters->dstArray) {
    return refuse(cudaErrorNotSupported, "CUDA arrays are not supported yet");
  }
  const Extent extent = to_extent(parameters->extent);
  if (extent.is_empty()) {
    return copy(state, {}, {}, extent, kind, stream, asynchrony);  // checks kind and stream
  }
  Pitched to, from;
  GRIDSPAN_TRY(box_at("destination", parameters->dstPtr, parameters->dstPos, extent, to));
  GRIDSPAN_TRY(box_at("source", parameters->srcPtr, parameters->srcPos, extent, from));
  return copy(state, to, from, extent, kind, stream, asynchrony);
}

Status copy_peer(Runtime& state, void* to, int to_device, const void* from, int from_device,
                 std::size_t count, cudaStream_t stream, Asynchrony asynchrony) {
  GRIDSPAN_TRY(check_device(to_device));
  GRIDSPAN_TRY(check_device(from_device));
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

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  GRIDSPAN_CALL(parameters) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    return copy_3d(state, parameters, parameters->kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  GRIDSPAN_CALL(parameters, stream) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    return copy_3d(state, parameters, parameters->kind, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  GRIDSPAN_CALL(parameters) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    GRIDSPAN_TRY(check_device(parameters->dstDevice));
    GRIDSPAN_TRY(check_device(parameters->srcDevice));
    return copy_3d(state, parameters, cudaMemcpyDeviceToDevice, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  GRIDSPAN_CALL(parameters, stream) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    GRIDSPAN_TRY(check_device(parameters->dstDevice));
    GRIDSPAN_TRY(check_device(parameters->srcDevice));
    return copy_3d(state, parameters, cudaMemcpyDeviceToDevice, stream, Asynchrony::yes);
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
