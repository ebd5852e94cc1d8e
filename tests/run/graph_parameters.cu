// Nodes whose symbols and events change, flags of executables, memory of graphs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Graphs | copies to and from __device__ variables as nodes, events of nodes, cudaGraphInstantiateWithParams
// FEATURE: Graphs | cudaDeviceGetGraphMemAttribute, cudaFuncGetParamInfo
#include "check.h"

__device__ int numbers[9];
__device__ int others[9];

__global__ void add(int value, char unused, double* also) {
  numbers[threadIdx.x] += value;
  if (also) *also = unused;
}

void symbols() {
  int in[4] = {5, 6, 7, 8}, out[4] = {};
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t to = nullptr, from = nullptr;
  CUDA_OK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, numbers, in, sizeof in,
                                         3 * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, out, numbers, sizeof out,
                                           4 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK_EQ(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, numbers, in, sizeof in,
                                          6 * sizeof(int), cudaMemcpyHostToDevice),
           cudaErrorInvalidValue);
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiateParams parameters = {};
  parameters.flags = cudaGraphInstantiateFlagUseNodePriority;
  CUDA_OK(cudaGraphInstantiateWithParams(&executable, graph, &parameters));
  CHECK_EQ(parameters.result_out, cudaGraphInstantiateSuccess);
  unsigned long long flags = 0;
  CUDA_OK(cudaGraphExecGetFlags(executable, &flags));
  CHECK_EQ(flags, static_cast<unsigned long long>(cudaGraphInstantiateFlagUseNodePriority));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) CHECK_EQ(out[i], 6 + i);
  CHECK_EQ(out[3], 0);
  CUDA_OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, to, others, in, sizeof in, 0,
                                                   cudaMemcpyHostToDevice));
  CUDA_OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, from, out, others, sizeof out, 0,
                                                     cudaMemcpyDeviceToHost));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) CHECK_EQ(out[i], 5 + i);
  CUDA_OK(cudaGraphMemcpyNodeSetParamsFromSymbol(from, out, others, 8, 8, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaGraphMemcpyNodeSetParamsToSymbol(to, others, in, 4, 12, cudaMemcpyHostToDevice));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 7);
  CHECK_EQ(out[1], 5);
  CHECK_EQ(out[2], 7);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

void events() {
  cudaEvent_t first = nullptr, second = nullptr, got = nullptr;
  CUDA_OK(cudaEventCreate(&first));
  CUDA_OK(cudaEventCreate(&second));
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t record = nullptr, wait = nullptr;
  CUDA_OK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  CUDA_OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, first));
  CUDA_OK(cudaGraphEventRecordNodeGetEvent(record, &got));
  CHECK_EQ(got, first);
  CHECK_EQ(cudaGraphEventRecordNodeGetEvent(wait, &got), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphEventWaitNodeSetEvent(wait, second));
  CUDA_OK(cudaGraphEventWaitNodeGetEvent(wait, &got));
  CHECK_EQ(got, second);
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphExecEventRecordNodeSetEvent(executable, record, second));
  CUDA_OK(cudaGraphExecEventWaitNodeSetEvent(executable, wait, first));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  float milliseconds = 0;
  CHECK_EQ(cudaEventElapsedTime(&milliseconds, second, first),
           cudaErrorInvalidResourceHandle);  // the first was not recorded
  CUDA_OK(cudaEventElapsedTime(&milliseconds, second, second));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaEventDestroy(first));
  CUDA_OK(cudaEventDestroy(second));
  (void)cudaGetLastError();
}

size_t amount(cudaGraphMemAttributeType attribute) {
  size_t bytes = 99;
  CUDA_OK(cudaDeviceGetGraphMemAttribute(0, attribute, &bytes));
  return bytes;
}

void memory() {
  CHECK_EQ(amount(cudaGraphMemAttrReservedMemCurrent), size_t{0});
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t allocate = nullptr, release = nullptr;
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {cudaMemLocationTypeDevice, 0};
  parameters.bytesize = 1000;
  CUDA_OK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &parameters));
  CUDA_OK(cudaGraphAddMemFreeNode(&release, graph, &allocate, 1, parameters.dptr));
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_EQ(amount(cudaGraphMemAttrUsedMemCurrent), size_t{0});
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(amount(cudaGraphMemAttrUsedMemCurrent), size_t{0});
  CHECK_EQ(amount(cudaGraphMemAttrUsedMemHigh), size_t{1000});
  CHECK_EQ(amount(cudaGraphMemAttrReservedMemCurrent), size_t{1000});
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaDeviceGraphMemTrim(0));
  CHECK_EQ(amount(cudaGraphMemAttrReservedMemCurrent), size_t{0});
  CHECK_EQ(amount(cudaGraphMemAttrReservedMemHigh), size_t{1000});
  size_t zero = 0;
  CUDA_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  CUDA_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CHECK_EQ(amount(cudaGraphMemAttrReservedMemHigh), size_t{0});
  CHECK_EQ(amount(cudaGraphMemAttrUsedMemHigh), size_t{0});
  CHECK_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaDeviceGetGraphMemAttribute(7, cudaGraphMemAttrUsedMemHigh, &zero),
           cudaErrorInvalidDevice);
  (void)cudaGetLastError();
}

void parameters_of_kernels() {
  size_t offset = 99, size = 99;
  const void* kernel = reinterpret_cast<const void*>(add);
  CUDA_OK(cudaFuncGetParamInfo(kernel, 1, &offset, &size));
  CHECK_EQ(offset, size_t{4});
  CHECK_EQ(size, size_t{1});
  CUDA_OK(cudaFuncGetParamInfo(kernel, 2, &offset, nullptr));
  CHECK_EQ(offset, size_t{8});
  CHECK_EQ(cudaFuncGetParamInfo(kernel, 3, &offset, &size), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

int main() {
  symbols();
  events();
  memory();
  parameters_of_kernels();
  return check::finish();
}
