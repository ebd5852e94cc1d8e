// Kernels and copies go to the current line's stream, or into the graph that is made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/cuda_queue.h"

#include "devices/cuda/child_records.h"
#include "devices/cuda/fake_hooks.h"
#include "devices/cuda/kernel_limits.h"
#include "devices/cuda/managed_memory.h"
#include "devices/cuda/neighbours.h"
#include "devices/cuda/ptx.h"
#include "devices/device.h"
#include "support/log.h"
#include "support/readable_name.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gridspan::devices::cuda {
namespace {

bool is_whole(const abi::LaunchContext& launch) {
  const auto& [first, count, grid] = std::tie(launch.first_block, launch.block_count, launch.grid);
  return first.x == 0 && first.y == 0 && first.z == 0 && count.x == grid.x && count.y == grid.y &&
         count.z == grid.z;
}

std::string name_of(const abi::Kernel& kernel) {
  return "kernel '" + support::readable_name(kernel.name) + "': ";
}

}  // namespace

RunResult CudaQueue::run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) {
  if (RunResult begun = begin_part(kernel, launch); begun.fault != Fault::none) return begun;
  return finish(mark(Marking::loose));
}

RunResult CudaQueue::begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) {
  const abi::Dim& count = launch.block_count;
  if (count.x == 0 || count.y == 0 || count.z == 0) return {};
  const auto found = table.find(*kernel.module);
  if (!found) return {Fault::trap, "error: " + name_of(kernel) + found.error().message};
  KernelCode& entries = (*found)->kernel(kernel);
  const bool whole = is_whole(launch);
  if (const auto parts = whole ? support::Result<void>() : (*found)->want_parts(); !parts)
    return {Fault::trap, "error: " + name_of(kernel) + parts.error().message};
  EntryPoint& entry = whole ? entries.whole : entries.part;
  if (!entry.function) return {Fault::trap, "error: " + code.refusal(kernel, whole)};
  if (const Result error = place_managed(**found, launch); error != success)
    return suspects.blame(api().fault(error, "cuMemcpyAsync"));
  note(kernel);
  if (abi::launches_kernels(kernel))
    return suspects.blame(begin_family(kernel, launch, **found, 0));
  return suspects.blame(launch_entry(kernel, launch, entry, !whole));
}

RunResult CudaQueue::begin_packed(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                                  std::span<const PackedArray> arrays) {
  const auto found = table.find(*kernel.module);
  if (!found) return {Fault::trap, "error: " + name_of(kernel) + found.error().message};
  if (const Result error = place_managed(**found, launch); error != success)
    return suspects.blame(api().fault(error, "cuMemcpyAsync"));
  note(kernel);
  const std::vector<PackedPlace> places = places_of(kernel, arrays);
  const Packing packing(arrays);
  return suspects.blame(
      launch_entry(kernel, launch, (*found)->kernel(kernel).packed, true, places.data()));
}

RunResult CudaQueue::copy_one(const BoxMove& move) {
  const auto& [to, from, extent] = move;
  if (extent.is_empty()) return {};
  const Neighbour *target = neighbours().holder(to.base), *source = neighbours().holder(from.base);
  const bool is_of_host =
      !target && !source && !ManagedMemory::holds(to.base) && !ManagedMemory::holds(from.base);
  if (is_of_host || is_elsewhere(target, gpu) || is_far(source, gpu)) {
    // Not by this GPU.
    if (RunResult before = finish_line(); before.fault != Fault::none) return before;
    return memory.copy(to, from, extent);
  }
  return suspects.blame(copier.begin_copy(stream(), to, from, extent, !graphs_.stream()));
}

RunResult CudaQueue::begin_copies(std::span<const BoxMove> moves) {
  if (moves.empty()) return {};
  if (moves.size() > 1) {
    const Neighbour* const source = neighbours().holder(moves.front().from.base);
    if (is_far(source, gpu) && is_own(neighbours().holder(moves.front().to.base), gpu)) {
      if (RunResult before = finish_line(); before.fault != Fault::none) return before;
      return staged.copy_all(source->gpu, moves);
    }
  }
  for (const BoxMove& move : moves) {
    RunResult result = copy_one(move);
    if (result.fault != Fault::none) return result;
  }
  return {};
}

RunResult CudaQueue::begin_fill(const Pitched& to, const Extent& extent, unsigned char value) {
  if (extent.is_empty()) return {};
  if (neighbours().holder(to.base) || ManagedMemory::holds(to.base))
    return suspects.blame(copier.begin_fill(stream(), to, extent, value));
  if (RunResult before = finish_line(); before.fault != Fault::none) return before;
  return memory.fill(to, extent, value);
}

