// Page-locked memory, at the same address for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/cuda_host_memory.h"

#include "devices/cuda/page_lock.h"

namespace gridspan::devices::cuda {

void* CudaHostMemory::allocate_host(std::size_t size) { return take_page_locked(gpu_, size); }

void CudaHostMemory::free_host(void* memory) { give_back_page_locked(gpu_, memory); }

bool CudaHostMemory::register_host(void* memory, std::size_t size) {
  return gpu_.make_current() == success && can_lock_pages(gpu_) &&
         api().cuMemHostRegister(memory, size, host_portable | host_mapped) == success;
}

void CudaHostMemory::unregister_host(void* memory) {
  if (gpu_.make_current() == success) api().cuMemHostUnregister(memory);
}

void CudaHostMemory::begin_prefetch(void* memory, std::size_t size, bool to_host) {
  managed_.prefetch(memory, size, to_host, lines_.current().stream());
}

}  // namespace gridspan::devices::cuda
