// What all ways to launch a kernel have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/launch_request.h"
#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

namespace gridspan::runtime {

Status check_launch(Runtime& state, const LaunchRequest& request, CheckedLaunch& launch);

/// What has to happen before the kernel's command is put into the stream.
Status prepare_launch(Runtime& state, Stream& stream, Function& function);

}  // namespace gridspan::runtime
