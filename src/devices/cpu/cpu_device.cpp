// The CPU as a CUDA device: region code and fibers on a pool of threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/cpu_device.h"

#include "devices/at_once.h"
#include "devices/cpu/block_storage.h"
#include "devices/cpu/cost_history.h"
#include "devices/cpu/cpu_memory.h"
#include "devices/cpu/device_heap.h"
#include "devices/cpu/fiber_worker.h"
#include "devices/cpu/grid_phases.h"
#include "devices/cpu/instruction_set.h"
#include "devices/cpu/kernel_guard.h"
#include "devices/cpu/messages.h"
#include "devices/cpu/misuse_log.h"
#include "devices/cpu/part.h"
#include "devices/cpu/region_worker.h"
#include "devices/cpu/worker_pool.h"
#include "devices/machine/description.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace gridspan::devices::cpu {
namespace {

/// Calls `work`; what it throws becomes the part's result, so that nothing reaches the pool or C.
template <class Work>
void without_exceptions(Part& part, Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    part.report({Fault::trap, "error: out of memory for the stacks or shared memory of blocks"});
  }
}

/// On fibers, blocks that wait for each other must all have been started.
std::string too_large_message(const Part& part, std::uint32_t most) {
  return message_prefix(&part.kernel().where, "error") + "kernel '" + kernel_name(part.kernel()) +
         "' waits for all " + std::to_string(part.left()) + " blocks of its grid, but at most " +
         std::to_string(most) + " of this size run together on fibers";
}

class CpuQueue final : public QueueAtOnce {
 public:
  CpuQueue(DeviceMemory& memory, const DeviceFacts& facts, const SharedOptions& shared)
      : QueueAtOnce(memory),
        interpret_(shared.interpret),
        choice_(shared.choice),
        taker_(shared.children),
        promised_workers_(std::max(shared.promised_workers, facts.workers)),
        misuse_(shared.misuse ? shared.misuse : make_misuse_log()),
        pool_(facts.workers, facts.is_pinned ? facts.cpus : std::vector<unsigned>{},
              facts.has_own_cpus) {
    install_fault_handlers();
    if (interpret_ && misuse_->choice().memory != nullptr)
      heap_map.store(misuse_->choice().memory, std::memory_order_relaxed);
    if (interpret_ && misuse_->choice().global_races)
      heap_races.store(&misuse_->global_races(), std::memory_order_relaxed);
    for (unsigned i = 0; i < pool_.size(); ++i) {
      region_workers_.push_back(std::make_unique<RegionWorker>(costs_));
    }
  }

