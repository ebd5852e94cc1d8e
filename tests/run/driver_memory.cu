// Memory through the driver API: pools, managed memory, rows of arrays, attributes of addresses and
// contexts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// FEATURE: Driver API | memory pools, cuMemAdvise, cuMemPrefetchAsync, cuMemRangeGetAttributes
// FEATURE: Driver API | cuMemcpyHtoA, AtoH, DtoA, AtoD, AtoA, cuMemcpy3DPeer, cuMemsetD2D..Async
// FEATURE: Driver API | cuStreamWriteValue32, cuStreamWriteValue64, cuStreamBatchMemOp (writes)
// FEATURE: Driver API | cuPointerGetAttributes, context ids and events, occupancy, devices as peers
#include <cuda.h>

#include <algorithm>

#include "check.h"

#define CU_OK(call) CHECK_EQ((call), CUDA_SUCCESS)

constexpr int n = 1000;

void pools() {
  CUmemoryPool standard = nullptr, current = nullptr, own = nullptr;
  CU_OK(cuDeviceGetDefaultMemPool(&standard, 0));
  CU_OK(cuDeviceGetMemPool(&current, 0));
  CHECK(standard == current);
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CU_OK(cuMemPoolCreate(&own, &properties));
  CU_OK(cuDeviceSetMemPool(0, own));
  CU_OK(cuDeviceGetMemPool(&current, 0));
  CHECK(current == own);
  CU_OK(cuDeviceSetMemPool(0, standard));
  cuuint64_t threshold = 4096, known = 0;
  CU_OK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  CU_OK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &known));
  CHECK_EQ(known, 4096u);
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  CU_OK(cuMemPoolGetAccess(&flags, own, &properties.location));
  CHECK_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  const CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CU_OK(cuMemPoolSetAccess(own, &access, 1));
  CUdeviceptr memory = 0;
  CU_OK(cuMemAllocFromPoolAsync(&memory, 5000, own, nullptr));
  CUmemoryPool found = nullptr;
  CU_OK(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory));
  CHECK(found == own);
  CU_OK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &known));
  CHECK(known >= 5000);
  CU_OK(cuMemFreeAsync(memory, nullptr));
  CU_OK(cuStreamSynchronize(nullptr));
  CU_OK(cuMemPoolTrimTo(own, 0));
  CHECK_EQ(cuMemAllocFromPoolAsync(&memory, 0, own, nullptr), CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuMemPoolDestroy(own));
  CHECK_EQ(cuMemPoolDestroy(own), CUDA_ERROR_INVALID_VALUE);
}

