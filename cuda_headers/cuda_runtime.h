// The CUDA language and runtime API. gridcc includes it before every .cu file, as nvcc does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order matters. clang's overlay of the C++ library wants its __device__ overloads declared
// before <cmath> and `__device__` defined before <new>; the built-in vector types come before the
// device functions that take them.
#pragma once

// Programs ask by this name whether the header has been included.
#define __CUDA_RUNTIME_H__

// Kernels launch kernels by their names only; CUB and Thrust launch through pointers.
#define CUB_DISABLE_CDP

// CUB and Thrust take numbers of 6 and 4 bits from wherever they find a header for them.
#define CCCL_DISABLE_NVFP6_SUPPORT

#include "crt/host_defines.h"

#if defined(__CUDACC__)
#include "gridspan/standard_library.h"
#endif

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "device_types.h"
#include "library_types.h"
#include "vector_functions.h"

#if defined(__CUDACC__)
#include "gridspan/builtin_variables.h"
#include "gridspan/class_of.h"
#include "gridspan/device_address.h"
#include "gridspan/device_arithmetic.h"
#include "gridspan/device_atomic.h"
#include "gridspan/device_cluster.h"
#include "gridspan/device_conversion.h"
#include "gridspan/device_dpx.h"
#include "gridspan/device_integer.h"
#include "gridspan/device_launch.h"
#include "gridspan/device_load_store.h"
#include "gridspan/device_math.h"
#include "gridspan/device_old_names.h"
#include "gridspan/device_pairs.h"
#include "gridspan/device_runtime.h"
#include "gridspan/device_simd.h"
#include "gridspan/device_surface.h"
#include "gridspan/device_sync.h"
#include "gridspan/device_texture.h"
#include "gridspan/device_warp.h"
#include "gridspan/host_math.h"
#include "gridspan/lambda_traits.h"
#include "gridspan/void_pointers.h"
#endif

#if defined(__cplusplus)
#include "gridspan/api_templates.h"
#include "gridspan/texture_templates.h"
#endif
