// Lays graphs out, launches them and exchanges their tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/executable.h"

#include "runtime/api/call.h"
#include "runtime/api/copy_calls.h"
#include "runtime/api/graph/stretches.h"
#include "runtime/api/submit.h"
#include "runtime/api/texture_descriptor.h"

#include <algorithm>
#include <unordered_map>

using gridspan::runtime::graph::Node;

void CUgraphExec_st::note_change() {
  launches = 0;
  stretches.clear();
}

CUgraphExec_st::Step* CUgraphExec_st::find(const Node* node) {
  note_change();
  const auto found =
      std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.node == node; });
  return found == steps.end() ? nullptr : &*found;
}

namespace gridspan::runtime::graph {

namespace {

using Steps = std::vector<Executable::Step>;
using Places = std::vector<std::size_t>;

void sort_once(Places& places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

Status prepare_bodies(Executable::Step& step) {
  const auto* conditional = std::get_if<ConditionalTask>(&step.task);
  if (!conditional) return cudaSuccess;
  for (const auto& body : conditional->bodies) {
    step.bodies.push_back(std::make_shared<Executable>());
    GRIDSPAN_TRY(instantiate(*body, *step.bodies.back()));
  }
  return cudaSuccess;
}

/// Conditions of the executable, and of bodies in it, begin a launch with their default values.
void assign_defaults(Runtime& state, Stream& stream, const Executable& executable) {
  for (const Executable::Step& step : executable.steps) {
    if (step.bodies.empty()) continue;
    const Condition& condition = *std::get<ConditionalTask>(step.task).condition;
    if (condition.starts_as_default) {
      write_in_order(state, stream, reinterpret_cast<std::uintptr_t>(condition.memory->pointer()),
                     &condition.default_value, sizeof condition.default_value);
    }
    for (const auto& body : step.bodies) assign_defaults(state, stream, *body);
  }
}

/// What the condition is after the stream's work so far.
Status read(Runtime& state, Stream& stream, const Condition& condition, unsigned& value) {
  const auto sequence = submit<CopyCommand>(
      state, stream,
      CopyCommand{flat(&value), flat(condition.memory->pointer()), {sizeof value}, nullptr});
  return wait_for(state, sequence);
}

Status submit_steps(Runtime& state, Stream& stream, Executable& executable);

Status submit_step(Runtime& state, Stream& stream, const Executable::Step& step) {
  if (!step.enabled) return cudaSuccess;
  if (step.bodies.empty()) return submit_task(state, stream, step.task);
  const auto& conditional = std::get<ConditionalTask>(step.task);
  for (;;) {
    unsigned value = 0;
    GRIDSPAN_TRY(read(state, stream, *conditional.condition, value));
    const std::size_t choice = conditional.choice(value);
    if (choice >= step.bodies.size()) break;
    GRIDSPAN_TRY(submit_steps(state, stream, *step.bodies[choice]));
    if (!conditional.is_loop()) break;
  }
  return cudaSuccess;
}

Status submit_steps(Runtime& state, Stream& stream, Executable& executable) {
  const std::vector<Stretch>& stretches = stretches_of(state, stream, executable);
  auto next = stretches.begin();
  for (std::size_t i = 0; i < executable.steps.size();) {
    bool is_submitted = false;
    if (next != stretches.end() && next->first == i)
      GRIDSPAN_TRY(submit_stretch(state, stream, executable, *next, is_submitted));
    if (is_submitted) {
      i = next++->end;
      continue;
    }
    if (next != stretches.end() && next->first == i) ++next;
    GRIDSPAN_TRY(submit_step(state, stream, executable.steps[i++]));
  }
  return cudaSuccess;
}

/// Appends the steps of `graph`. Those without predecessors get `before`; `last` receives the steps
/// that nothing in the graph waits for.
Status lay_out(const Graph& graph, const Places& before, Executable& executable, Places& last) {
  Steps& steps = executable.steps;
  for (const auto& [object, held] : graph.held_objects) executable.held.push_back(held.owned);
  const Nodes order = graph.order();
  if (order.size() != graph.nodes().size()) {
    return refuse(cudaErrorInvalidValue, "the graph's dependencies form a cycle");
  }
  std::unordered_map<const Node*, Places> ends;  // by node: the steps to wait for
  std::unordered_map<const Node*, bool> awaited;
  for (const Node* node : order) {
    Places waits_for;
    for (const Node* predecessor : node->predecessors) {
      awaited[predecessor] = true;
      const Places& places = ends[predecessor];
      waits_for.insert(waits_for.end(), places.begin(), places.end());
    }
    if (node->predecessors.empty()) waits_for = before;
    sort_once(waits_for);
    if (const auto* child = std::get_if<ChildTask>(&node->task)) {
      GRIDSPAN_TRY(lay_out(*child->graph, waits_for, executable, ends[node]));
      if (child->graph->nodes().empty()) ends[node] = waits_for;
    } else {
      ends[node] = {steps.size()};
      steps.push_back({node, node->task, node->enabled, std::move(waits_for)});
      GRIDSPAN_TRY(prepare_bodies(steps.back()));
    }
  }
  for (const Node* node : order) {
    if (awaited[node]) continue;
    last.insert(last.end(), ends[node].begin(), ends[node].end());
  }
  sort_once(last);
  return cudaSuccess;
}

/// Until a launch is over it holds what its graph held.
using Held = std::vector<std::shared_ptr<OwnedByProgram>>;
void let_go(void* data, bool) { delete static_cast<Held*>(data); }

}  // namespace

Status instantiate(const Graph& graph, Executable& executable) {
  Places last;
  return lay_out(graph, {}, executable, last);
}

Status launch(Runtime& state, Stream& stream, Executable& executable) {
  if (executable.last != 0 && executable.stream != stream.id)
    submit<WaitCommand>(state, stream, WaitCommand{executable.last});
  const Queue::Sequence before = record::last_command;
  assign_defaults(state, stream, executable);
  const Status status = submit_steps(state, stream, executable);
  if (!executable.held.empty()) {
    auto held = std::make_unique<Held>(executable.held);
    submit<HostCommand>(state, stream, HostCommand{let_go, held.release(), true});
  }
  if (record::last_command == before)
    return status;  // nothing to do: the launch before is the last
  executable.stream = stream.id;
  executable.last = record::last_command;
  return status;
}

Status update_child(Executable& executable, const Graph& child, const Graph& graph) {
  Executable before, after;
  GRIDSPAN_TRY(instantiate(child, before));
  GRIDSPAN_TRY(instantiate(graph, after));
  if (before.steps.size() != after.steps.size()) {
    return refuse(cudaErrorInvalidValue, "the graph has %zu steps, the node's %zu",
                  after.steps.size(), before.steps.size());
  }
  for (std::size_t i = 0; i < after.steps.size(); ++i) {
    if (before.steps[i].task.index() != after.steps[i].task.index() ||
        before.steps[i].predecessors != after.steps[i].predecessors) {
      return refuse(cudaErrorInvalidValue, "step %zu of the graph is another than the node's", i);
    }
    if (executable.find(before.steps[i].node)) continue;
    return refuse(cudaErrorInvalidValue, "the executable was not made from a graph with this node");
  }
  for (std::size_t i = 0; i < after.steps.size(); ++i) {
    Executable::Step& step = *executable.find(before.steps[i].node);
    step.task = std::move(after.steps[i].task);
    step.bodies = std::move(after.steps[i].bodies);
  }
  return cudaSuccess;
}

Status update(Executable& executable, const Graph& graph, cudaGraphExecUpdateResultInfo& result) {
  Executable other;
  GRIDSPAN_TRY(instantiate(graph, other));
  result = {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  if (other.steps.size() != executable.steps.size()) {
    return refuse(cudaErrorGraphExecUpdateFailure, "the graph has %zu steps, the executable %zu",
                  other.steps.size(), executable.steps.size());
  }
  for (std::size_t i = 0; i < other.steps.size(); ++i) {
    const Executable::Step& mine = executable.steps[i];
    const Executable::Step& theirs = other.steps[i];
    const bool same_type = mine.task.index() == theirs.task.index();
    if (same_type && mine.predecessors == theirs.predecessors) continue;
    if (!same_type) result.result = cudaGraphExecUpdateErrorNodeTypeChanged;
    result.errorNode = const_cast<cudaGraphNode_t>(theirs.node);
    return refuse(cudaErrorGraphExecUpdateFailure, "step %zu has another %s", i,
                  same_type ? "place in the order" : "type");
  }
  executable.note_change();
  for (std::size_t i = 0; i < other.steps.size(); ++i) {
    executable.steps[i].task = std::move(other.steps[i].task);
    executable.steps[i].bodies = std::move(other.steps[i].bodies);
  }
  result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  return cudaSuccess;
}

}  // namespace gridspan::runtime::graph