std::unique_ptr<WorkGraph> CudaQueue::make(std::span<const GraphStep> steps) {
  return graphs_.make(steps, table.generation());
}

bool CudaQueue::is_current(const WorkGraph& graph) const {
  return static_cast<const DriverGraph&>(graph).modules == table.generation();
}

RunResult CudaQueue::begin(WorkGraph& graph) {
  const auto& made = static_cast<DriverGraph&>(graph);
  if (const Result error = gpu.make_current(); error != success)
    return api().fault(error, "cuCtxSetCurrent");
  for (const abi::Kernel* kernel : made.kernels) suspects.add(*kernel);
  return suspects.blame(
      api().launch_fault(api().cuGraphLaunch(made.executable, line().stream()), "cuGraphLaunch"));
}

RunResult CudaQueue::begin(void (*function)(void*, bool), void* data) {
  struct Call {
    void (*function)(void*, bool);
    void* data;
  };
  auto call = std::make_unique<Call>(function, data);
  const auto run = [](Stream, Result status, void* kept) {
    const std::unique_ptr<Call> one(static_cast<Call*>(kept));
    one->function(one->data, status != success);
  };
  if (const Result error = gpu.make_current(); error != success)
    return api().fault(error, "cuCtxSetCurrent");
  const Result error = api().cuStreamAddCallback(line().stream(), run, call.get(), 0);
  if (error != success) return suspects.blame(api().fault(error, "cuStreamAddCallback"));
  call.release();  // NOLINT(bugprone-unused-return-value): it deletes itself
  return {};
}

RunResult CudaQueue::begin_after(Device& other, Mark mark) {
  const Neighbour* const neighbour = neighbours().find(other.id());
  return neighbour ? line().begin_after(neighbour->timeline(mark), mark)
                   : other.queue().finish(mark);
}

RunResult CudaQueue::set_limit(Limit which, std::size_t value) {
  if (which == Limit::pending_launches) {
    children_.set_limit(value);
    return {};
  }
  if (const Result error = gpu.make_current(); error != success)
    return api().fault(error, "cuCtxSetCurrent");
  return api().fault(api().cuCtxSetLimit(static_cast<ContextLimit>(which), value), "cuCtxSetLimit");
}

std::optional<std::size_t> CudaQueue::limit(Limit which) {
  if (which == Limit::pending_launches) return children_.limit();
  std::size_t value = 0;
  if (gpu.make_current() != success ||
      api().cuCtxGetLimit(&value, static_cast<ContextLimit>(which)) != success)
    return std::nullopt;
  return value;
}

void CudaQueue::note(const abi::Kernel& kernel) {
  if (graphs_.stream())
    graphs_.add(kernel);
  else
    suspects.add(kernel);
}

/// Before what the GPU does not do itself, which can't be in a graph.
RunResult CudaQueue::finish_line() {
  if (graphs_.stream()) return {Fault::misuse, "error: a graph has work that is not the GPU's"};
  return finish(mark(Marking::loose));
}

/// The GPU is the thread's from here on.
Result CudaQueue::place_managed(ModuleCode& module, const abi::LaunchContext& launch) const {
  const Result error = gpu.make_current();
  return error == success ? module.place_managed(launch.symbols, line().stream()) : error;
}

/// A kernel that launches kernels, and all of these. The host begins them, so it has to wait until
/// the list of them is written; those that launch none themselves are only begun.
RunResult CudaQueue::begin_family(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                                  ModuleCode& module, unsigned depth) {
  if (graphs_.stream())
    return {Fault::misuse, "error: a graph has " + name_of(kernel) + "it launches kernels"};
  if (RunResult made = children_.prepare(module, depth, stream()); made.fault != Fault::none)
    return made;
  EntryPoint& entry = module.kernel(kernel).whole;
  if (RunResult begun = launch_entry(kernel, launch, entry, false); begun.fault != Fault::none) {
    // A kernel on another stream may be the next to use the list.
    api().cuStreamSynchronize(stream());
    return begun;
  }
  ChildList::Records records;
  if (RunResult read = children_.read(stream(), records); read.fault != Fault::none) return read;
  if (records.refused != 0)
    support::log(support::LogLevel::warn,
                 "%s%u launches found no room in the list (cudaLimitDevRuntimePendingLaunchCount)",
                 name_of(kernel).c_str(), records.refused);
  const auto children = in_order(records.bytes);
  if (!children) return {Fault::trap, "error: " + name_of(kernel) + children.error().message};
  for (const abi::ChildRecord* child : *children) {
    RunResult begun = begin_child(*child, launch.symbols, module, depth + 1);
    if (begun.fault == Fault::none) continue;
    begun.passes = false;  // its parent has run
    return begun;
  }
  return {};
}

