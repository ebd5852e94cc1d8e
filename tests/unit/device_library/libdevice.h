// Declarations of every __nv_* function, for calling the device library from a host test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __DEVICE__
#include <__clang_cuda_libdevice_declares.h>
#undef __DEVICE__
