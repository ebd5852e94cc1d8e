// NVML: what a GPU's board has, and who uses it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/nvml/state.h"

using namespace gridspan::runtime;
using nvml::not_supported;
using nvml::with_device;

namespace {

nvmlReturn_t no_processes(nvmlDevice_t device, unsigned int* count) {
  if (!count) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp&) {
    *count = 0;
    return NVML_SUCCESS;
  });
}

nvmlDeviceArchitecture_t architecture_of(const cudaDeviceProp& properties) {
  switch (properties.major) {
    case 3:
      return NVML_DEVICE_ARCH_KEPLER;
    case 5:
      return NVML_DEVICE_ARCH_MAXWELL;
    case 6:
      return NVML_DEVICE_ARCH_PASCAL;
    case 7:
      return properties.minor < 5 ? NVML_DEVICE_ARCH_VOLTA : NVML_DEVICE_ARCH_TURING;
    case 8:
      return properties.minor < 9 ? NVML_DEVICE_ARCH_AMPERE : NVML_DEVICE_ARCH_ADA;
    case 9:
      return NVML_DEVICE_ARCH_HOPPER;
    default:
      return NVML_DEVICE_ARCH_UNKNOWN;
  }
}

}  // namespace

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
  if (!memory || memory->version != nvmlMemory_v2) return NVML_ERROR_INVALID_ARGUMENT;
  nvmlMemory_t plain;
  const nvmlReturn_t result = nvmlDeviceGetMemoryInfo(device, &plain);
  if (result == NVML_SUCCESS) *memory = {nvmlMemory_v2, plain.total, 0, plain.free, plain.used};
  return result;
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device,
                                       nvmlDeviceArchitecture_t* architecture) {
  if (!architecture) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp& properties) {
    *architecture = architecture_of(properties);
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* brand) {
  if (!brand) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp&) {
    *brand = NVML_BRAND_UNKNOWN;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* minor) {
  return nvmlDeviceGetIndex(device, minor);
}

nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned int* is_multi) {
  if (!is_multi) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp& properties) {
    *is_multi = properties.isMultiGpuBoard != 0;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int* width) {
  if (!width) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp& properties) {
    *width = static_cast<unsigned>(properties.memoryBusWidth);
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t which,
                                unsigned int* clock) {
  if (which < NVML_CLOCK_ID_CURRENT || which > NVML_CLOCK_ID_CUSTOMER_BOOST_MAX)
    return NVML_ERROR_INVALID_ARGUMENT;
  return nvmlDeviceGetClockInfo(device, type, clock);
}
nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                            unsigned int* clock) {
  return nvmlDeviceGetClockInfo(device, type, clock);
}
nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                                   unsigned int* clock) {
  return nvmlDeviceGetClockInfo(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* count,
                                                     nvmlProcessInfo_t*) {
  return no_processes(device, count);
}
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int* count,
                                                      nvmlProcessInfo_t*) {
  return no_processes(device, count);
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t first, nvmlDevice_t second,
                                    nvmlGpuP2PCapsIndex_t which, nvmlGpuP2PStatus_t* status) {
  if (!status || which < NVML_P2P_CAPS_INDEX_READ || which > NVML_P2P_CAPS_INDEX_PROP)
    return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(first, [&](int ordinal, const cudaDeviceProp&) {
    return with_device(second, [&](int other, const cudaDeviceProp&) {
      int can = 0;
      if (ordinal == other) return NVML_ERROR_INVALID_ARGUMENT;
      if (cudaDeviceCanAccessPeer(&can, ordinal, other) != cudaSuccess) return NVML_ERROR_UNKNOWN;
      *status = can ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED;
      return NVML_SUCCESS;
    });
  });
}

nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char*, unsigned int) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char*, unsigned int) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetBoardId(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t*, nvmlEnableState_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t,
                                         nvmlEccCounterType_t, unsigned long long*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device, nvmlEnableState_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device, nvmlEnableState_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetPowerManagementMode(nvmlDevice_t device, nvmlEnableState_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int*, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int, nvmlEnableState_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device, nvmlDevice_t,
                                                 nvmlGpuTopologyLevel_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int, unsigned long*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceSetCpuAffinity(nvmlDevice_t device) { return not_supported(device); }
nvmlReturn_t nvmlDeviceClearCpuAffinity(nvmlDevice_t device) { return not_supported(device); }
nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned int*, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned int*, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int*, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int, unsigned int*,
                                                  unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceSetGpuLockedClocks(nvmlDevice_t device, unsigned int, unsigned int) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t device) { return not_supported(device); }
nvmlReturn_t nvmlDeviceSetMemoryLockedClocks(nvmlDevice_t device, unsigned int, unsigned int) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceResetMemoryLockedClocks(nvmlDevice_t device) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t device, nvmlComputeMode_t) {
  return not_supported(device);
}