RunResult CudaQueue::begin_child(const abi::ChildRecord& record, void* const* symbols,
                                 ModuleCode& module, unsigned depth) {
  if (record.kind == abi::ChildKind::launch)
    return begin_child_launch(record, symbols, module, depth);
  const auto& [to, what, bytes] = record.operands;
  if (bytes == 0) return {};
  if (const FunctionHandle mover = module.mover(record.kind)) {
    constexpr unsigned threads = 256, most_blocks = 4096;
    constexpr std::size_t block_bytes = std::size_t{threads} * 16;
    const auto blocks = static_cast<unsigned>(
        std::min<std::size_t>((bytes + block_bytes - 1) / block_bytes, most_blocks));
    const void* parameters[] = {&to, &what, &bytes};
    return api().launch_fault(api().cuLaunchKernel(mover, blocks, 1, 1, threads, 1, 1, 0, stream(),
                                                   const_cast<void**>(parameters), nullptr),
                              "cuLaunchKernel");
  }
  // The fake driver runs no code but the program's.
  if (record.kind == abi::ChildKind::copy)
    return api().fault(api().cuMemcpyAsync(to, what, bytes, stream()), "cuMemcpyAsync");
  return api().fault(api().cuMemsetD8Async(to, static_cast<unsigned char>(what), bytes, stream()),
                     "cuMemsetD8Async");
}

RunResult CudaQueue::begin_child_launch(const abi::ChildRecord& record, void* const* symbols,
                                        ModuleCode& module, unsigned depth) {
  const abi::Kernel* const kernel = module.find_kernel(record.operands[0]);
  if (!kernel) return {Fault::trap, "error: a kernel launches one that its module does not have"};
  EntryPoint& entry = module.kernel(*kernel).whole;
  if (!entry.function) return {Fault::trap, "error: " + code.refusal(*kernel, true)};
  const auto arguments = arguments_of(record, *kernel);
  if (!arguments) return {Fault::trap, "error: " + name_of(*kernel) + arguments.error().message};
  const auto& [x, y, z] = record.grid;
  const abi::LaunchContext launch{.version = abi::version,
                                  .dynamic_shared = record.shared_bytes,
                                  .grid = {x, y, z},
                                  .block = {record.block[0], record.block[1], record.block[2]},
                                  .first_block = {0, 0, 0},
                                  .block_count = {x, y, z},
                                  .arguments = arguments->data(),
                                  .symbols = symbols,
                                  .arrays = nullptr,
                                  .scratch = nullptr,
                                  .distinct_arguments = false,
                                  .small_arguments = false};
  note(*kernel);
  return abi::launches_kernels(*kernel) ? begin_family(*kernel, launch, module, depth)
                                        : launch_entry(*kernel, launch, entry, false);
}

RunResult CudaQueue::launch_entry(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                                  EntryPoint& entry, bool is_part, const PackedPlace* places) {
  const auto& [first, grid, count, block] =
      std::tie(launch.first_block, launch.grid, launch.block_count, launch.block);
  PartOfGrid part{{first.x, first.y, first.z}, 0, {grid.x, grid.y, grid.z}, 0};
  auto** parameters = const_cast<void**>(launch.arguments);
  if (is_part) {
    parameters_.assign(parameters, parameters + kernel.parameter_count);
    parameters_.push_back(&part);
    if (places) parameters_.push_back(const_cast<PackedPlace*>(places));
    parameters = parameters_.data();
  }
  if (const Result error = allow_shared(gpu, kernel, entry, launch.dynamic_shared);
      error != success)
    return api().launch_fault(error, "cuFuncSetAttribute");
  if ((kernel.flags & abi::kernel_has_grid_sync) != 0) {
    const Result error =
        api().cuLaunchCooperativeKernel(entry.function, count.x, count.y, count.z, block.x, block.y,
                                        block.z, launch.dynamic_shared, stream(), parameters);
    // A grid that is too large was not launched to wait for all of itself: that is checked.
    if (error != error_cooperative_launch_too_large)
      return api().launch_fault(error, "cuLaunchCooperativeKernel");
  }
  return api().launch_fault(
      api().cuLaunchKernel(entry.function, count.x, count.y, count.z, block.x, block.y, block.z,
                           launch.dynamic_shared, stream(), parameters, nullptr),
      "cuLaunchKernel");
}

}  // namespace gridspan::devices::cuda
