// NVML: initialisation, versions, error texts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/nvml/state.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace gridspan::runtime::nvml {

namespace {

std::atomic<int> initialisations{0};

}  // namespace

void initialise() { ++initialisations; }

nvmlReturn_t shut_down() {
  int count = initialisations;
  do {
    if (count == 0) return NVML_ERROR_UNINITIALIZED;
  } while (!initialisations.compare_exchange_weak(count, count - 1));
  return NVML_SUCCESS;
}

bool is_initialised() { return initialisations > 0; }

nvmlDevice_t handle_of(int ordinal) {
  return reinterpret_cast<nvmlDevice_t>(static_cast<std::uintptr_t>(ordinal) + 1);
}

}  // namespace gridspan::runtime::nvml

using namespace gridspan::runtime;

nvmlReturn_t nvmlInit_v2() { return nvmlInitWithFlags(0); }

nvmlReturn_t nvmlInitWithFlags(unsigned int) {
  nvml::initialise();
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlShutdown() { return nvml::shut_down(); }

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  if (!nvml::is_initialised()) return NVML_ERROR_UNINITIALIZED;
  return nvml::answer(GRIDSPAN_VERSION, version, length);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  int cuda = 0;
  const nvmlReturn_t result = nvmlSystemGetCudaDriverVersion_v2(&cuda);
  if (result != NVML_SUCCESS) return result;
  const std::string major = std::to_string(NVML_CUDA_DRIVER_VERSION_MAJOR(cuda));
  return nvml::answer(major + "." GRIDSPAN_VERSION, version, length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  return nvmlSystemGetCudaDriverVersion_v2(version);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  if (!version) return NVML_ERROR_INVALID_ARGUMENT;
  if (!nvml::is_initialised()) return NVML_ERROR_UNINITIALIZED;
  return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_SUCCESS:
      return "success";
    case NVML_ERROR_UNINITIALIZED:
      return "nvmlInit was not called";
    case NVML_ERROR_INVALID_ARGUMENT:
      return "invalid argument";
    case NVML_ERROR_NOT_SUPPORTED:
      return "not supported by this device";
    case NVML_ERROR_NO_PERMISSION:
      return "no permission";
    case NVML_ERROR_NOT_FOUND:
      return "not found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
      return "the buffer is too small";
    default:
      return "unknown error";
  }
}
