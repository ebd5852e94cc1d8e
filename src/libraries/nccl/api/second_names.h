// Each function's second name, which a tool that wraps the first one may call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define GRIDSPAN_SECOND_NAME(type, name, parameters, arguments) \
  type pnccl##name parameters { return nccl##name arguments; }
