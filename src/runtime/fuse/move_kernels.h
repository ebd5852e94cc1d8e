// Copies and fills inside the device as kernels, so that groups of launches can have them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block moves a stretch of bytes; the models are written by hand. They run on CPUs only.
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/command.h"

#include <optional>

namespace gridspan::runtime::fuse {

/// The launch that does what the command does. Nothing: rows that do not lie together, memory that
/// is not the device's alone, ends that overlap, or no such command.
std::optional<KernelCommand> as_launch(const CopyCommand& copy, const AllocationTable& allocations);
std::optional<KernelCommand> as_launch(const FillCommand& fill, const AllocationTable& allocations);
std::optional<KernelCommand> as_launch(const Command& command, const AllocationTable& allocations);

/// Bytes that a launch of these kernels moves; nothing: it is one of the program's.
std::optional<std::uint64_t> moved_bytes(const KernelCommand& launch);

}  // namespace gridspan::runtime::fuse