void managed() {
  CUdeviceptr memory = 0;
  const std::size_t bytes = n * sizeof(int);
  CU_OK(cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL));
  CU_OK(cuMemAdvise(memory, bytes, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  CU_OK(cuMemAdvise_v2(memory, bytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                       {CU_MEM_LOCATION_TYPE_HOST, 0}));
  CU_OK(cuMemPrefetchAsync(memory, bytes, 0, nullptr));
  int mostly = 0, preferred = 7, last = 7;
  CU_OK(cuMemRangeGetAttribute(&mostly, sizeof mostly, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory,
                               bytes));
  CHECK_EQ(mostly, 1);
  void* data[] = {&preferred, &last};
  std::size_t sizes[] = {sizeof preferred, sizeof last};
  CUmem_range_attribute asked[] = {CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
                                   CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
  CU_OK(cuMemRangeGetAttributes(data, sizes, asked, 2, memory, bytes));
  CHECK(preferred == CU_DEVICE_CPU && last == 0);
  CU_OK(cuMemPrefetchAsync(memory, bytes, {CU_MEM_LOCATION_TYPE_HOST, 0}, 0, nullptr));
  CUstream stream;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CU_OK(cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_SINGLE));
  CU_OK(cuStreamSynchronize(stream));
  CHECK_EQ(cuMemAdvise(memory, 2 * bytes, CU_MEM_ADVISE_SET_READ_MOSTLY, 0),
           CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuStreamDestroy(stream));
  CU_OK(cuMemFree(memory));
}

std::vector<short> row(CUarray array, std::size_t first, std::size_t count) {
  std::vector<short> values(count);
  CU_OK(cuMemcpyAtoH(values.data(), array, first * sizeof(short), count * sizeof(short)));
  return values;
}

void arrays() {
  const auto in = check::Random(5).integers<short>(n, -999, 999);
  const CUDA_ARRAY_DESCRIPTOR descriptor = {n, 0, CU_AD_FORMAT_SIGNED_INT16, 1};
  CUarray first, second;
  CU_OK(cuArrayCreate(&first, &descriptor));
  CU_OK(cuArrayCreate(&second, &descriptor));
  CU_OK(cuMemcpyHtoA(first, 0, in.data(), n * sizeof(short)));
  check::equal("host to array", row(first, 0, n), in);
  CUstream stream;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU_OK(cuMemcpyHtoAAsync(first, 20 * sizeof(short), in.data(), 30 * sizeof(short), stream));
  std::vector<short> back(30);
  CU_OK(cuMemcpyAtoHAsync(back.data(), first, 20 * sizeof(short), 30 * sizeof(short), stream));
  CU_OK(cuStreamSynchronize(stream));
  check::equal("part of a row", back, std::vector<short>(in.begin(), in.begin() + 30));
  CU_OK(cuMemcpyAtoA(second, 0, first, 20 * sizeof(short), 100 * sizeof(short)));
  std::vector<short> want(in.begin() + 20, in.begin() + 120);
  std::copy_n(in.begin(), 30, want.begin());
  check::equal("array to array", row(second, 0, 100), want);
  CUdeviceptr memory = 0;
  CU_OK(cuMemAlloc(&memory, n * sizeof(short)));
  CU_OK(cuMemcpyHtoD(memory, in.data(), n * sizeof(short)));
  CU_OK(cuMemcpyDtoA(second, 7 * sizeof(short), memory, 50 * sizeof(short)));
  check::equal("device to array", row(second, 7, 50),
               std::vector<short>(in.begin(), in.begin() + 50));
  CU_OK(cuMemcpyAtoD(memory, first, 200 * sizeof(short), 100 * sizeof(short)));
  std::vector<short> device(100);
  CU_OK(cuMemcpyDtoH(device.data(), memory, 100 * sizeof(short)));
  check::equal("array to device", device, std::vector<short>(in.begin() + 200, in.begin() + 300));
  CHECK_EQ(cuMemcpyHtoA(first, 1, in.data(), 4), CUDA_ERROR_INVALID_VALUE);  // half a texel
  CHECK_EQ(cuMemcpyHtoA(first, 0, in.data(), (n + 1) * sizeof(short)), CUDA_ERROR_INVALID_VALUE);

  CUDA_MEMCPY3D_PEER peer = {};
  peer.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  peer.srcArray = first;
  peer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  peer.dstDevice = memory;
  peer.WidthInBytes = n * sizeof(short);
  peer.Height = peer.Depth = 1;
  CU_OK(cuMemcpy3DPeer(&peer));
  CU_OK(cuMemcpy3DPeerAsync(&peer, stream));
  CU_OK(cuStreamSynchronize(stream));
  std::vector<short> all(n);
  CU_OK(cuMemcpyDtoH(all.data(), memory, n * sizeof(short)));
  check::equal("between contexts", all, row(first, 0, n));
  CHECK_EQ(cuMemcpy3DPeer(nullptr), CUDA_ERROR_INVALID_VALUE);

  CU_OK(cuMemsetD2D8Async(memory, 100, 7, 10, 3, stream));
  CU_OK(cuMemsetD2D16Async(memory + 20, 100, 0x0809, 5, 3, stream));
  CU_OK(cuMemsetD2D32Async(memory + 40, 100, 0x01020304, 2, 3, stream));
  CU_OK(cuStreamSynchronize(stream));
  std::vector<unsigned char> bytes(300), filled(300);
  std::memcpy(filled.data(), all.data(), 300);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 10; ++x) filled[y * 100 + x] = 7;
    for (int x = 0; x < 5; ++x) {
      filled[y * 100 + 20 + 2 * x] = 9;
      filled[y * 100 + 21 + 2 * x] = 8;
    }
    for (int x = 0; x < 8; ++x) filled[y * 100 + 40 + x] = 4 - x % 4;
  }
  CU_OK(cuMemcpyDtoH(bytes.data(), memory, 300));
  check::equal("rectangles", bytes, filled);
  CU_OK(cuMemFree(memory));
  CU_OK(cuStreamDestroy(stream));
  CU_OK(cuArrayDestroy(second));
  CU_OK(cuArrayDestroy(first));
}

