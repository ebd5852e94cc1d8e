// Initialisation, error texts, devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/contexts.h"

#include "runtime/api/current_device.h"
#include "runtime/api/error_texts.h"
#include "runtime/api/runtime_state.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

namespace {

CUresult check_device(CUdevice device) {
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  int count = 0;
  const CUresult counted = call(Needs::initialisation, [&] { return cudaGetDeviceCount(&count); });
  if (counted != CUDA_SUCCESS || (device >= 0 && device < count)) return counted;
  return driver::refuse("device", CUDA_ERROR_INVALID_DEVICE, "there is no device %d, only %d",
                        device, count);
}

/// `read(properties)`, which returns a CUresult, of the device.
template <class Read>
CUresult with_properties(CUdevice device, Read read) {
  if (const CUresult result = check_device(device)) return result;
  cudaDeviceProp properties;
  const CUresult result =
      call(Needs::initialisation, [&] { return cudaGetDeviceProperties(&properties, device); });
  return result ? result : read(properties);
}

/// What only the driver API asks, answered alike by all devices.
std::optional<int> driver_attribute(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
      return runtime().memory.is_all_in_reach() ? 1 : 0;  // see cuMemCreate
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1:  // streams cannot wait for values
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
      return 0;
    default:
      return std::nullopt;
  }
}

/// What both APIs call the same error, or null.
const char* name_of(CUresult result) {
  switch (result) {
    case CUDA_SUCCESS:
      return "CUDA_SUCCESS";
#define GRIDSPAN_NAME(code) \
  case code:                \
    return #code;
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_VALUE)
      GRIDSPAN_NAME(CUDA_ERROR_OUT_OF_MEMORY)
      GRIDSPAN_NAME(CUDA_ERROR_NOT_INITIALIZED)
      GRIDSPAN_NAME(CUDA_ERROR_DEINITIALIZED)
      GRIDSPAN_NAME(CUDA_ERROR_NO_DEVICE)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_DEVICE)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_IMAGE)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_CONTEXT)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_PTX)
      GRIDSPAN_NAME(CUDA_ERROR_UNSUPPORTED_LIMIT)
      GRIDSPAN_NAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
      GRIDSPAN_NAME(CUDA_ERROR_ECC_UNCORRECTABLE)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_SOURCE)
      GRIDSPAN_NAME(CUDA_ERROR_FILE_NOT_FOUND)
      GRIDSPAN_NAME(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED)
      GRIDSPAN_NAME(CUDA_ERROR_OPERATING_SYSTEM)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_HANDLE)
      GRIDSPAN_NAME(CUDA_ERROR_ILLEGAL_STATE)
      GRIDSPAN_NAME(CUDA_ERROR_NOT_FOUND)
      GRIDSPAN_NAME(CUDA_ERROR_NOT_READY)
      GRIDSPAN_NAME(CUDA_ERROR_ILLEGAL_ADDRESS)
      GRIDSPAN_NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
      GRIDSPAN_NAME(CUDA_ERROR_LAUNCH_TIMEOUT)
      GRIDSPAN_NAME(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
      GRIDSPAN_NAME(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)
      GRIDSPAN_NAME(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE)
      GRIDSPAN_NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED)
      GRIDSPAN_NAME(CUDA_ERROR_ASSERT)
      GRIDSPAN_NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
      GRIDSPAN_NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)
      GRIDSPAN_NAME(CUDA_ERROR_HARDWARE_STACK_ERROR)
      GRIDSPAN_NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION)
      GRIDSPAN_NAME(CUDA_ERROR_MISALIGNED_ADDRESS)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_ADDRESS_SPACE)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_PC)
      GRIDSPAN_NAME(CUDA_ERROR_LAUNCH_FAILED)
      GRIDSPAN_NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
      GRIDSPAN_NAME(CUDA_ERROR_NOT_PERMITTED)
      GRIDSPAN_NAME(CUDA_ERROR_NOT_SUPPORTED)
      GRIDSPAN_NAME(CUDA_ERROR_CONTAINED)
      GRIDSPAN_NAME(CUDA_ERROR_TENSOR_MEMORY_LEAK)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_RESOURCE_TYPE)
      GRIDSPAN_NAME(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION)
      GRIDSPAN_NAME(CUDA_ERROR_KEY_ROTATION)
      GRIDSPAN_NAME(CUDA_ERROR_UNKNOWN)
