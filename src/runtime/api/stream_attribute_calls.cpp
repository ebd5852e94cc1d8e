// Attributes of streams: kept for the program, without effect but for the priority.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/submit.h"

using namespace gridspan::runtime;

namespace {

Status refuse_attribute(cudaLaunchAttributeID attribute) {
  return refuse(cudaErrorInvalidValue, "%d is not an attribute of streams",
                static_cast<int>(attribute));
}

/// Hands what the stream keeps and its place in `value` to `use`.
template <class Use>
Status with_attribute(Stream& stream, cudaLaunchAttributeID attribute,
                      cudaLaunchAttributeValue& value, const Use& use) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      use(stream.access_policy, value.accessPolicyWindow);
      return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      use(stream.synchronization_policy, value.syncPolicy);
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      use(stream.priority, value.priority);
      return cudaSuccess;
    default:
      return refuse_attribute(attribute);
  }
}

Status check_window(const Runtime& state, const Stream& stream,
                    const cudaAccessPolicyWindow& window) {
  const auto most =
      static_cast<std::size_t>(device_properties(state, stream.device).accessPolicyMaxWindowSize);
  if (window.num_bytes > most) {
    return refuse(cudaErrorInvalidValue, "a window of %zu bytes, but %zu are the most",
                  window.num_bytes, most);
  }
  if (!(window.hitRatio >= 0 && window.hitRatio <= 1)) {
    return refuse(cudaErrorInvalidValue, "a hit ratio of %g", static_cast<double>(window.hitRatio));
  }
  if (window.missProp == cudaAccessPropertyPersisting) {
    return refuse(cudaErrorInvalidValue, "what misses the window cannot persist");
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  GRIDSPAN_CALL(handle, attribute, record::address(value)) {
    if (!value) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    return with_attribute(*stream, attribute, *value,
                          [](const auto& kept, auto& given) { given = kept; });
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  GRIDSPAN_CALL(handle, attribute, record::address(value)) {
    if (!value) return refuse(cudaErrorInvalidValue, "the value is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    if (attribute == cudaLaunchAttributeAccessPolicyWindow) {
      GRIDSPAN_TRY(check_window(state, *stream, value->accessPolicyWindow));
    }
    cudaLaunchAttributeValue wanted = *value;
    return with_attribute(*stream, attribute, wanted,
                          [](auto& kept, const auto& given) { kept = given; });
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
