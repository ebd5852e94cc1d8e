// The driver API's names where a null stream is the calling thread's own default stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define cuMemAllocAsync cuMemAllocAsync_ptsz
#define cuMemFreeAsync cuMemFreeAsync_ptsz
#define cuMemcpy cuMemcpy_ptds
#define cuMemcpyAsync cuMemcpyAsync_ptsz
#define cuMemcpyHtoD cuMemcpyHtoD_ptds
#define cuMemcpyDtoH cuMemcpyDtoH_ptds
#define cuMemcpyDtoD cuMemcpyDtoD_ptds
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_ptsz
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_ptsz
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_ptsz
#define cuMemcpyPeer cuMemcpyPeer_ptds
#define cuMemcpy2D cuMemcpy2D_ptds
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_ptds
#define cuMemcpy2DAsync cuMemcpy2DAsync_ptsz
#define cuMemcpy3D cuMemcpy3D_ptds
#define cuMemcpy3DAsync cuMemcpy3DAsync_ptsz
#define cuMemsetD8 cuMemsetD8_ptds
#define cuMemsetD16 cuMemsetD16_ptds
#define cuMemsetD32 cuMemsetD32_ptds
#define cuMemsetD2D8 cuMemsetD2D8_ptds
#define cuMemsetD2D16 cuMemsetD2D16_ptds
#define cuMemsetD2D32 cuMemsetD2D32_ptds
#define cuMemsetD8Async cuMemsetD8Async_ptsz
#define cuMemsetD16Async cuMemsetD16Async_ptsz
#define cuMemsetD32Async cuMemsetD32Async_ptsz
#define cuStreamGetPriority cuStreamGetPriority_ptsz
#define cuStreamGetFlags cuStreamGetFlags_ptsz
#define cuStreamGetCtx cuStreamGetCtx_ptsz
#define cuStreamSynchronize cuStreamSynchronize_ptsz
#define cuStreamQuery cuStreamQuery_ptsz
#define cuStreamWaitEvent cuStreamWaitEvent_ptsz
#define cuStreamAddCallback cuStreamAddCallback_ptsz
#define cuLaunchHostFunc cuLaunchHostFunc_ptsz
#define cuEventRecord cuEventRecord_ptsz
#define cuLaunchKernel cuLaunchKernel_ptsz
#define cuLaunchCooperativeKernel cuLaunchCooperativeKernel_ptsz
#endif
