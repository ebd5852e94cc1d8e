// Addresses, boxes, arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/replay_commands.h"

#include <string>
#include <vector>

namespace gridspan::runtime::record {

namespace {

abi::Dim dim(const Extents& note) { return {note.x, note.y, note.z}; }

}  // namespace

Pitched pitched(const SideNote& side) {
  return {reinterpret_cast<char*>(side.base), side.pitch, side.slice_pitch};
}

Extent extent(const BoxExtent& note) { return {note.width, note.height, note.depth}; }

support::Result<KernelCommand> command_of(const LaunchNote& note, const ReplayModules& modules) {
  const auto found = modules.find(note);
  if (!found) return support::fail(found.error().message);
  const abi::Kernel& kernel = *found->kernel;
  std::string bytes = note.arguments.bytes;
  std::vector<void*> values;
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter& parameter = kernel.parameters[i];
    if (parameter.offset + std::size_t{parameter.size} > bytes.size())
      return support::fail("a launch with too few arguments");
    values.push_back(bytes.data() + parameter.offset);
  }
  const LaunchShape shape{dim(note.grid), dim(note.block), note.shared_bytes};
  return KernelCommand(kernel, found->symbols, shape, values.data());
}

}  // namespace gridspan::runtime::record
