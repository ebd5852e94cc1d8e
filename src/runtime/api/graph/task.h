// What one node of a CUDA graph does each time the graph runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is kept in the form in which the API checked it, and turned into a command at every
// launch: commands are used up by running them.
#pragma once

#include "runtime/api/launch_request.h"
#include "runtime/api/registry.h"
#include "runtime/api/status.h"
#include "runtime/api/stream_table.h"
#include "runtime/memory/copy.h"
#include "runtime/schedule/command.h"

#include <map>
#include <memory>
#include <variant>
#include <vector>

struct CUgraph_st;

namespace gridspan::runtime {

struct Runtime;

namespace graph {

using Graph = CUgraph_st;
class Memory;

struct EmptyTask {};

struct KernelTask {
  const void* stub;                    // as the program names the kernel
  std::shared_ptr<Function> function;  // keeps the module
  std::shared_ptr<KernelCommand> command;
  std::vector<void*> parameters;  // of the command's arguments, as launches take them
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;  // those set
};

struct CopyTask {
  Pitched to, from;
  Extent extent;
  cudaMemcpyKind kind;
};

struct FillTask {
  cudaMemsetParams parameters;

  /// One byte repeated is the value.
  bool is_one_byte() const;
  Pitched place() const { return {static_cast<char*>(parameters.dst), parameters.pitch, 0}; }
  Extent extent() const {
    return {parameters.width * parameters.elementSize, parameters.height, 1};
  }
};

struct HostTask {
  cudaHostNodeParams parameters;
};

struct RecordTask {
  std::shared_ptr<Event> event;
};

/// One queue keeps everything in order: what an event stands for is over when this runs.
struct WaitTask {
  std::shared_ptr<Event> event;
};

struct AllocateTask {
  std::shared_ptr<Memory> memory;
};

struct FreeTask {
  void* pointer;  // of a graph's memory
};

struct ChildTask {
  std::shared_ptr<Graph> graph;
};

struct Condition;

/// Graphs that the program fills. A condition decides which of them runs, and how often.
struct ConditionalTask {
  std::shared_ptr<Condition> condition;
  cudaGraphConditionalNodeType type;
  std::vector<std::shared_ptr<Graph>> bodies;
  std::shared_ptr<std::vector<cudaGraph_t>> handles;  // of the bodies, where the program finds them

  bool is_loop() const { return type == cudaGraphCondTypeWhile; }
  /// Which body runs at this value; as many as there are for none.
  std::size_t choice(unsigned value) const;
};

using Task = std::variant<EmptyTask, KernelTask, CopyTask, FillTask, HostTask, RecordTask, WaitTask,
                          AllocateTask, FreeTask, ChildTask, ConditionalTask>;

cudaGraphNodeType type_of(const Task& task);

/// A short name for pictures: "kernel saxpy", "memset".
std::string name_of(const Task& task);

/// Puts `task` into the stream, which must not be capturing. Graphs in it are not looked into.
Status submit_task(Runtime& state, Stream& stream, const Task& task);

/// A checked launch as a task; takes a copy of the arguments.
Task make_kernel(const LaunchRequest& request, const CheckedLaunch& launch);

// What the program's parameters come to, checked.
Status make_kernel(Runtime& state, const cudaKernelNodeParams* parameters, Task& task);
Status make_copy(Runtime& state, const cudaMemcpy3DParms* parameters, Task& task);
Status make_flat_copy(Runtime& state, void* to, const void* from, std::size_t count,
                      cudaMemcpyKind kind, Task& task);
Status make_fill(Runtime& state, const cudaMemsetParams* parameters, Task& task);
Status make_host(const cudaHostNodeParams* parameters, Task& task);
Status make_child(Runtime& state, cudaGraph_t handle, Task& task);
Status make_record(Runtime& state, cudaEvent_t handle, Task& task);
Status make_wait(Runtime& state, cudaEvent_t handle, Task& task);
Status make_allocate(Runtime& state, cudaMemAllocNodeParams* parameters, Task& task);
Status make_conditional(Runtime& state, cudaConditionalNodeParams* parameters, Task& task);
/// A node of any type.
Status make_task(Runtime& state, cudaGraphNodeParams* parameters, Task& task);

// And back.
cudaKernelNodeParams parameters_of(const KernelTask& task);
cudaMemcpy3DParms parameters_of(const CopyTask& task);

}  // namespace graph
}  // namespace gridspan::runtime