void pointers() {
  CUdeviceptr memory = 0;
  CU_OK(cuMemAlloc(&memory, n));
  CUmemorytype type = CU_MEMORYTYPE_HOST;
  CUdeviceptr base = 0;
  std::size_t size = 0;
  int device = 9, is_managed = 9;
  void* data[] = {&type, &base, &size, &device, &is_managed};
  CUpointer_attribute asked[] = {
      CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
      CU_POINTER_ATTRIBUTE_RANGE_SIZE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
      CU_POINTER_ATTRIBUTE_IS_MANAGED};
  CU_OK(cuPointerGetAttributes(5, asked, data, memory + 33));
  CHECK(type == CU_MEMORYTYPE_DEVICE && base == memory && size >= n);
  CHECK(device == 0 && is_managed == 0);
  CU_OK(cuPointerGetAttributes(5, asked, data, reinterpret_cast<CUdeviceptr>(&memory)));
  CHECK(type == 0 && base == 0 && size == 0 && device == -2);  // unknown to CUDA
  CHECK_EQ(cuPointerGetAttributes(0, asked, data, memory), CUDA_ERROR_INVALID_VALUE);
  const unsigned yes = 1;
  CU_OK(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  CHECK_EQ(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_MAPPED, memory),
           CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuMemFree(memory));
}

void contexts() {
  CUcontext context = nullptr, made = nullptr;
  CU_OK(cuCtxGetCurrent(&context));
  unsigned long long id = 0, other = 0;
  CU_OK(cuCtxGetId(context, &id));
  CU_OK(cuCtxCreate_v3(&made, nullptr, 0, CU_CTX_SCHED_AUTO, 0));
  CU_OK(cuCtxGetId(nullptr, &other));
  CHECK(id != 0 && other != 0 && id != other);
  CU_OK(cuCtxSetFlags(CU_CTX_SCHED_SPIN));
  unsigned flags = 0;
  CU_OK(cuCtxGetFlags(&flags));
  CHECK_EQ(flags, unsigned(CU_CTX_SCHED_SPIN));
  CHECK_EQ(cuCtxSetFlags(0x1000), CUDA_ERROR_INVALID_VALUE);
  CUevent event;
  CU_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  CU_OK(cuCtxRecordEvent(made, event));
  CU_OK(cuCtxWaitEvent(made, event));
  CU_OK(cuEventSynchronize(event));
  CU_OK(cuEventRecordWithFlags(event, nullptr, CU_EVENT_RECORD_DEFAULT));
  CU_OK(cuEventDestroy(event));
  CUexecAffinityParam affinity = {};
  CHECK_EQ(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT),
           CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  CHECK_EQ(cuCtxCreate_v3(&made, &affinity, 1, 0, 0), CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  CU_OK(cuCtxDestroy(made));
  CHECK_EQ(cuCtxGetId(made, &other), CUDA_ERROR_INVALID_CONTEXT);
  CUstream stream;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CUdevice device = 9;
  CU_OK(cuStreamGetDevice(stream, &device));
  CHECK_EQ(device, 0);
  CU_OK(cuStreamGetId(stream, &id));
  CHECK(id != 0);
  CU_OK(cuStreamDestroy(stream));
  char luid[8];
  unsigned mask;
  CHECK_EQ(cuDeviceGetLuid(luid, &mask, 0), CUDA_ERROR_NOT_SUPPORTED);
  int supported = 1;
  CU_OK(cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
  CHECK_EQ(supported, 0);
  std::size_t width = 0;
  CU_OK(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, 0));
  CHECK(width >= 1u << 27);
  const cudaChannelFormatDesc three = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  CHECK_EQ(cudaDeviceGetTexture1DLinearMaxWidth(&width, &three, 0),
           cudaErrorInvalidChannelDescriptor);
  CHECK_EQ(cuDeviceGetP2PAttribute(&supported, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0),
           CUDA_ERROR_INVALID_DEVICE);
  CUmoduleLoadingMode mode;
  CU_OK(cuModuleGetLoadingMode(&mode));
  CHECK_EQ(mode, CU_MODULE_EAGER_LOADING);
  CHECK_EQ(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                      CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER),
           CUDA_ERROR_NOT_SUPPORTED);
}

