// Names of the driver API that libraries compile with: what cannot be done here says so, the rest
// works under names with a version, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Driver API | names with a version (`cuMemAlloc_v2`, `CUDA_MEMCPY3D_v2`), types of entry points (`cudaTypedefs.h`), `cuDeviceGetDevResource`; tensor maps, multicast objects, green contexts and external memory are declared, and refused
#include "check.h"

#include <cudaTypedefs.h>

#include <cstddef>

static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 64);
static_assert(sizeof(CUdevResource) == 144 && offsetof(CUdevResource, sm) == 96);
static_assert(sizeof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC) == 104);
static_assert(sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS) == 144);
static_assert(std::is_same<CUDA_MEMCPY3D_v2, CUDA_MEMCPY3D>::value);
static_assert(CU_TENSOR_MAP_SWIZZLE_128B == 3 && CU_RES_VIEW_FORMAT_UNSIGNED_BC7 == 34);

void test_refused() {
  CUtensorMap map;
  const cuuint64_t sizes[2] = {64, 64}, strides[1] = {256};
  const cuuint32_t box[2] = {8, 8}, steps[2] = {1, 1};
  CHECK_EQ(
      cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, &map, sizes, strides, box,
                             steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
      CUDA_ERROR_NOT_SUPPORTED);
  CUmulticastObjectProp properties = {2, 1 << 21, 0, 0};
  CUmemGenericAllocationHandle object = 0;
  size_t granularity = 77;
  CHECK_EQ(cuMulticastCreate(&object, &properties), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_EQ(cuMulticastGetGranularity(&granularity, &properties, CU_MULTICAST_GRANULARITY_MINIMUM),
           CUDA_ERROR_NOT_SUPPORTED);
  CHECK_EQ(granularity, 77u);
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC description = {};
  description.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  CUexternalMemory memory = nullptr;
  CHECK_EQ(cuImportExternalMemory(&memory, &description), CUDA_ERROR_NOT_SUPPORTED);
  cudaExternalSemaphoreHandleDesc semaphore = {};
  cudaExternalSemaphore_t imported = nullptr;
  CHECK_EQ(cudaImportExternalSemaphore(&imported, &semaphore), cudaErrorNotSupported);
  CHECK_EQ(cudaGetLastError(), cudaErrorNotSupported);
  CHECK(memory == nullptr && imported == nullptr && object == 0);
}

void test_processors() {
  CUdevResource resource;
  std::memset(&resource, 0x5a, sizeof resource);
  CHECK_EQ(cuDeviceGetDevResource(0, &resource, CU_DEV_RESOURCE_TYPE_SM), CUDA_SUCCESS);
  int processors = 0;
  CUDA_OK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK_EQ(resource.type, CU_DEV_RESOURCE_TYPE_SM);
  CHECK_EQ(int(resource.sm.smCount), processors);
  CUdevResource whole;
  CUcontext context = nullptr;
  CHECK_EQ(cuCtxGetCurrent(&context), CUDA_SUCCESS);
  CHECK_EQ(cuCtxGetDevResource(context, &whole, CU_DEV_RESOURCE_TYPE_SM), CUDA_SUCCESS);
  CHECK_EQ(whole.sm.smCount, resource.sm.smCount);
  CHECK_EQ(cuDeviceGetDevResource(0, &resource, CU_DEV_RESOURCE_TYPE_INVALID),
           CUDA_ERROR_INVALID_VALUE);
  unsigned groups = 1;
  CUdevResource part;
  CHECK_EQ(cuDevSmResourceSplitByCount(&part, &groups, &whole, nullptr, 0, 1),
           CUDA_ERROR_NOT_SUPPORTED);
  CUgreenCtx green = nullptr;
  CHECK_EQ(cuGreenCtxCreate(&green, nullptr, 0, CU_GREEN_CTX_DEFAULT_STREAM),
           CUDA_ERROR_NOT_SUPPORTED);
  CUstream stream = nullptr;
  CHECK_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CUcontext of_stream = nullptr;
  green = reinterpret_cast<CUgreenCtx>(&part);
  CHECK_EQ(cuStreamGetCtx_v2(stream, &of_stream, &green), CUDA_SUCCESS);
  CHECK(of_stream == context && green == nullptr);
  CHECK_EQ(cuStreamGetGreenCtx(stream, &green), CUDA_SUCCESS);
  CHECK(green == nullptr);
  CHECK_EQ(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
}

void test_versions() {
  CUdeviceptr_v2 address = 0;
  CHECK_EQ(cuMemAlloc_v2(&address, 4 * 37), CUDA_SUCCESS);
  CHECK_EQ(cuMemsetD32_v2(address, 0x01020304, 37), CUDA_SUCCESS);
  std::vector<unsigned> host(37, 7);
  void* entry = nullptr;
  CHECK_EQ(cuGetProcAddress("cuMemcpyDtoH", &entry, 12000, 0, nullptr), CUDA_SUCCESS);
  const PFN_cuMemcpyDtoH_v3020 copy = reinterpret_cast<PFN_cuMemcpyDtoH_v3020>(entry);
  if (CHECK(copy != nullptr)) CHECK_EQ(copy(host.data(), address, 4 * 37), CUDA_SUCCESS);
  check::equal("copied", host, std::vector<unsigned>(37, 0x01020304));
  CHECK_EQ(cuMemFree_v2(address), CUDA_SUCCESS);
  CHECK(std::string(cudaGetErrorName(cudaErrorInvalidResourceType)) ==
        "cudaErrorInvalidResourceType");
  int value = -1;
  CUDA_OK(cudaDeviceGetAttribute(&value, cudaDevAttrHostMemoryPoolsSupported, 0));
  CHECK_EQ(value, 0);
}

/// What a kernel says of programmatic dependent launches is true here: nothing is waited for.
__global__ void dependent(int* out) {
  cudaGridDependencySynchronize();
  out[check::global_index()] = 3;
  cudaTriggerProgrammaticLaunchCompletion();
}
/// The architecture is the source's, however the kernel is named.
void test_architecture() {
  for (int form = 0; form < 3; ++form) {
    cudaFuncAttributes attributes = {};
    CUDA_OK(form == 0   ? cudaFuncGetAttributes(&attributes, dependent)
            : form == 1 ? cudaFuncGetAttributes(&attributes, (const void*)dependent)
                        : cudaFuncGetAttributes(&attributes, (void*)dependent));
    CHECK_EQ(attributes.ptxVersion, 75);
  }
}

int main() {
  CHECK_EQ(cuInit(0), CUDA_SUCCESS);
  check::Array<int> out(66);
  dependent<<<2, 33>>>(out.data());
  check::equal("dependent", out.get(), std::vector<int>(66, 3));
  test_refused();
  test_processors();
  test_versions();
  test_architecture();
  return check::finish();
}