#undef GRIDSPAN_NAME
    default:
      return nullptr;
  }
}

}  // namespace

CUresult cuInit(unsigned int flags) {
  if (flags != 0) return driver::refuse(__func__, CUDA_ERROR_INVALID_VALUE, "flags must be 0");
  if (runtime().options.no_device) {
    return driver::refuse(__func__, CUDA_ERROR_NO_DEVICE, "GRIDSPAN_DEVICES is none");
  }
  driver::set_initialised();
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  return call(Needs::nothing, [&] { return cudaDriverGetVersion(version); });
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = name_of(error);
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  if (!name_of(error)) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  return call(Needs::initialisation, [&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_device(ordinal)) return result;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  if (!name || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const cudaDeviceProp& properties) {
    std::snprintf(name, static_cast<std::size_t>(length), "%s", properties.name);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  if (!uuid) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const cudaDeviceProp& properties) {
    static_assert(sizeof properties.uuid == sizeof *uuid);
    std::memcpy(uuid, &properties.uuid, sizeof *uuid);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const cudaDeviceProp& properties) {
    *bytes = properties.totalGlobalMem;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_device(device)) return result;
  if (const auto known = driver_attribute(attribute)) {
    *value = *known;
    return CUDA_SUCCESS;
  }
  return call(Needs::initialisation, [&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  if (!properties) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const cudaDeviceProp& known) {
    *properties = {};
    properties->maxThreadsPerBlock = known.maxThreadsPerBlock;
    std::copy_n(known.maxThreadsDim, 3, properties->maxThreadsDim);
    std::copy_n(known.maxGridSize, 3, properties->maxGridSize);
    properties->sharedMemPerBlock = static_cast<int>(known.sharedMemPerBlock);
    properties->totalConstantMemory = static_cast<int>(known.totalConstMem);
    properties->SIMDWidth = known.warpSize;
    properties->memPitch = static_cast<int>(known.memPitch);
    properties->regsPerBlock = known.regsPerBlock;
    properties->clockRate = known.clockRate;
    properties->textureAlign = static_cast<int>(known.textureAlignment);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const cudaDeviceProp& properties) {
    *major = properties.major;
    *minor = properties.minor;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* bus_id) {
  return call(Needs::initialisation, [&] { return cudaDeviceGetByPCIBusId(device, bus_id); });
}

CUresult cuDeviceGetPCIBusId(char* bus_id, int length, CUdevice device) {
  return call(Needs::initialisation, [&] { return cudaDeviceGetPCIBusId(bus_id, length, device); });
}

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return call(Needs::initialisation,
              [&] { return cudaDeviceCanAccessPeer(can_access, device, peer); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_device(device)) return result;
  *context = driver::primary_context(device);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return check_device(device); }

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  if (const CUresult result = check_device(device)) return result;
  driver::primary_context(device)->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_device(device)) return result;
  *flags = driver::primary_context(device)->flags;
  *active = driver::current_context() == driver::primary_context(device);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  if (const CUresult result = check_device(device)) return result;
  const OnDevice there(device);
  return call(Needs::initialisation, [] { return cudaDeviceReset(); });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice source,
                                 CUdevice destination) {
  return call(Needs::initialisation, [&] {
    return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), source,
                                     destination);
  });
}

// Known on Windows only.
CUresult cuDeviceGetLuid(char* luid, unsigned int* node_mask, CUdevice device) {
  if (!luid || !node_mask) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_device(device)) return result;
  return driver::refuse(__func__, CUDA_ERROR_NOT_SUPPORTED, "devices have no LUID on Linux");
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope) {
  return call(Needs::context, [&] {
    return cudaDeviceFlushGPUDirectRDMAWrites(
        static_cast<cudaFlushGPUDirectRDMAWritesTarget>(target),
        static_cast<cudaFlushGPUDirectRDMAWritesScope>(scope));
  });
}

CUresult cuDeviceGetExecAffinitySupport(int* is_supported, CUexecAffinityType type,
                                        CUdevice device) {
  if (!is_supported || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return CUDA_ERROR_INVALID_VALUE;
  *is_supported = 0;
  return check_device(device);
}
