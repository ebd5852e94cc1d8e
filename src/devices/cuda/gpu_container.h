// What a module's container has for GPUs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/container.h"
#include "abi/module.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gridspan::devices::cuda {

/// None if it has no container.
std::span<const abi::ContainerEntry> container_entries(const abi::Module& module);

/// What is in a packed entry, which is never empty; nothing if it is damaged.
std::optional<std::string> unpack(const abi::Module& module, const abi::ContainerEntry& entry);

bool has_machine_code(const abi::Module& module, std::uint32_t capability);
/// The ELF file for the largest architecture whose code such a GPU runs (86: sm_86, else sm_80).
std::optional<std::string> machine_code_of(const abi::Module& module, std::uint32_t capability);

}  // namespace gridspan::devices::cuda