void stream_writes() {
  CUdeviceptr memory = 0;
  CU_OK(cuMemAlloc(&memory, 32));
  CU_OK(cuMemsetD8(memory, 0xA5, 32));
  CU_OK(cuCtxSynchronize());  // the stream below does not wait for the null stream
  CUstream stream;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU_OK(cuStreamWriteValue32(stream, memory + 4, 0x01020304, CU_STREAM_WRITE_VALUE_DEFAULT));
  CU_OK(cuStreamWriteValue64(stream, memory + 8, 0x1122334455667788,
                             CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
  CUstreamBatchMemOpParams operations[3] = {};
  operations[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operations[0].writeValue.address = memory + 16;
  operations[0].writeValue.value = 7;
  operations[1].operation = CU_STREAM_MEM_OP_BARRIER;
  operations[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  operations[2].writeValue.address = memory + 24;
  operations[2].writeValue.value64 = ~0ull;
  CU_OK(cuStreamBatchMemOp(stream, 3, operations, 0));
  CU_OK(cuStreamSynchronize(stream));
  std::vector<unsigned> got(8);
  CU_OK(cuMemcpyDtoH(got.data(), memory, 32));
  check::equal("written in order", got,
               {0xA5A5A5A5, 0x01020304, 0x55667788, 0x11223344, 7, 0xA5A5A5A5, ~0u, ~0u});
  CHECK_EQ(cuStreamWriteValue32(stream, memory + 2, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuStreamWriteValue32(stream, memory, 0, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuStreamBatchMemOp(stream, 0, operations, 0), CUDA_ERROR_INVALID_VALUE);
  // A stream does not wait for a value, and says so; nothing of such a batch is done.
  int can_wait = 1;
  CU_OK(cuDeviceGetAttribute(&can_wait, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 0));
  CHECK_EQ(can_wait, 0);
  CHECK_EQ(cuStreamWaitValue32(stream, memory, 0, CU_STREAM_WAIT_VALUE_EQ),
           CUDA_ERROR_NOT_SUPPORTED);
  CHECK_EQ(cuStreamWaitValue64(stream, memory, 0, CU_STREAM_WAIT_VALUE_GEQ),
           CUDA_ERROR_NOT_SUPPORTED);
  operations[0].writeValue.value = 9;
  operations[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  CHECK_EQ(cuStreamBatchMemOp(stream, 3, operations, 0), CUDA_ERROR_NOT_SUPPORTED);
  CU_OK(cuMemcpyDtoH(got.data(), memory, 32));
  CHECK_EQ(got[4], 7u);
  CU_OK(cuStreamDestroy(stream));
  CU_OK(cuMemFree(memory));
}

int main() {
  CU_OK(cuInit(0));
  CUcontext context;
  CU_OK(cuDevicePrimaryCtxRetain(&context, 0));
  CU_OK(cuCtxSetCurrent(context));
  pools();
  managed();
  arrays();
  pointers();
  stream_writes();
  contexts();
  return check::finish();
}
