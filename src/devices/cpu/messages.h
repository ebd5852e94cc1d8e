// How the CPU device names kernels, threads and places in what it tells the user.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/launch.h"
#include "abi/module.h"
#include "devices/cpu/kernel_guard.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::devices::cpu {

/// `name(parameters)` as in the source where the name can be demangled.
std::string kernel_name(const abi::Kernel& kernel);
/// The CUDA spelling, e.g. `__shfl_down_sync`.
const char* sync_name(abi::SyncKind kind);
/// "0x7f..."
std::string hexadecimal(std::uintptr_t address);
/// `[x,y,z]`
std::string index_text(abi::Dim index);
/// `file:line:column`, or "" when unknown.
std::string place_text(const abi::SourcePoint* where);
/// The index of linear thread t.
abi::Dim thread_index(abi::Dim block, std::uint32_t t);
/// `file:line:col: error: ` or `error: `.
std::string message_prefix(const abi::SourcePoint* where, const char* severity);
/// `kernel 'name', block [x,y,z]`
std::string block_text(const abi::Kernel& kernel, abi::Dim block_index);

/// Where a thread that has not left the kernel waits.
struct Waiting {
  std::uint32_t thread;
  abi::SyncKind kind;
  const abi::SourcePoint* where;
};

/// The message about a block whose threads wait for each other. `waiting` is in thread order.
std::string deadlock_message(const abi::Kernel& kernel, const abi::BlockContext& block,
                             const std::vector<Waiting>& waiting);

/// The message about a fault. `last_sync` is the last sync point passed, or null.
std::string fault_message(const abi::Kernel& kernel, const abi::BlockContext& block,
                          const FaultRecord& record, const abi::SourcePoint* last_sync);

}  // namespace gridspan::devices::cpu
