// The CUDA runtime API as C functions; C and C++ sources outside CUDA mode may include it too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libgridspan defines every function that is declared here; docs/api-coverage.md lists the others.
#pragma once

// Programs ask by this name whether the header has been included.
#define __CUDA_RUNTIME_API_H__

#define CUDART_VERSION 12050
#define __CUDART_API_VERSION CUDART_VERSION

#include "builtin_types.h"
#include "crt/host_defines.h"

#if defined(__cplusplus)
#define GRIDSPAN_DEFAULT(value) = value
extern "C" {
#else
#define GRIDSPAN_DEFAULT(value)
#endif

#include "gridspan/per_thread_stream.h"

#include "gridspan/api_device.h"
#include "gridspan/api_external_memory.h"
#include "gridspan/api_graph.h"
#include "gridspan/api_graphics.h"
#include "gridspan/api_launch.h"
#include "gridspan/api_memory.h"
#include "gridspan/api_stream.h"
#include "gridspan/api_texture.h"
#include "gridspan/api_value_names.h"

#if defined(__cplusplus)
}
#endif
