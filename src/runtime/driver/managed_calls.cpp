// Managed memory, and what is known of addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;
using driver::pointer;

namespace {

cudaMemLocation to_location(const CUmemLocation& location) {
  return {static_cast<cudaMemLocationType>(location.type), location.id};
}

}  // namespace

CUresult cuMemAdvise(CUdeviceptr address, size_t count, CUmem_advise advice, CUdevice device) {
  return call(Needs::context, [&] {
    return cudaMemAdvise(pointer(address), count, static_cast<cudaMemoryAdvise>(advice), device);
  });
}
CUresult cuMemAdvise_v2(CUdeviceptr address, size_t count, CUmem_advise advice,
                        CUmemLocation location) {
  return call(Needs::context, [&] {
    return cudaMemAdvise_v2(pointer(address), count, static_cast<cudaMemoryAdvise>(advice),
                            to_location(location));
  });
}
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t count, CUdevice device, CUstream stream) {
  return call(Needs::context,
              [&] { return cudaMemPrefetchAsync(pointer(address), count, device, stream); });
}
CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t count, CUmemLocation location,
                               unsigned int flags, CUstream stream) {
  return call(Needs::context, [&] {
    return cudaMemPrefetchAsync_v2(pointer(address), count, to_location(location), flags, stream);
  });
}
CUresult cuMemRangeGetAttribute(void* data, size_t data_size, CUmem_range_attribute attribute,
                                CUdeviceptr address, size_t count) {
  return call(Needs::context, [&] {
    return cudaMemRangeGetAttribute(data, data_size, static_cast<cudaMemRangeAttribute>(attribute),
                                    pointer(address), count);
  });
}
CUresult cuMemRangeGetAttributes(void** data, size_t* data_sizes, CUmem_range_attribute* attributes,
                                 size_t attribute_count, CUdeviceptr address, size_t count) {
  static_assert(sizeof(CUmem_range_attribute) == sizeof(cudaMemRangeAttribute));
  return call(Needs::context, [&] {
    return cudaMemRangeGetAttributes(data, data_sizes,
                                     reinterpret_cast<cudaMemRangeAttribute*>(attributes),
                                     attribute_count, pointer(address), count);
  });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t length,
                                unsigned int flags) {
  return call(Needs::context,
              [&] { return cudaStreamAttachMemAsync(stream, pointer(address), length, flags); });
}
