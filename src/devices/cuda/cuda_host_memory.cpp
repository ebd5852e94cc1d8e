// Page-locked memory, at the same address for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/cuda_host_memory.h"

namespace gridspan::devices::cuda {

void* CudaHostMemory::allocate_host(std::size_t size) {
  void* memory = nullptr;
  if (gpu_.make_current() != success) return nullptr;
  return api().cuMemHostAlloc(&memory, size, host_portable | host_mapped) == success ? memory
                                                                                     : nullptr;
}

void CudaHostMemory::free_host(void* memory) {
  if (gpu_.make_current() == success) api().cuMemFreeHost(memory);
}

bool CudaHostMemory::register_host(void* memory, std::size_t size) {
  int same_address = 0;
  return gpu_.make_current() == success &&
         api().cuDeviceGetAttribute(&same_address, GpuAttribute::host_pointer_for_registered,
                                    gpu_.gpu) == success &&
         same_address != 0 &&
         api().cuMemHostRegister(memory, size, host_portable | host_mapped) == success;
}

void CudaHostMemory::unregister_host(void* memory) {
  if (gpu_.make_current() == success) api().cuMemHostUnregister(memory);
}

void CudaHostMemory::begin_prefetch(void* memory, std::size_t size, bool to_host) {
  managed_.prefetch(memory, size, to_host, lines_.current().stream());
}

}  // namespace gridspan::devices::cuda
