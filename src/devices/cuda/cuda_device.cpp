// A GPU, or a share of one, as a device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/cuda_device.h"

#include "devices/cuda/box_copier.h"
#include "devices/cuda/code_table.h"
#include "devices/cuda/fake_hooks.h"
#include "devices/cuda/gpu_context.h"
#include "devices/cuda/gpu_memory.h"
#include "devices/cuda/graph_maker.h"
#include "devices/cuda/kernel_limits.h"
#include "devices/cuda/lines.h"
#include "devices/cuda/managed_memory.h"
#include "devices/cuda/neighbours.h"
#include "devices/cuda/packed_places.h"
#include "devices/cuda/peers.h"
#include "devices/cuda/ptx.h"
#include "devices/cuda/staged_copier.h"
#include "devices/cuda/suspects.h"
#include "support/readable_name.h"

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace gridspan::devices::cuda {
namespace {

/// Ranges that other processes, or pages of the host, could have begin at pages.
constexpr std::size_t block_alignment = 256, range_alignment = 4096;

bool is_whole(const abi::LaunchContext& launch) {
  const auto& [first, count, grid] = std::tie(launch.first_block, launch.block_count, launch.grid);
  return first.x == 0 && first.y == 0 && first.z == 0 && count.x == grid.x && count.y == grid.y &&
         count.z == grid.z;
}

class CudaDevice final : public Device {
 public:
  CudaDevice(const Share& share, const GpuContext& gpu, Stream compute, Stream copies)
      : facts_(share.facts),
        gpu_(gpu),
        suspects_(suspects_on(gpu_.gpu)),
        lines_(gpu_, suspects_, compute),
        memory_(gpu_, facts_.memory_bytes),
        code_(gpu_, facts_.capability),
        copier_(gpu_, copies) {
    neighbours().add({.id = CudaDevice::id(),
                      .device = this,
                      .gpu = gpu_,
                      .holds = [this](const void* address) { return holds(address); },
                      .timeline = [this](Mark mark) -> Timeline& { return lines_.of(mark); }});
  }
  ~CudaDevice() override { neighbours().remove(CudaDevice::id()); }

  const DeviceFacts& facts() const override { return facts_; }
  void* allocate(std::size_t size) override { return memory_.take(size, block_alignment); }
  void free(void* memory) override { memory_.give_back(memory); }
  std::uint64_t free_bytes() override { return memory_.free_bytes(); }
  void* reserve(std::size_t size) override { return memory_.reserve(size, range_alignment); }
  void release(void* memory, std::size_t) override { memory_.give_back(memory); }
  void discard(void* memory, std::size_t size) override { memory_.discard(memory, size); }
  std::size_t memory_unit(std::size_t size) const override { return memory_.unit(size); }
  std::size_t commit(void* memory, std::size_t size) override {
    return memory_.commit(memory, size);
  }
  bool protect(bool) override { return false; }
  void adopt_thread() override { gpu_.make_current(); }

  RunResult set_limit(Limit which, std::size_t value) override {
    if (const Result error = gpu_.make_current(); error != success)
      return api().fault(error, "cuCtxSetCurrent");
    return api().fault(api().cuCtxSetLimit(static_cast<ContextLimit>(which), value),
                       "cuCtxSetLimit");
  }
  std::optional<std::size_t> limit(Limit which) override {
    std::size_t value = 0;
    if (gpu_.make_current() != success ||
        api().cuCtxGetLimit(&value, static_cast<ContextLimit>(which)) != success)
      return std::nullopt;
    return value;
  }

  RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent) override {
    if (extent.is_empty()) return {};
    const Neighbour *target = neighbours().holder(to.base),
                    *source = neighbours().holder(from.base);
    if (!target && !source) {
      copy_box(to, from, extent);
      return {};
    }
    if (is_elsewhere(target)) return target->device->copy(to, from, extent);
    if (is_far(source)) return staged_.copy(source->gpu, to, from, extent);
    const BoxMove move{to, from, extent};
    return copier_.copy({&move, 1});
  }
  RunResult copy_all(std::span<const BoxMove> moves) override {
    if (moves.empty()) return {};
    const Neighbour *target = neighbours().holder(moves.front().to.base),
                    *source = neighbours().holder(moves.front().from.base);
    const bool is_with_host = (target && !source) || (source && !target);
    if (!is_with_host || is_elsewhere(target) || is_elsewhere(source))
      return Device::copy_all(moves);
    return copier_.copy(moves);
  }

  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    if (extent.is_empty()) return {};
    if (neighbours().holder(to.base)) return copier_.fill(to, extent, value);
    fill_box(to, extent, value);
    return {};
  }

  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    if (RunResult begun = begin_part(kernel, launch); begun.fault != Fault::none) return begun;
    return finish(mark(Marking::loose));
  }

  bool only_begins() const override { return true; }
  void use_line(unsigned line) override { lines_.use(line); }
  RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    const abi::Dim& count = launch.block_count;
    if (count.x == 0 || count.y == 0 || count.z == 0) return {};
    const auto code = code_.find(*kernel.module);
    if (!code) return {Fault::trap, "error: " + name_of(kernel) + code.error().message};
    KernelCode& entries = (*code)->kernel(kernel);
    const bool whole = is_whole(launch);
    EntryPoint& entry = whole ? entries.whole : entries.part;
    if (!entry.function) return {Fault::trap, "error: " + refusal(kernel, whole)};
    if (const Result error = place_managed(**code, launch); error != success)
      return suspects_.blame(api().fault(error, "cuMemcpyAsync"));
    note(kernel);
    return suspects_.blame(begin(kernel, launch, entry, !whole));
  }
  RunResult begin_packed(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                         std::span<const PackedArray> arrays) override {
    const auto code = code_.find(*kernel.module);
    if (!code) return {Fault::trap, "error: " + name_of(kernel) + code.error().message};
    if (const Result error = place_managed(**code, launch); error != success)
      return suspects_.blame(api().fault(error, "cuMemcpyAsync"));
    note(kernel);
    const std::vector<PackedPlace> places = places_of(kernel, arrays);
    const Packing packing(arrays);
    return suspects_.blame(
        begin(kernel, launch, (*code)->kernel(kernel).packed, true, places.data()));
  }
  RunResult begin_copy(const Pitched& to, const Pitched& from, const Extent& extent) override {
    if (extent.is_empty()) return {};
    const Neighbour *target = neighbours().holder(to.base),
                    *source = neighbours().holder(from.base);
    const bool is_of_host =
        !target && !source && !managed_.holds(to.base) && !managed_.holds(from.base);
    if (is_of_host || is_elsewhere(target) || is_far(source)) {
      // Not by this GPU.
      if (RunResult before = finish_line(); before.fault != Fault::none) return before;
      return copy(to, from, extent);
    }
    return suspects_.blame(copier_.begin_copy(stream(), to, from, extent));
  }
  RunResult begin_copies(std::span<const BoxMove> moves) override {
    if (moves.empty()) return {};
    const Neighbour* const source = neighbours().holder(moves.front().from.base);
    if (is_far(source) && is_own(neighbours().holder(moves.front().to.base))) {
      if (RunResult before = finish_line(); before.fault != Fault::none) return before;
      return staged_.copy_all(source->gpu, moves);
    }
    return Device::begin_copies(moves);
  }
  RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    if (extent.is_empty()) return {};
    if (neighbours().holder(to.base) || managed_.holds(to.base))
      return suspects_.blame(copier_.begin_fill(stream(), to, extent, value));
    if (RunResult before = finish_line(); before.fault != Fault::none) return before;
    return fill(to, extent, value);
  }
  std::unique_ptr<WorkGraph> make_graph(std::span<const GraphStep> steps) override {
    return graphs_.make(steps, code_.generation());
  }
  bool is_current(const WorkGraph& graph) const override {
    return static_cast<const DriverGraph&>(graph).modules == code_.generation();
  }
  RunResult begin_graph(WorkGraph& graph) override {
    const auto& made = static_cast<DriverGraph&>(graph);
    if (const Result error = gpu_.make_current(); error != success)
      return api().fault(error, "cuCtxSetCurrent");
    for (const abi::Kernel* kernel : made.kernels) suspects_.add(*kernel);
    return suspects_.blame(
        api().launch_fault(api().cuGraphLaunch(made.executable, line().stream()), "cuGraphLaunch"));
  }
  bool calls_host() const override { return true; }
  RunResult begin_call(void (*function)(void*, bool), void* data) override {
    struct Call {
      void (*function)(void*, bool);
      void* data;
    };
    auto call = std::make_unique<Call>(function, data);
    const auto run = [](Stream, Result status, void* kept) {
      const std::unique_ptr<Call> one(static_cast<Call*>(kept));
      one->function(one->data, status != success);
    };
    if (const Result error = gpu_.make_current(); error != success)
      return api().fault(error, "cuCtxSetCurrent");
    const Result error = api().cuStreamAddCallback(line().stream(), run, call.get(), 0);
    if (error != success) return suspects_.blame(api().fault(error, "cuStreamAddCallback"));
    call.release();
    return {};
  }
  RunResult begin_after(Device& other, Mark mark) override {
    const Neighbour* const neighbour = neighbours().find(other.id());
    return neighbour ? line().begin_after(neighbour->timeline(mark), mark) : other.finish(mark);
  }
  Mark mark(Marking how) override { return line().mark(how); }
  Mark mark_time() override { return line().mark_time(); }
  std::int64_t time_of(Mark mark) override { return lines_.of(mark).time_of(mark); }
  bool is_done(Mark mark) override { return lines_.of(mark).is_done(mark); }
  RunResult finish(Mark mark) override { return suspects_.blame(lines_.of(mark).finish(mark)); }

  std::string refusal(const abi::Kernel& kernel, bool whole) override {
    const auto code = code_.find(*kernel.module);
    if (!code) return code.error().message;
    const KernelCode& entries = (*code)->kernel(kernel);
    if (!entries.whole.function) {
      return "it has no code for GPUs; gridspan explain says why";
    }
    if (whole || entries.part.function) return {};
    return "it has no code for GPUs that runs a part of a grid; gridspan explain says why";
  }
  std::uint32_t most_threads(const abi::Kernel& kernel, bool whole) override {
    const auto code = code_.find(*kernel.module);
    if (!code) return abi::max_block_threads;
    KernelCode& entries = (*code)->kernel(kernel);
    return cuda::most_threads(gpu_, whole ? entries.whole : entries.part);
  }
  std::optional<KernelNeeds> needs(const abi::Kernel& kernel) override {
    const auto code = code_.find(*kernel.module);
    if (!code) return std::nullopt;
    return needs_of(gpu_, (*code)->kernel(kernel).whole);
  }
  std::uint32_t resident_blocks(const abi::Kernel& kernel, std::uint32_t threads,
                                std::size_t dynamic_shared) override {
    const auto code = code_.find(*kernel.module);
    if (!code) return Device::resident_blocks(kernel, threads, dynamic_shared);
    EntryPoint& entry = (*code)->kernel(kernel).whole;
    return cuda::resident_blocks(gpu_, kernel, entry, threads, dynamic_shared);
  }
  bool runs_packed(const abi::Kernel& kernel, std::uint32_t threads) override {
    const auto code = code_.find(*kernel.module);
    if (!code) return false;
    EntryPoint& entry = (*code)->kernel(kernel).packed;
    return entry.function && threads <= cuda::most_threads(gpu_, entry);
  }
  void* variable(const abi::Module& module, std::uint32_t index) override {
    const auto code = code_.find(module);
    return code ? reinterpret_cast<void*>((*code)->variable(index).address) : nullptr;
  }
  void forget(const abi::Module& module) override {
    suspects_.forget(module);
    code_.forget(module);
  }

  void* allocate_host(std::size_t size) override {
    void* memory = nullptr;
    if (gpu_.make_current() != success) return nullptr;
    return api().cuMemHostAlloc(&memory, size, host_portable | host_mapped) == success ? memory
                                                                                       : nullptr;
  }
  void free_host(void* memory) override {
    if (gpu_.make_current() == success) api().cuMemFreeHost(memory);
  }
  void* allocate_managed(std::size_t size) override { return managed_.take(size); }
  void free_managed(void* memory) override { managed_.give_back(memory); }
  void begin_prefetch(void* memory, std::size_t size, bool to_host) override {
    managed_.prefetch(memory, size, to_host, line().stream());
  }
  void advise(void* memory, std::size_t size, int advice, bool of_host) override {
    managed_.advise(memory, size, advice, of_host);
  }
  bool register_host(void* memory, std::size_t size) override {
    int same_address = 0;
    return gpu_.make_current() == success &&
           api().cuDeviceGetAttribute(&same_address, GpuAttribute::host_pointer_for_registered,
                                      gpu_.gpu) == success &&
           same_address != 0 &&
           api().cuMemHostRegister(memory, size, host_portable | host_mapped) == success;
  }
  void unregister_host(void* memory) override {
    if (gpu_.make_current() == success) api().cuMemHostUnregister(memory);
  }

 private:
  const Driver& api() const { return gpu_.driver; }
  Timeline& line() const { return lines_.current(); }
  /// Where kernels, copies and fills are begun now.
  Stream stream() const { return graphs_.stream() ? graphs_.stream() : line().stream(); }
  void note(const abi::Kernel& kernel) {
    if (graphs_.stream())
      graphs_.add(kernel);
    else
      suspects_.add(kernel);
  }
  /// Before what the GPU does not do itself, which can't be in a graph.
  RunResult finish_line() {
    if (graphs_.stream()) return {Fault::misuse, "error: a graph has work that is not the GPU's"};
    return finish(mark(Marking::loose));
  }
  bool holds(const void* address) const {
    return memory_.holds(address) || code_.has_variable_at(address);
  }
  /// On another GPU.
  bool is_elsewhere(const Neighbour* holder) const { return holder && holder->gpu.gpu != gpu_.gpu; }
  bool is_own(const Neighbour* holder) const { return holder && holder->gpu.gpu == gpu_.gpu; }
  /// Out of this GPU's reach.
  bool is_far(const Neighbour* holder) const {
    return is_elsewhere(holder) && !peers().reaches(gpu_.gpu, holder->gpu.gpu);
  }
  static std::string name_of(const abi::Kernel& kernel) {
    return "kernel '" + support::readable_name(kernel.name) + "': ";
  }

  /// The GPU is the thread's from here on.
  Result place_managed(ModuleCode& code, const abi::LaunchContext& launch) const {
    const Result error = gpu_.make_current();
    return error == success ? code.place_managed(launch.symbols, line().stream()) : error;
  }

  RunResult begin(const abi::Kernel& kernel, const abi::LaunchContext& launch, EntryPoint& entry,
                  bool is_part, const PackedPlace* places = nullptr) {
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
    if (const Result error = allow_shared(gpu_, kernel, entry, launch.dynamic_shared);
        error != success)
      return api().launch_fault(error, "cuFuncSetAttribute");
    if ((kernel.flags & abi::kernel_has_grid_sync) != 0) {
      const Result error = api().cuLaunchCooperativeKernel(
          entry.function, count.x, count.y, count.z, block.x, block.y, block.z,
          launch.dynamic_shared, stream(), parameters);
      // A grid that is too large was not launched to wait for all of itself: that is checked.
      if (error != error_cooperative_launch_too_large)
        return api().launch_fault(error, "cuLaunchCooperativeKernel");
    }
    return api().launch_fault(
        api().cuLaunchKernel(entry.function, count.x, count.y, count.z, block.x, block.y, block.z,
                             launch.dynamic_shared, stream(), parameters, nullptr),
        "cuLaunchKernel");
  }

  const DeviceFacts facts_;
  const GpuContext gpu_;
  Suspects& suspects_;
  Lines lines_;
  GpuMemory memory_;
  CodeTable code_;
  BoxCopier copier_;
  StagedCopier staged_{gpu_};
  ManagedMemory managed_{gpu_};
  GraphMaker graphs_{gpu_};
  std::vector<void*> parameters_;  // of the launch that begins
};

}  // namespace

