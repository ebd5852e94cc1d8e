// How much memory graphs have. It belongs to no single device: each answers for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"

#include <cstdint>
#include <cstring>

using namespace gridspan::runtime;

namespace {

Status refuse_attribute(cudaGraphMemAttributeType attribute) {
  return refuse(cudaErrorInvalidValue, "attribute %d of graphs' memory",
                static_cast<int>(attribute));
}

Status get_amount(Runtime& state, cudaGraphMemAttributeType attribute, std::uint64_t& amount) {
  const auto& memories = state.graphs.memories;
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
      amount = memories.now().used;
      return cudaSuccess;
    case cudaGraphMemAttrUsedMemHigh:
      amount = memories.most().used;
      return cudaSuccess;
    case cudaGraphMemAttrReservedMemCurrent:
      amount = memories.now().held;
      return cudaSuccess;
    case cudaGraphMemAttrReservedMemHigh:
      amount = memories.most().held;
      return cudaSuccess;
  }
  return refuse_attribute(attribute);
}

}  // namespace

cudaError_t cudaDeviceGraphMemTrim(int device) {
  GRIDSPAN_CALL(device) { return check_device(state, device); });  // memory goes with its graph
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  GRIDSPAN_CALL(device, attribute, value) {
    if (!value) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(state, device));
    std::uint64_t amount = 0;
    GRIDSPAN_TRY(get_amount(state, attribute, amount));
    std::memcpy(value, &amount, sizeof amount);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  GRIDSPAN_CALL(device, attribute, value) {
    if (!value) return refuse(cudaErrorInvalidValue, "the value is null");
    GRIDSPAN_TRY(check_device(state, device));
    std::uint64_t number = 0;
    std::memcpy(&number, value, sizeof number);
    if (number != 0) return refuse(cudaErrorInvalidValue, "a high-water mark can only be set to 0");
    switch (attribute) {
      case cudaGraphMemAttrUsedMemHigh:
        state.graphs.memories.restart_used();
        return cudaSuccess;
      case cudaGraphMemAttrReservedMemHigh:
        state.graphs.memories.restart_held();
        return cudaSuccess;
      default:
        return refuse_attribute(attribute);
    }
  });
}
