// What saxpy.cu gives to C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Runs saxpy on n numbers; how many came out right, or -1 after an error.
int count_right(int n);
