// NVML: what it says agrees with the runtime API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device management | NVML: devices by index, PCI bus and UUID; name, memory, clocks
#include "check.h"

#include <nvml.h>

#include <cstring>

static void before_and_after() {
  nvmlDevice_t device = nullptr;
  CHECK_EQ(nvmlDeviceGetHandleByIndex(0, &device), NVML_ERROR_UNINITIALIZED);
  CHECK_EQ(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
  CHECK_EQ(nvmlInit(), NVML_SUCCESS);
  CHECK_EQ(nvmlInitWithFlags(0), NVML_SUCCESS);
  CHECK_EQ(nvmlShutdown(), NVML_SUCCESS);
  CHECK_EQ(nvmlDeviceGetHandleByIndex(0, &device), NVML_SUCCESS);  // initialised twice
}

static void handles(nvmlDevice_t device) {
  unsigned count = 0, index = 99;
  int runtime_count = 0;
  CUDA_OK(cudaGetDeviceCount(&runtime_count));
  CHECK_EQ(nvmlDeviceGetCount(&count), NVML_SUCCESS);
  CHECK_EQ(static_cast<int>(count), runtime_count);
  CHECK_EQ(nvmlDeviceGetIndex(device, &index), NVML_SUCCESS);
  CHECK_EQ(index, 0u);

  char bus[32] = {}, uuid[NVML_DEVICE_UUID_BUFFER_SIZE] = {};
  CUDA_OK(cudaDeviceGetPCIBusId(bus, sizeof(bus), 0));
  nvmlDevice_t found = nullptr;
  CHECK_EQ(nvmlDeviceGetHandleByPciBusId(bus, &found), NVML_SUCCESS);
  CHECK_EQ(found, device);
  nvmlPciInfo_t pci = {};
  CHECK_EQ(nvmlDeviceGetPciInfo(device, &pci), NVML_SUCCESS);
  found = nullptr;
  CHECK_EQ(nvmlDeviceGetHandleByPciBusId(pci.busId, &found), NVML_SUCCESS);
  CHECK_EQ(found, device);
  CHECK_EQ(nvmlDeviceGetHandleByPciBusId("0000:fe:1f.0", &found), NVML_ERROR_NOT_FOUND);
  CHECK_EQ(nvmlDeviceGetHandleByPciBusId("first", &found), NVML_ERROR_INVALID_ARGUMENT);

  CHECK_EQ(nvmlDeviceGetUUID(device, uuid, sizeof(uuid)), NVML_SUCCESS);
  CHECK_EQ(std::strncmp(uuid, "GPU-", 4), 0);
  CHECK_EQ(std::strlen(uuid), 40u);
  found = nullptr;
  CHECK_EQ(nvmlDeviceGetHandleByUUID(uuid, &found), NVML_SUCCESS);
  CHECK_EQ(found, device);
  uuid[39] = uuid[39] == '0' ? '1' : '0';
  CHECK_EQ(nvmlDeviceGetHandleByUUID(uuid, &found), NVML_ERROR_NOT_FOUND);
}

static void facts(nvmlDevice_t device) {
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  char name[NVML_DEVICE_NAME_BUFFER_SIZE * 4] = {};
  CHECK_EQ(nvmlDeviceGetName(device, name, sizeof(name)), NVML_SUCCESS);
  CHECK_EQ(std::strcmp(name, properties.name), 0);
  CHECK_EQ(nvmlDeviceGetName(device, name, 2), NVML_ERROR_INSUFFICIENT_SIZE);

  int major = 0, minor = 0;
  CHECK_EQ(nvmlDeviceGetCudaComputeCapability(device, &major, &minor), NVML_SUCCESS);
  CHECK_EQ(major, properties.major);
  CHECK_EQ(minor, properties.minor);

  unsigned clock = 0;
  CHECK_EQ(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &clock), NVML_SUCCESS);
  CHECK_EQ(clock, static_cast<unsigned>(properties.clockRate) / 1000);
  CHECK_EQ(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &clock), NVML_SUCCESS);
  CHECK_EQ(clock, static_cast<unsigned>(properties.memoryClockRate) / 1000);

  nvmlMemory_t memory = {};
  CHECK_EQ(nvmlDeviceGetMemoryInfo(device, &memory), NVML_SUCCESS);
  CHECK_EQ(memory.total, properties.totalGlobalMem);
  CHECK_EQ(memory.free + memory.used, memory.total);

  int cuda = 0, driver = 0;
  CHECK_EQ(nvmlSystemGetCudaDriverVersion(&cuda), NVML_SUCCESS);
  CUDA_OK(cudaDriverGetVersion(&driver));
  CHECK_EQ(cuda, driver);
  char version[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE] = {};
  CHECK_EQ(nvmlSystemGetDriverVersion(version, sizeof(version)), NVML_SUCCESS);
  CHECK_EQ(std::strlen(version) > 0, true);
}

