// Interface of the library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
void scale_on_device(float* device, int n);
