// What a GPU executes, on streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/command_queue.h"
#include "devices/cuda/box_copier.h"
#include "devices/cuda/child_list.h"
#include "devices/cuda/code_table.h"
#include "devices/cuda/cuda_code.h"
#include "devices/cuda/cuda_memory.h"
#include "devices/cuda/graph_maker.h"
#include "devices/cuda/lines.h"
#include "devices/cuda/packed_places.h"
#include "devices/cuda/staged_copier.h"
#include "devices/cuda/suspects.h"

#include <vector>

namespace gridspan::devices::cuda {

/// What one device's queue works with, all of it the device's.
struct QueueTools {
  const GpuContext& gpu;
  Suspects& suspects;
  Lines& lines;
  CodeTable& table;
  BoxCopier& copier;
  StagedCopier& staged;
  CudaMemory& memory;
  CudaCode& code;
};

class CudaQueue final : public CommandQueue, private WorkGraphs, private HostCalls, QueueTools {
 public:
  explicit CudaQueue(const QueueTools& tools) : QueueTools(tools) {}

  void adopt_thread() override { gpu.make_current(); }
  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override;
  RunResult run_lists(std::span<const PartList> lists) override {
    return run_one_by_one(*this, lists);
  }
  void use_line(unsigned line) override { lines.use(line); }
  RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override;
  RunResult begin_packed(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                         std::span<const PackedArray> arrays) override;
  RunResult begin_copies(std::span<const BoxMove> moves) override;
  RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) override;
  WorkGraphs* graphs() override { return this; }
  HostCalls* host_calls() override { return this; }
  RunResult begin_after(Device& other, Mark mark) override;
  Mark mark(Marking how) override { return line().mark(how); }
  Mark mark_time() override { return line().mark_time(); }
  std::int64_t time_of(Mark mark) override { return lines.of(mark).time_of(mark); }
  bool is_done(Mark mark) override { return lines.of(mark).is_done(mark); }
  RunResult finish(Mark mark) override { return suspects.blame(lines.of(mark).finish(mark)); }
  RunResult set_limit(Limit which, std::size_t value) override;
  std::optional<std::size_t> limit(Limit which) override;

 private:
  // Graphs.
  std::unique_ptr<WorkGraph> make(std::span<const GraphStep> steps) override;
  bool is_current(const WorkGraph& graph) const override;
  RunResult begin(WorkGraph& graph) override;
  // Calls of the host.
  RunResult begin(void (*function)(void*, bool), void* data) override;

  const Driver& api() const { return gpu.driver; }
  Timeline& line() const { return lines.current(); }
  /// Where kernels, copies and fills are begun now.
  Stream stream() const { return graphs_.stream() ? graphs_.stream() : line().stream(); }
  void note(const abi::Kernel& kernel);
  RunResult finish_line();
  Result place_managed(ModuleCode& module, const abi::LaunchContext& launch) const;
  RunResult copy_one(const BoxMove& move);
  RunResult begin_family(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                         ModuleCode& module, unsigned depth);
  RunResult begin_child(const abi::ChildRecord& record, void* const* symbols, ModuleCode& module,
                        unsigned depth);
  RunResult begin_child_launch(const abi::ChildRecord& record, void* const* symbols,
                               ModuleCode& module, unsigned depth);
  RunResult launch_entry(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                         EntryPoint& entry, bool is_part, const PackedPlace* places = nullptr);

  GraphMaker graphs_{gpu};
  std::vector<void*> parameters_;  // of the launch that begins
  ChildList children_{gpu, memory};
};

}  // namespace gridspan::devices::cuda