static void refusals(nvmlDevice_t device) {
  unsigned value = 0;
  CHECK_EQ(nvmlDeviceGetPowerUsage(device, &value), NVML_ERROR_NOT_SUPPORTED);
  unsigned long long reasons = 77;
  CHECK_EQ(nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(reasons, 77u);
  CHECK_EQ(nvmlDeviceGetSupportedClocksThrottleReasons(device, &reasons), NVML_SUCCESS);
  CHECK_EQ(reasons & ~nvmlClocksThrottleReasonAll, 0u);
  CHECK_EQ(reasons, nvmlClocksEventReasonNone);
  CHECK_EQ(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value),
           NVML_ERROR_NOT_SUPPORTED);
  value = 77;
  unsigned count = 1, least = 77;
  nvmlSample_t sample = {77, {}};
  nvmlValueType_t type = NVML_VALUE_TYPE_SIGNED_INT;
  CHECK_EQ(nvmlDeviceGetPowerManagementLimit(device, &value), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetPowerManagementDefaultLimit(device, &value), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetPowerManagementLimitConstraints(device, &least, &value),
           NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetEnforcedPowerLimit(device, &value), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceSetPowerManagementLimit(device, 1), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetTemperatureThreshold(device, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN, &value),
           NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetFanSpeed(device, &value), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetFanSpeed_v2(device, 0, &value), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetPcieThroughput(device, NVML_PCIE_UTIL_RX_BYTES, &value),
           NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetSamples(device, NVML_GPU_UTILIZATION_SAMPLES, 0, &type, &count, &sample),
           NVML_ERROR_NOT_SUPPORTED);
  char text[64] = "77";
  nvmlEnableState_t mode = NVML_FEATURE_ENABLED;
  unsigned long long errors = 77;
  CHECK_EQ(nvmlDeviceGetSerial(device, text, sizeof(text)), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetVbiosVersion(device, text, sizeof(text)), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetEccMode(device, &mode, &mode), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetTotalEccErrors(device, NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_VOLATILE_ECC,
                                       &errors),
           NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceGetCurrPcieLinkGeneration(device, &value), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceSetGpuLockedClocks(device, 1, 2), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(nvmlDeviceSetCpuAffinity(device), NVML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(std::strcmp(text, "77"), 0);
  CHECK_EQ(mode, NVML_FEATURE_ENABLED);
  CHECK_EQ(errors, 77ull);
  CHECK_EQ(value, 77u);
  CHECK_EQ(least, 77u);
  CHECK_EQ(sample.timeStamp, 77u);
  CHECK_EQ(nvmlDeviceGetSamples(nullptr, NVML_GPU_UTILIZATION_SAMPLES, 0, &type, &count, &sample),
           NVML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(nvmlDeviceGetIndex(nullptr, &value), NVML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(nvmlDeviceGetHandleByIndex(1000, &device), NVML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(std::strlen(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED)) > 0, true);
  CUDA_OK(cudaGetLastError());  // no question above is an error of the program's
}

void board(nvmlDevice_t device) {
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  nvmlMemory_t memory;
  nvmlMemory_v2_t newer;
  newer.version = nvmlMemory_v2;
  CHECK_EQ(nvmlDeviceGetMemoryInfo(device, &memory), NVML_SUCCESS);
  CHECK_EQ(nvmlDeviceGetMemoryInfo_v2(device, &newer), NVML_SUCCESS);
  CHECK_EQ(newer.total, memory.total);
  CHECK_EQ(newer.free + newer.used, newer.total);
  newer.version = 0;
  CHECK_EQ(nvmlDeviceGetMemoryInfo_v2(device, &newer), NVML_ERROR_INVALID_ARGUMENT);
  unsigned clock = 0, same = 1, value = 77;
  CHECK_EQ(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &clock), NVML_SUCCESS);
  CHECK_EQ(nvmlDeviceGetApplicationsClock(device, NVML_CLOCK_SM, &same), NVML_SUCCESS);
  CHECK_EQ(clock, same);
  CHECK_EQ(nvmlDeviceGetClock(device, NVML_CLOCK_SM, NVML_CLOCK_ID_CURRENT, &value), NVML_SUCCESS);
  CHECK_EQ(clock, value);
  CHECK_EQ(nvmlDeviceGetClock(device, NVML_CLOCK_SM, static_cast<nvmlClockId_t>(9), &value),
           NVML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(nvmlDeviceGetMemoryBusWidth(device, &value), NVML_SUCCESS);
  CHECK_EQ(value, static_cast<unsigned>(properties.memoryBusWidth));
  nvmlDeviceArchitecture_t architecture = 0;
  CHECK_EQ(nvmlDeviceGetArchitecture(device, &architecture), NVML_SUCCESS);
  CHECK_EQ(architecture == NVML_DEVICE_ARCH_TURING, properties.major == 7 && properties.minor == 5);
  nvmlBrandType_t brand = NVML_BRAND_TITAN;
  CHECK_EQ(nvmlDeviceGetBrand(device, &brand), NVML_SUCCESS);
  CHECK_EQ(brand, NVML_BRAND_UNKNOWN);
  unsigned count = 77;
  nvmlProcessInfo_t process;
  CHECK_EQ(nvmlDeviceGetComputeRunningProcesses(device, &count, &process), NVML_SUCCESS);
  CHECK_EQ(count, 0u);
  nvmlGpuP2PStatus_t peers;
  CHECK_EQ(nvmlDeviceGetP2PStatus(device, device, NVML_P2P_CAPS_INDEX_READ, &peers),
           NVML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(nvmlDeviceGetP2PStatus(device, nullptr, NVML_P2P_CAPS_INDEX_READ, &peers),
           NVML_ERROR_INVALID_ARGUMENT);
}

int main() {
  before_and_after();
  nvmlDevice_t device = nullptr;
  CHECK_EQ(nvmlDeviceGetHandleByIndex(0, &device), NVML_SUCCESS);
  handles(device);
  facts(device);
  board(device);
  refusals(device);
  CHECK_EQ(nvmlShutdown(), NVML_SUCCESS);
  return check::finish();
}