  void adopt_thread() override { pool_.bind_caller(); }
  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    return run_part(kernel, launch, taker_ ? taker_->depth() : 0);
  }
  /// Each list on one worker, with what its parts leave in that worker's cache.
  RunResult run_lists(std::span<const PartList> lists) override {
    if (interpret_ || pool_.size() == 1 || lists.size() < 2 || !fit_a_worker(lists))
      return run_one_by_one(*this, lists);
    struct Job {
      CpuQueue& queue;
      std::span<const PartList> lists;
      std::atomic<std::size_t> next{0};
      std::atomic<bool> stopped{false};
      std::mutex mutex{};
      RunResult result{};
    } job{*this, lists};
    pool_.run(
        [](void* self, unsigned slot) {
          Job& all = *static_cast<Job*>(self);
          for (std::size_t i = all.next++; i < all.lists.size() && !all.stopped; i = all.next++) {
            RunResult result = all.queue.run_list(all.lists[i], slot, all.stopped);
            if (result.fault == Fault::none) continue;
            const std::scoped_lock lock(all.mutex);
            if (!all.stopped.exchange(true)) all.result = std::move(result);
          }
        },
        &job);
    return job.result;
  }
  RunResult set_limit(Limit which, std::size_t value) override {
    if (which == Limit::stack_bytes) stack_bytes_ = std::max(value, least_stack_bytes);
    return {};
  }
  std::optional<std::size_t> limit(Limit) override { return std::nullopt; }

 private:
  /// In the form that is best for this launch. `depth`: see Part.
  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch, unsigned depth) {
    const abi::Dim& count = launch.block_count;
    if (!choice_ || count.x == 0 || count.y == 0 || count.z == 0)
      return run_form(kernel, launch, depth);
    const abi::Kernel& form = choice_->choose(kernel, launch);
    const auto begin = std::chrono::steady_clock::now();
    RunResult result = run_form(form, launch, depth);
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
    choice_->ran(kernel, launch, form, static_cast<std::uint64_t>(took.count()));
    return result;
  }

  /// Neither blocks nor children of such kernels wait for anything outside of the worker.
  static bool fit_a_worker(std::span<const PartList> lists) {
    constexpr std::uint32_t others = abi::kernel_needs_fibers | abi::kernel_waits_in_loops |
                                     abi::kernel_has_grid_sync | abi::kernel_launches |
                                     abi::kernel_waits_for_children;
    return std::ranges::all_of(lists, [](const PartList& list) {
      return std::ranges::all_of(list, [](const ListedPart& part) {
        return (part.kernel->flags & others) == 0 && part.kernel->region_count != 0;
      });
    });
  }

  RunResult run_list(const PartList& list, unsigned slot, const std::atomic<bool>& stopped) {
    for (const ListedPart& part : list) {
      if (stopped) return {};
      RunResult result = run_on_worker(*part.kernel, part.launch, slot);
      if (result.fault != Fault::none) return result;
    }
    return {};
  }

  /// Tiles go down columns of blocks; blocks that hand on go in the grid's order.
  static Tile tile_of(const abi::Kernel& kernel, const abi::BlockForm& form,
                      const abi::LaunchContext& launch, unsigned workers) {
    return (kernel.flags & abi::kernel_hands_on) != 0 ? Tile{} : tile_for(form, launch, workers);
  }

  RunResult run_on_worker(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                          unsigned slot) {
    const abi::Kernel& chosen = choice_ ? choice_->choose(kernel, launch) : kernel;
    const abi::BlockForm* const form = abi::form_for(chosen, launch, has_fast_gathers());
    Part part(chosen, launch, 0, form, form ? tile_of(chosen, *form, launch, 1) : Tile{});
    RegionWorker& worker = *region_workers_[slot];
    without_exceptions(part, [&] {
      if (form && form->prologue) worker.run_prologue(part);
      if (!part.stopped()) worker.run_alone(part, 1);
    });
    return part.take_result();
  }

  /// A kernel that a kernel launched is run by the thread that runs its parent's
  /// part, when no worker is inside that.
  RunResult run_form(const abi::Kernel& kernel, const abi::LaunchContext& launch, unsigned depth) {
    const std::uint32_t threads = launch.block.x * launch.block.y * launch.block.z;
    const bool needs_fibers = interpret_ || (kernel.flags & abi::kernel_needs_fibers) != 0;
    const abi::BlockForm* form =
        !needs_fibers && threads != 0 ? abi::form_for(kernel, launch, has_fast_gathers()) : nullptr;
    const bool on_fibers = needs_fibers || (kernel.region_count == 0 && form == nullptr);
    const bool is_whole = !on_fibers && threads != 0;
    const Tile tile = form ? tile_of(kernel, *form, launch, pool_.size()) : Tile{};
    const unsigned slices = is_whole ? slices_for(kernel, launch, tile, pool_.size()) : 1;
    Part part(kernel, launch, depth, form, tile, pool_.size(), slices, taker_);
    if (part.left() == 0) return {};
    if (threads == 0 || threads > abi::max_block_threads) {
      return {Fault::trap, "error: a block of " + std::to_string(threads) + " threads"};
    }
    if (on_fibers) {
      run_on_fibers(part);
    } else {
      run_as_regions(part);
    }
    without_exceptions(part, [&] { run_children(part, true); });
    return part.take_result();
  }

  void run_children(Part& part, bool with_tail) {
    while (!part.stopped()) {
      const std::optional<ChildWork> work = part.children().take(with_tail);
      if (!work) return;
      RunResult result = run_child(part, *work);
      if (result.fault != Fault::none) part.report(std::move(result));
    }
  }

  RunResult run_child(Part& part, const ChildWork& work) {
    if (work.kind != ChildWork::Kind::launch) return copy_or_fill(work);
    const abi::Kernel& kernel = *work.kernel;
    std::vector<const void*> arguments;
    for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
      arguments.push_back(work.arguments.data() + kernel.parameters[i].offset);
    }
    const abi::LaunchContext launch{.version = abi::version,
                                    .dynamic_shared = work.shared_bytes,
                                    .grid = work.grid,
                                    .block = work.block,
                                    .first_block = {0, 0, 0},
                                    .block_count = work.grid,
                                    .arguments = arguments.data(),
                                    .symbols = part.launch().symbols,
                                    .arrays = nullptr,
                                    .scratch = nullptr,
                                    .distinct_arguments = false,
                                    .small_arguments = false};
    return run_part(kernel, launch, part.children().depth() + 1);
  }

  /// The addresses are the kernel's: they may be wrong.
  static RunResult copy_or_fill(const ChildWork& work) {
    prepare_thread();
    KernelFrame frame;
    const bool good = run_guarded(frame, [&] {
      if (work.kind == ChildWork::Kind::copy) {
        std::memmove(work.to, work.from, work.bytes);
      } else {
        std::memset(work.to, work.value, work.bytes);
      }
    });
    if (good) return {};
    return {Fault::illegal_address, "error: a copy or fill of a kernel's has a wrong address"};
  }

  static constexpr std::size_t least_stack_bytes = 64 << 10;
  /// Services run on the fiber's stack, printf of a double with many digits the deepest.
  static constexpr std::size_t service_stack_bytes = 32 << 10;

  /// Each worker touches more than its cache holds, but not many times as much: by how long it took
  /// before, since nobody counts bytes.
  bool outgrows_caches(const Part& part) const {
    constexpr double least = 50e3, most = 2e6;  // nanoseconds: a cache or two of data, and dozens
    const double threads = part.threads_per_slice() * static_cast<double>(part.left());
    const double each = costs_.expect(part.kernel(), threads).value_or(0) / pool_.size();
    return each >= least && each <= most;
  }

  void run_as_regions(Part& part) {
    if (part.has_grid_barriers() || part.waits_for_children()) return run_in_phases(part);
    if (part.waits_in_loops()) return run_waiting(part);
    RegionWorker& own = *region_workers_.front();
    if (part.form() != nullptr && part.form()->prologue != nullptr) {
      without_exceptions(part, [&] { own.run_prologue(part); });
      if (part.stopped()) return;
    }
    without_exceptions(part, [&] { own.run_alone(part, pool_.size()); });
    if (part.left() == 0 || part.stopped()) return;
    if (part.takes_any_order() && outgrows_caches(part)) {
      if (is_backward_) part.supply().turn_back();
      is_backward_ = !is_backward_;
    }
    std::optional<BeginWindow> window;
    if (part.hands_on()) window.emplace(pool_.size());
    struct Job {
      CpuQueue& queue;
      Part& part;
      BeginWindow* window;
    } job{*this, part, window ? &*window : nullptr};
    pool_.run(
        [](void* self, unsigned slot) {
          auto& [queue, all, within] = *static_cast<Job*>(self);
          RegionWorker& worker = *queue.region_workers_[slot];
          without_exceptions(all,
                             [&] { worker.run_shared(all, queue.pool_.size(), slot, within); });
        },
        &job);
  }

  void run_waiting(Part& part) {
    struct Job {
      CpuQueue& queue;
      Part& part;
      Residency residency;
    } job{*this, part, {part, promised_workers_}};
    const auto work = [](void* self, unsigned slot) {
      auto& [queue, all, residency] = *static_cast<Job*>(self);
      RegionWorker& worker = *queue.region_workers_[slot];
      without_exceptions(all, [&] { worker.run_waiting(all, residency); });
    };
    if (part.left() == 1)
      work(&job, 0);
    else
      pool_.run(work, &job);
  }

  void run_in_phases(Part& part) {
    without_exceptions(part, [&] {
      GridPhases phases(part);
      struct Job {
        CpuQueue& queue;
        Part& part;
        GridPhases& phases;
      } job{*this, part, phases};
      do {
        pool_.run(
            [](void* self, unsigned slot) {
              auto& [queue, all, blocks] = *static_cast<Job*>(self);
              queue.region_workers_[slot]->run_phase(all, blocks);
            },
            &job);
        if (part.waits_for_children()) run_children(part, false);
      } while (!part.stopped() && phases.begin_next());
    });
  }

  void run_on_fibers(Part& part) {
    struct Job {
      std::vector<std::unique_ptr<FiberWorker>>& workers;
      FiberLaunch launch;
      std::size_t stack_bytes;
    };
    Job job{fiber_workers(part.children().depth()),
            {part, promised_workers_, [&] { run_children(part, false); }},
            std::max<std::size_t>(stack_bytes_.load(),
                                  part.kernel().private_bytes + service_stack_bytes)};
    if (const std::uint32_t most = job.launch.residency.most();
        part.has_grid_barriers() && part.left() > most) {
      return part.report({Fault::trap, too_large_message(part, most)});
    }
    if (interpret_ && misuse_->choice().global_races) misuse_->global_races().start_launch();
    const auto work = [](void* self, unsigned slot) {
      Job& shared = *static_cast<Job*>(self);
      FiberWorker& worker = *shared.workers[slot];
      without_exceptions(shared.launch.part,
                         [&] { worker.run(shared.launch, shared.stack_bytes); });
    };
    if (part.left() == 1 || part.waits_for_children() || part.hands_on())
      work(&job, 0);
    else
      pool_.run(work, &job);
    const Fault refused = part.accesses().finish();
    if (refused != Fault::none) part.report({refused, {}});  // said already
  }

  /// A worker whose blocks wait for children is not free to run these: each depth has its own.
  std::vector<std::unique_ptr<FiberWorker>>& fiber_workers(unsigned depth) {
    if (fiber_workers_.size() <= depth) fiber_workers_.resize(depth + 1);
    auto& workers = fiber_workers_[depth];
    while (workers.size() < pool_.size()) {
      workers.push_back(std::make_unique<FiberWorker>(interpret_ ? misuse_.get() : nullptr));
    }
    return workers;
  }

  bool interpret_;
  KernelChoice* choice_;
  ChildTaker* const taker_;
  unsigned promised_workers_;
  CostHistory costs_;
  std::shared_ptr<MisuseLog> misuse_;
  std::atomic<std::size_t> stack_bytes_ = least_stack_bytes;
  WorkerPool pool_;
  std::vector<std::unique_ptr<RegionWorker>> region_workers_;
  std::deque<std::vector<std::unique_ptr<FiberWorker>>> fiber_workers_;  // of each depth
  bool is_backward_ = false;                                             // the next shared launch
};

