/* Containers of device code for several architectures, made at run time: the declarations.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Gridspan has no such library: programs that call these functions do not link. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVFATBIN_SUCCESS = 0,
  NVFATBIN_ERROR_INTERNAL,
  NVFATBIN_ERROR_ELF_ARCH_MISMATCH,
  NVFATBIN_ERROR_ELF_SIZE_MISMATCH,
  NVFATBIN_ERROR_MISSING_PTX_VERSION,
  NVFATBIN_ERROR_NULL_POINTER,
  NVFATBIN_ERROR_COMPRESSION_FAILED,
  NVFATBIN_ERROR_COMPRESSED_SIZE_EXCEEDED,
  NVFATBIN_ERROR_UNRECOGNIZED_OPTION,
  NVFATBIN_ERROR_INVALID_ARCH,
  NVFATBIN_ERROR_INVALID_NVVM,
  NVFATBIN_ERROR_EMPTY_INPUT,
  NVFATBIN_ERROR_MISSING_PTX_ARCH,
  NVFATBIN_ERROR_PTX_ARCH_MISMATCH,
  NVFATBIN_ERROR_MISSING_FATBIN,
  NVFATBIN_ERROR_INVALID_INDEX,
  NVFATBIN_ERROR_IDENTIFIER_REUSE
} nvFatbinResult;

typedef struct _nvFatbinHandle* nvFatbinHandle;

const char* nvFatbinGetErrorString(nvFatbinResult result);
nvFatbinResult nvFatbinVersion(unsigned int* major, unsigned int* minor);
nvFatbinResult nvFatbinCreate(nvFatbinHandle* handle, const char** options, size_t count);
nvFatbinResult nvFatbinDestroy(nvFatbinHandle* handle);
nvFatbinResult nvFatbinAddPTX(nvFatbinHandle handle, const char* code, size_t size,
                              const char* architecture, const char* identifier,
                              const char* options);
nvFatbinResult nvFatbinAddCubin(nvFatbinHandle handle, const void* code, size_t size,
                                const char* architecture, const char* identifier);
nvFatbinResult nvFatbinAddLTOIR(nvFatbinHandle handle, const void* code, size_t size,
                                const char* architecture, const char* identifier,
                                const char* options);
nvFatbinResult nvFatbinAddReloc(nvFatbinHandle handle, const void* code, size_t size);
nvFatbinResult nvFatbinAddIndex(nvFatbinHandle handle, const void* code, size_t size,
                                const char* identifier);
nvFatbinResult nvFatbinSize(nvFatbinHandle handle, size_t* size);
nvFatbinResult nvFatbinGet(nvFatbinHandle handle, void* buffer);

#ifdef __cplusplus
}
#endif