support::Result<std::unique_ptr<Device>> make_device(const Share& share) {
  const auto found = driver();
  if (!found) return support::fail(found.error());
  const Driver& api = **found;
  connect_fake(api);
  GpuContext gpu{api, 0, nullptr, 0};
  Stream compute = nullptr, copies = nullptr;
  const auto fail = [&](Result error, const char* call) {
    return support::fail("GRIDSPAN_DEVICES: cuda:" + std::to_string(share.ordinal) + ": " +
                         api.describe(error, call));
  };
  if (const Result e = api.cuDeviceGet(&gpu.gpu, static_cast<int>(share.ordinal)); e != success)
    return fail(e, "cuDeviceGet");
  if (const Result e = api.cuDevicePrimaryCtxRetain(&gpu.context, gpu.gpu); e != success)
    return fail(e, "cuDevicePrimaryCtxRetain");
  if (const Result e = gpu.make_current(); e != success) return fail(e, "cuCtxSetCurrent");
  const PhysicalProperties properties = gpu.memory_properties();
  if (const Result e = api.cuMemGetAllocationGranularity(&gpu.granularity, &properties, 0);
      e != success)
    return fail(e, "cuMemGetAllocationGranularity");
  for (Stream* stream : {&compute, &copies}) {
    if (const Result e = api.cuStreamCreate(stream, stream_non_blocking); e != success)
      return fail(e, "cuStreamCreate");
  }
  peers().join(gpu);
  return std::make_unique<CudaDevice>(share, gpu, compute, copies);
}

}  // namespace gridspan::devices::cuda
