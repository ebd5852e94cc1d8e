// Kernels that move bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/move_kernels.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace gridspan::runtime::fuse {

namespace {

constexpr std::uint64_t block_bytes = 32 << 10;
/// Arguments of both kernels: to, from or the byte, how many bytes.
constexpr std::uint32_t to_argument = 0, from_argument = 1, bytes_argument = 2;
constexpr std::uint32_t argument_count = 3;

template <class T>
const T& argument(const abi::LaunchContext& launch, std::uint32_t index) {
  return *static_cast<const T*>(launch.arguments[index]);
}

/// The stretch of the block: where it begins, and its length.
struct Stretch {
  explicit Stretch(const abi::BlockContext& block)
      : first(block.block_index.x * block_bytes),
        length(std::min(block_bytes,
                        argument<std::uint64_t>(*block.launch, bytes_argument) - first)) {}
  std::uint64_t first, length;
};

void copy_stretch(abi::BlockContext* block, std::uint32_t, std::uint32_t) {
  const Stretch stretch(*block);
  std::memcpy(argument<char*>(*block->launch, to_argument) + stretch.first,
              argument<const char*>(*block->launch, from_argument) + stretch.first, stretch.length);
}

void fill_stretch(abi::BlockContext* block, std::uint32_t, std::uint32_t) {
  const Stretch stretch(*block);
  std::memset(argument<char*>(*block->launch, to_argument) + stretch.first,
              static_cast<int>(argument<std::uint64_t>(*block->launch, from_argument)),
              stretch.length);
}

/// Bytes that the part's blocks have to themselves.
void footprint(const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
  const std::int64_t bytes = values[abi::first_scalar];
  const auto size = static_cast<std::int64_t>(block_bytes);
  const std::int64_t box[] = {part[0] * size, std::min((part[3] + 1) * size, bytes) - 1, 1};
  if (box[0] <= box[1]) sink->take(sink, box);
}

bool always(const std::int64_t*) { return true; }

constexpr abi::ModelSet set_of(abi::SetKind kind) {
  return {footprint, kind, abi::ReductionOp::none, 0, abi::set_exact_block | abi::set_exact_part, 0,
          nullptr,   {}};
}

constexpr abi::ModelArray array_of(const char* name, std::int32_t argument,
                                   const abi::ModelSet* set) {
  return {name, argument, 0, -1, 1, 1, 1, nullptr, set};
}

constexpr abi::ModelSet written_set = set_of(abi::SetKind::must_write),
                        read_set = set_of(abi::SetKind::read);
constexpr abi::ModelArray arrays[] = {array_of("to", to_argument, &written_set),
                                      array_of("from", from_argument, &read_set)};
constexpr abi::ModelScalar scalars[] = {{bytes_argument, 0, 8, 0}};

/// A fill has the first array only.
constexpr abi::KernelModel model_of(std::uint32_t array_count) {
  return {scalars,     arrays, nullptr, 1,
          array_count, 0,      0,       {{always, 1, 0}, {nullptr, 1, 0}, {nullptr, 1, 0}},
          0,           0};
}
constexpr abi::KernelModel copy_model = model_of(2), fill_model = model_of(1);

constexpr abi::Parameter parameters[argument_count] = {{8, 8, 0, 1}, {8, 8, 8, 1}, {8, 8, 16, 0}};
constexpr abi::Parameter fill_parameters[argument_count] = {
    {8, 8, 0, 1}, {8, 8, 8, 0}, {8, 8, 16, 0}};

constexpr abi::Region region_of(abi::RegionFunction run) { return {run, abi::exited, {}, {}}; }
constexpr abi::Region copy_region = region_of(copy_stretch), fill_region = region_of(fill_stretch);
constexpr abi::BlockForm form_of(abi::RegionFunction run) {
  return {run, nullptr, 0, {1, 1, 1}, 0, 0, 0, 0};
}
constexpr abi::BlockForm copy_form = form_of(copy_stretch), fill_form = form_of(fill_stretch);

constexpr abi::Kernel kernel_of(const char* name, const abi::Region& region,
                                const abi::BlockForm& form,
                                const abi::Parameter (&with)[argument_count],
                                const abi::KernelModel& model) {
  abi::Kernel kernel{};
  kernel.name = name;
  kernel.regions = &region;
  kernel.region_count = 1;
  kernel.forms = &form;
  kernel.form_count = 1;
  kernel.parameters = with;
  kernel.parameter_count = argument_count;
  kernel.model = &model;
  return kernel;
}
constexpr abi::Kernel copy_kernel =
    kernel_of("a copy inside the device", copy_region, copy_form, parameters, copy_model);
constexpr abi::Kernel fill_kernel =
    kernel_of("a fill", fill_region, fill_form, fill_parameters, fill_model);

/// Bytes that lie together; 0: they do not.
std::uint64_t bytes_together(const Pitched& memory, const Extent& extent) {
  if (extent.height > 1 && memory.pitch != extent.width) return 0;
  if (extent.depth > 1 && memory.slice_pitch != extent.width * extent.height) return 0;
  return extent.width * extent.height * extent.depth;
}

bool is_of_device(const char* memory, std::uint64_t bytes, const AllocationTable& allocations) {
  const Lookup found = allocations.find(memory);
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  return found.is_held() && !is_host_kind(found.allocation.kind) &&
         first + bytes <= found.allocation.end();
}

std::optional<KernelCommand> launch(const abi::Kernel& kernel, char* to, std::uint64_t from,
                                    std::uint64_t bytes) {
  const std::uint64_t blocks = (bytes + block_bytes - 1) / block_bytes;
  if (bytes == 0 || blocks > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  void* values[argument_count] = {&to, &from, &bytes};
  return KernelCommand(kernel, {}, {{static_cast<std::uint32_t>(blocks), 1, 1}, {1, 1, 1}, 0},
                       values);
}

}  // namespace

std::optional<KernelCommand> as_launch(const CopyCommand& copy,
                                       const AllocationTable& allocations) {
  const std::uint64_t bytes = bytes_together(copy.to, copy.extent);
  const char *to = copy.to.base, *from = copy.from.base;
  if (copy.staged || bytes != bytes_together(copy.from, copy.extent)) return std::nullopt;
  if (to < from + bytes && from < to + bytes) return std::nullopt;
  if (!is_of_device(to, bytes, allocations) || !is_of_device(from, bytes, allocations))
    return std::nullopt;
  return launch(copy_kernel, copy.to.base, reinterpret_cast<std::uintptr_t>(from), bytes);
}

std::optional<KernelCommand> as_launch(const FillCommand& fill,
                                       const AllocationTable& allocations) {
  const std::uint64_t bytes = bytes_together(fill.to, fill.extent);
  if (!is_of_device(fill.to.base, bytes, allocations)) return std::nullopt;
  return launch(fill_kernel, fill.to.base, fill.value, bytes);
}

std::optional<KernelCommand> as_launch(const Command& command, const AllocationTable& allocations) {
  if (const auto* copy = std::get_if<CopyCommand>(&command)) return as_launch(*copy, allocations);
  if (const auto* fill = std::get_if<FillCommand>(&command)) return as_launch(*fill, allocations);
  return std::nullopt;
}

std::optional<std::uint64_t> moved_bytes(const KernelCommand& launch) {
  if (launch.kernel != &copy_kernel && launch.kernel != &fill_kernel) return std::nullopt;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, launch.arguments.bytes() + parameters[bytes_argument].offset, sizeof bytes);
  return bytes;
}

}  // namespace gridspan::runtime::fuse
