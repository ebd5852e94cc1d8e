// Turns tasks into commands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/task.h"

#include "runtime/api/copy_checks.h"
#include "runtime/api/launch.h"
#include "runtime/api/submit.h"

#include <cstring>

namespace gridspan::runtime::graph {

bool FillTask::is_one_byte() const {
  unsigned char bytes[sizeof parameters.value];
  std::memcpy(bytes, &parameters.value, sizeof bytes);
  for (unsigned i = 1; i < parameters.elementSize; ++i) {
    if (bytes[i] != bytes[0]) return false;
  }
  return true;
}

namespace {

/// A host function of the program, called once.
void run_host_task(void* data, bool) {
  const std::unique_ptr<HostTask> task(static_cast<HostTask*>(data));
  task->parameters.fn(task->parameters.userData);
}

/// A fill with elements of several bytes: a copy of as many from the host.
CopyCommand pattern(const FillTask& task) {
  const cudaMemsetParams& parameters = task.parameters;
  const Extent extent = task.extent();
  const std::size_t size = extent.width * extent.height;
  std::unique_ptr<char[]> staged(new char[size]);
  for (std::size_t at = 0; at < size; at += parameters.elementSize) {
    std::memcpy(staged.get() + at, &parameters.value, parameters.elementSize);
  }
  const Pitched packed{staged.get(), extent.width, size};
  return {task.place(), packed, extent, std::move(staged)};
}

struct Submitter {
  Runtime& state;
  Stream& stream;

  Status operator()(const EmptyTask&) const {
    submit<std::monostate>(state, stream);
    return cudaSuccess;
  }
  Status operator()(const KernelTask& task) const {
    GRIDSPAN_TRY(prepare_launch(state, stream, *task.function));
    submit<KernelCommand>(state, stream, *task.command);
    return cudaSuccess;
  }
  Status operator()(const CopyTask& task) const {
    if (task.extent.is_empty()) return cudaSuccess;
    CheckedCopy sides;  // the memory may be gone by now
    GRIDSPAN_TRY(check_copy(state, task.to, task.from, task.extent, task.kind, sides));
    submit<CopyCommand>(state, stream, CopyCommand{task.to, task.from, task.extent, nullptr});
    return cudaSuccess;
  }
  Status operator()(const FillTask& task) const {
    const Extent extent = task.extent();
    if (extent.is_empty()) return cudaSuccess;
    Side side = Side::device;
    GRIDSPAN_TRY(check_fill(state, task.place(), extent, side));
    if (task.is_one_byte()) {
      submit<FillCommand>(
          state, stream,
          FillCommand{task.place(), extent, static_cast<unsigned char>(task.parameters.value)});
    } else {
      submit<CopyCommand>(state, stream, pattern(task));
    }
    return cudaSuccess;
  }
  Status operator()(const HostTask& task) const {
    auto own = std::make_unique<HostTask>(task);
    submit<HostCommand>(state, stream, HostCommand{run_host_task, own.release(), false, true});
    return cudaSuccess;
  }
  Status operator()(const RecordTask& task) const {
    submit_record(state, stream, *task.event);
    return cudaSuccess;
  }
  Status operator()(const WaitTask& task) const {
    submit_wait(state, stream, *task.event);
    return cudaSuccess;
  }
  Status operator()(const AllocateTask& task) const {
    state.graphs.memories.use(*task.memory);
    return (*this)(EmptyTask{});
  }
  Status operator()(const FreeTask& task) const {
    state.graphs.memories.free(task.pointer);
    return (*this)(EmptyTask{});
  }
  Status operator()(const ChildTask&) const { return cudaSuccess; }
  Status operator()(const ConditionalTask&) const { return cudaSuccess; }
};

}  // namespace

Status submit_task(Runtime& state, Stream& stream, const Task& task) {
  return std::visit(Submitter{state, stream}, task);
}

}  // namespace gridspan::runtime::graph
