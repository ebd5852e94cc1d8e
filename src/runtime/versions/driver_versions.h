// Functions of later versions of the driver API that our headers do not declare.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/driver/call.h"
#include "runtime/driver/entry_table.h"

#include <string_view>

#pragma GCC visibility push(default)
extern "C" {
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context);
CUresult cuCtxSynchronize_v2(CUcontext context);
CUresult cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext* context, CUgreenCtx* green);
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, int type);
CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, int type);
CUresult cuMemSetMemPool(CUmemLocation* location, int type, CUmemoryPool pool);
CUresult cuProfilerInitialize(const char* configuration, const char* output, int mode);
CUresult cuGetExportTable(const void** table, const CUuuid* id);
}
#pragma GCC visibility pop

namespace gridspan::runtime::driver {

/// One of these, if the name means it in that version of CUDA; else null.
Address later_function(std::string_view name, int version, bool per_thread);

}  // namespace gridspan::runtime::driver
