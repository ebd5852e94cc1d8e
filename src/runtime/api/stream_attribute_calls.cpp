// Attributes of streams: kept for the program, without effect but for the priority.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/submit.h"

using namespace gridspan::runtime;

namespace {

Status refuse_attribute(cudaLaunchAttributeID attribute) {
  return refuse(cudaErrorInvalidValue, "%d is not an attribute of streams",
                static_cast<int>(attribute));
}

Status get(const Stream& stream, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue& value) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      value.accessPolicyWindow = stream.access_policy;
      return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      value.syncPolicy = stream.synchronization_policy;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      value.priority = stream.priority;
      return cudaSuccess;
    default:
      return refuse_attribute(attribute);
  }
}

Status set(Stream& stream, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue& value) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      stream.access_policy = value.accessPolicyWindow;
      return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      stream.synchronization_policy = value.syncPolicy;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      stream.priority = value.priority;
      return cudaSuccess;
    default:
      return refuse_attribute(attribute);
  }
}

}  // namespace

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  GRIDSPAN_CALL(handle, attribute, record::address(value)) {
    if (!value) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    return get(*stream, attribute, *value);
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  GRIDSPAN_CALL(handle, attribute, record::address(value)) {
    if (!value) return refuse(cudaErrorInvalidValue, "the value is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    return set(*stream, attribute, *value);
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  GRIDSPAN_CALL(destination, source) {
    std::shared_ptr<Stream> to, from;
    GRIDSPAN_TRY(find_any_stream(state, destination, to));
    GRIDSPAN_TRY(find_any_stream(state, source, from));
    to->access_policy = from->access_policy;
    to->synchronization_policy = from->synchronization_policy;
    to->priority = from->priority;
    return cudaSuccess;
  });
}
