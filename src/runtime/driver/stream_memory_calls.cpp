// Operations on memory in the order of a stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values are written as copies are. A stream cannot wait for a value: all streams share one queue,
// which would stand still, and with it what writes the value (docs/decisions/0006-one-queue.md).
#include "runtime/api/call.h"
#include "runtime/api/graph/capture.h"
#include "runtime/api/submit.h"
#include "runtime/driver/call.h"

#include <cstdint>
#include <cstring>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;
using driver::pointer;

namespace {

CUresult refuse_waiting(const char* caller) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  return driver::refuse(caller, CUDA_ERROR_NOT_SUPPORTED,
                        "streams cannot wait for values in memory: all of them share one queue");
}

/// What a write writes, in memory that CUDA knows.
Status check_write(Runtime& state, CUdeviceptr address, std::size_t size, unsigned flags) {
  if (flags & ~unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}) {
    return refuse(cudaErrorInvalidValue, "flags %#x", flags);
  }
  const Lookup found = state.memory.table().find(pointer(address));
  if (address % size != 0 || !found.is_live() || address + size > found.allocation.end()) {
    return refuse(cudaErrorInvalidValue, "%p is no place for %zu bytes", pointer(address), size);
  }
  return cudaSuccess;
}

CUresult write(const char* caller, CUstream handle, CUdeviceptr address, std::uint64_t value,
               std::size_t size, unsigned flags) {
  return call(Needs::context, [&] {
    return run_call(caller, [&](Runtime& state) -> Status {
      GRIDSPAN_TRY(check_write(state, address, size, flags));
      std::shared_ptr<Stream> stream;
      GRIDSPAN_TRY(find_stream(state, handle, stream));
      std::unique_ptr<char[]> staged(new char[size]);
      std::memcpy(staged.get(), &value, size);  // the lower bytes come first
      const Pitched from{staged.get(), size, size};
      const Pitched to{static_cast<char*>(pointer(address)), 0, 0};
      submit<CopyCommand>(state, *stream, CopyCommand{to, from, {size}, std::move(staged)});
      return cudaSuccess;
    });
  });
}

CUresult check_operation(const char* caller, const CUstreamBatchMemOpParams& one) {
  switch (one.operation) {
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
    case CU_STREAM_MEM_OP_BARRIER:  // each operation is over before the next
      return CUDA_SUCCESS;
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return refuse_waiting(caller);
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return driver::refuse(caller, CUDA_ERROR_NOT_SUPPORTED, "no device writes by RDMA");
  }
  return driver::refuse(caller, CUDA_ERROR_INVALID_VALUE, "operation %d is unknown",
                        static_cast<int>(one.operation));
}

}  // namespace

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                              unsigned int flags) {
  return write(__func__, stream, address, value, sizeof value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                              unsigned int flags) {
  return write(__func__, stream, address, value, sizeof value, flags);
}

CUresult cuStreamWaitValue32(CUstream, CUdeviceptr, cuuint32_t, unsigned int) {
  return refuse_waiting(__func__);
}

CUresult cuStreamWaitValue64(CUstream, CUdeviceptr, cuuint64_t, unsigned int) {
  return refuse_waiting(__func__);
}

// All operations or, if one is refused, none.
CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count,
                            CUstreamBatchMemOpParams* operations, unsigned int flags) {
  if (!operations || count == 0 || count > 256 || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    if (const CUresult result = check_operation(__func__, operations[i])) return result;
  }
  for (unsigned i = 0; i < count; ++i) {
    const auto& one = operations[i].writeValue;
    CUresult result = CUDA_SUCCESS;
    if (one.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32) {
      result = cuStreamWriteValue32(stream, one.address, one.value, one.flags);
    } else if (one.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64) {
      result = cuStreamWriteValue64(stream, one.address, one.value64, one.flags);
    }
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}
