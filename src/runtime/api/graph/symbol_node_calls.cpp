// Nodes that copy to and from device variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/parameters.h"
#include "runtime/api/symbols.h"

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

namespace {

Status make_to(Runtime& state, const void* symbol, const void* source, std::size_t count,
               std::size_t offset, cudaMemcpyKind kind, Task& task) {
  char* address = nullptr;
  GRIDSPAN_TRY(find_part(state, symbol, count, offset, address));
  return make_flat_copy(state, address, source, count, kind, task);
}

Status make_from(Runtime& state, void* destination, const void* symbol, std::size_t count,
                 std::size_t offset, cudaMemcpyKind kind, Task& task) {
  char* address = nullptr;
  GRIDSPAN_TRY(find_part(state, symbol, count, offset, address));
  return make_flat_copy(state, destination, address, count, kind, task);
}

}  // namespace

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies,
                                           size_t dependency_count, const void* symbol,
                                           const void* source, size_t count, size_t offset,
                                           cudaMemcpyKind kind) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), dependency_count, symbol, source, count,
                offset, kind) {
    return add_node(state, node, graph, dependencies, dependency_count, [&](Task& task) {
      return make_to(state, symbol, source, count, offset, kind, task);
    });
  });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies,
                                             size_t dependency_count, void* destination,
                                             const void* symbol, size_t count, size_t offset,
                                             cudaMemcpyKind kind) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), dependency_count, destination, symbol,
                count, offset, kind) {
    return add_node(state, node, graph, dependencies, dependency_count, [&](Task& task) {
      return make_from(state, destination, symbol, count, offset, kind, task);
    });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* source, size_t count, size_t offset,
                                                 cudaMemcpyKind kind) {
  GRIDSPAN_CALL(node, symbol, source, count, offset, kind) {
    return set_parameters<CopyTask>(state, node, [&](Task& task) {
      return make_to(state, symbol, source, count, offset, kind, task);
    });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* destination,
                                                   const void* symbol, size_t count, size_t offset,
                                                   cudaMemcpyKind kind) {
  GRIDSPAN_CALL(node, destination, symbol, count, offset, kind) {
    return set_parameters<CopyTask>(state, node, [&](Task& task) {
      return make_from(state, destination, symbol, count, offset, kind, task);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const void* symbol,
                                                     const void* source, size_t count,
                                                     size_t offset, cudaMemcpyKind kind) {
  GRIDSPAN_CALL(executable, node, symbol, source, count, offset, kind) {
    return set_parameters<CopyTask>(state, executable, node, [&](Task& task) {
      return make_to(state, symbol, source, count, offset, kind, task);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void* destination,
                                                       const void* symbol, size_t count,
                                                       size_t offset, cudaMemcpyKind kind) {
  GRIDSPAN_CALL(executable, node, destination, symbol, count, offset, kind) {
    return set_parameters<CopyTask>(state, executable, node, [&](Task& task) {
      return make_from(state, destination, symbol, count, offset, kind, task);
    });
  });
}
