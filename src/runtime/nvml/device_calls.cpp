// NVML: devices, and what is known about them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/nvml/state.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <string>

using namespace gridspan::runtime;
using nvml::not_supported;
using nvml::with_device;

namespace {

constexpr unsigned khz_per_mhz = 1000;

template <class Accepts>
nvmlReturn_t find_device(nvmlDevice_t* device, Accepts accepts) {
  if (!device) return NVML_ERROR_INVALID_ARGUMENT;
  if (!nvml::is_initialised()) return NVML_ERROR_UNINITIALIZED;
  const int count = device_count(runtime());
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    if (!accepts(ordinal)) continue;
    *device = nvml::handle_of(ordinal);
    return NVML_SUCCESS;
  }
  return NVML_ERROR_NOT_FOUND;
}

/// "GPU-01234567-89ab-cdef-0123-456789abcdef"
std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += digits.data();
  }
  return text;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  if (!count) return NVML_ERROR_INVALID_ARGUMENT;
  if (!nvml::is_initialised()) return NVML_ERROR_UNINITIALIZED;
  const int devices = device_count(runtime());
  *count = static_cast<unsigned>(devices);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  const nvmlReturn_t result =
      find_device(device, [&](int ordinal) { return static_cast<unsigned>(ordinal) == index; });
  return result == NVML_ERROR_NOT_FOUND ? NVML_ERROR_INVALID_ARGUMENT : result;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus, nvmlDevice_t* device) {
  unsigned domain = 0, number = 0, slot = 0;
  if (!bus || std::sscanf(bus, "%x:%x:%x", &domain, &number, &slot) != 3)
    return NVML_ERROR_INVALID_ARGUMENT;
  return find_device(device, [&](int ordinal) {
    cudaDeviceProp properties;
    return cudaGetDeviceProperties(&properties, ordinal) == cudaSuccess &&
           static_cast<unsigned>(properties.pciDomainID) == domain &&
           static_cast<unsigned>(properties.pciBusID) == number &&
           static_cast<unsigned>(properties.pciDeviceID) == slot;
  });
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  if (!uuid) return NVML_ERROR_INVALID_ARGUMENT;
  return find_device(device, [&](int ordinal) {
    cudaDeviceProp properties;
    return cudaGetDeviceProperties(&properties, ordinal) == cudaSuccess &&
           uuid_text(properties.uuid) == uuid;
  });
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  if (!index) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int ordinal, const cudaDeviceProp&) {
    *index = static_cast<unsigned>(ordinal);
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  return with_device(device, [&](int, const cudaDeviceProp& properties) {
    return nvml::answer(properties.name, name, length);
  });
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  return with_device(device, [&](int, const cudaDeviceProp& properties) {
    return nvml::answer(uuid_text(properties.uuid), uuid, length);
  });
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  if (!pci) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp& properties) {
    *pci = {};
    pci->domain = static_cast<unsigned>(properties.pciDomainID);
    pci->bus = static_cast<unsigned>(properties.pciBusID);
    pci->device = static_cast<unsigned>(properties.pciDeviceID);
    std::snprintf(pci->busIdLegacy, sizeof(pci->busIdLegacy), "%04x:%02x:%02x.0",
                  pci->domain & 0xffffu, pci->bus & 0xffu, pci->device & 0xffu);
    std::snprintf(pci->busId, sizeof(pci->busId), "%08x:%02x:%02x.0", pci->domain, pci->bus & 0xffu,
                  pci->device & 0xffu);
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  if (!memory) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int ordinal, const cudaDeviceProp&) {
    int current = 0;
    std::size_t free = 0, total = 0;
    if (cudaGetDevice(&current) != cudaSuccess || cudaSetDevice(ordinal) != cudaSuccess)
      return NVML_ERROR_UNKNOWN;
    const cudaError_t asked = cudaMemGetInfo(&free, &total);
    if (cudaSetDevice(current) != cudaSuccess || asked != cudaSuccess) return NVML_ERROR_UNKNOWN;
    *memory = {total, free, total - free};
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  if (!major || !minor) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp& properties) {
    *major = properties.major;
    *minor = properties.minor;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  if (!mode) return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp&) {
    *mode = NVML_COMPUTEMODE_DEFAULT;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                    unsigned int* clock) {
  if (!clock || type < NVML_CLOCK_GRAPHICS || type > NVML_CLOCK_VIDEO)
    return NVML_ERROR_INVALID_ARGUMENT;
  return with_device(device, [&](int, const cudaDeviceProp& properties) {
    const int khz = type == NVML_CLOCK_MEM ? properties.memoryClockRate : properties.clockRate;
    *clock = static_cast<unsigned>(khz) / khz_per_mhz;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                       unsigned int* clock) {
  return nvmlDeviceGetClockInfo(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device,
                                                         unsigned long long* reasons) {
  if (!reasons) return NVML_ERROR_INVALID_ARGUMENT;
  const nvmlReturn_t known = not_supported(device);
  if (known != NVML_ERROR_NOT_SUPPORTED) return known;
  *reasons = nvmlClocksThrottleReasonNone;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device,
                                                      unsigned long long* reasons) {
  return nvmlDeviceGetSupportedClocksThrottleReasons(device, reasons);
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int*,
                                                          unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceSetPowerManagementLimit(nvmlDevice_t device, unsigned int) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t,
                                      unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t,
                                               unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t device, unsigned int, unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t,
                                         unsigned int*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t, unsigned long long,
                                  nvmlValueType_t*, unsigned int*, nvmlSample_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t*) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t device, unsigned int, unsigned int) {
  return not_supported(device);
}
nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device) {
  return not_supported(device);
}