class CpuDevice final : public Device {
 public:
  CpuDevice(const DeviceFacts& facts, const SharedOptions& shared)
      : facts_(facts), memory_(memory_options(facts, shared)), queue_(memory_, facts, shared) {}

  const DeviceFacts& facts() const override { return facts_; }
  DeviceId id() const override { return id_; }
  DeviceMemory& memory() override { return memory_; }
  CommandQueue& queue() override { return queue_; }
  DeviceCode& code() override { return code_; }
  HostMemory* host_memory() override { return nullptr; }

 private:
  static CpuMemory::Options memory_options(const DeviceFacts& facts, const SharedOptions& shared) {
    if (!shared.has_own_memory) return {.capacity = facts.memory_bytes};
    // Address space of which other devices may hold the contents: no share of the memory limits it.
    return {.capacity = ~std::uint64_t{0}, .is_separate = true, .numa_node = facts.numa_node};
  }

  const DeviceId id_ = new_device_id();
  const DeviceFacts facts_;
  CpuMemory memory_;
  CpuQueue queue_;
  RunsEveryKernel code_;
};

}  // namespace

std::shared_ptr<MisuseLog> make_misuse_log() { return std::make_shared<MisuseLog>(); }
std::shared_ptr<MisuseLog> make_misuse_log(const CheckChoice& choice) {
  return std::make_shared<MisuseLog>(choice);
}

std::unique_ptr<Device> make_device(const DeviceFacts& facts, const SharedOptions& shared) {
  return std::make_unique<CpuDevice>(facts, shared);
}

std::unique_ptr<Device> make_device(const CpuOptions& options) {
  const support::DeviceTerm one;
  const auto facts = machine::describe_devices({&one, 1}, options.threads);
  return make_device(facts->front(),
                     {.interpret = options.interpret, .children = options.children});
}

}  // namespace gridspan::devices::cpu
