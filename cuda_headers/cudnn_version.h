// The version of cuDNN whose functions cudnn.h declares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUDNN_MAJOR 8
#define CUDNN_MINOR 9
#define CUDNN_PATCHLEVEL 7
#define CUDNN_VERSION (CUDNN_MAJOR * 1000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)
