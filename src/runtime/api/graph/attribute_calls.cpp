// Attributes of kernel nodes, and nodes that are whole graphs, changed in executables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/parameters.h"

#include <algorithm>

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

namespace {

/// What can be asked of kernel nodes.
Status check_attribute(cudaLaunchAttributeID attribute) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return cudaSuccess;
    default:
      return refuse(cudaErrorInvalidValue, "%d is not an attribute of kernel nodes",
                    static_cast<int>(attribute));
  }
}

bool is_cluster(cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue& value) {
  return attribute == cudaLaunchAttributeClusterDimension &&
         std::max({value.clusterDim.x, value.clusterDim.y, value.clusterDim.z}) > 1;
}

}  // namespace

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  GRIDSPAN_CALL(handle, attribute, record::address(value)) {
    if (!value) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_attribute(attribute));
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node_of<KernelTask>(state, handle, node));
    const auto& set = std::get<KernelTask>(node->task).attributes;
    const auto found = set.find(attribute);
    *value = found == set.end() ? cudaLaunchAttributeValue{} : found->second;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  GRIDSPAN_CALL(handle, attribute, record::address(value)) {
    if (!value) return refuse(cudaErrorInvalidValue, "the value is null");
    GRIDSPAN_TRY(check_attribute(attribute));
    if (is_cluster(attribute, *value)) {
      return refuse(cudaErrorNotSupported, "thread block clusters are not supported");
    }
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node_of<KernelTask>(state, handle, node));
    std::get<KernelTask>(node->task).attributes[attribute] = *value;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t destination, cudaGraphNode_t source) {
  GRIDSPAN_CALL(destination, source) {
    std::shared_ptr<Node> to, from;
    GRIDSPAN_TRY(find_node_of<KernelTask>(state, destination, to));
    GRIDSPAN_TRY(find_node_of<KernelTask>(state, source, from));
    std::get<KernelTask>(to->task).attributes = std::get<KernelTask>(from->task).attributes;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle,
                                                 cudaGraphNode_t node_handle,
                                                 cudaGraph_t child_handle) {
  GRIDSPAN_CALL(handle, node_handle, child_handle) {
    std::shared_ptr<Executable> executable;
    GRIDSPAN_TRY(find_executable(state, handle, executable));
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node_of<ChildTask>(state, node_handle, node));
    std::shared_ptr<Graph> child;
    GRIDSPAN_TRY(find_graph(state, child_handle, child));
    return update_child(*executable, *std::get<ChildTask>(node->task).graph, *child);
  });
}
