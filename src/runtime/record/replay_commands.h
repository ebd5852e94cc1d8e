// Commands of their notes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/log_records.h"
#include "runtime/record/replay_modules.h"
#include "runtime/schedule/command.h"
#include "support/result.h"

namespace gridspan::runtime::record {

Pitched pitched(const SideNote& side);
Extent extent(const BoxExtent& note);

/// The launch, with the kernel that this program has. The error says what makes no sense.
support::Result<KernelCommand> command_of(const LaunchNote& note, const ReplayModules& modules);

}  // namespace gridspan::runtime::record
