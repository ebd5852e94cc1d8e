// Programs with notes for a profiler build and run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Programs | NVTX ranges, marks, domains and names (nvToolsExt.h, nvtx3/nvToolsExt.h): accepted, without effect
#include "check.h"

#include <nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

__global__ void twice(int* a, int n) {
  const int i = check::global_index();
  if (i < n) a[i] *= 2;
}

int main() {
  nvtxNameOsThread(1, "main");
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "twice";
  const nvtxDomainHandle_t domain = nvtxDomainCreate("tests");
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  nvtxNameCudaStream(stream, "work");
  std::vector<int> want(1009);
  for (int i = 0; i < 1009; ++i) want[i] = i;
  check::Array<int> a(want);
  nvtxRangePushEx(&attributes);
  const nvtxRangeId_t range = nvtxRangeStart("launch");
  nvtxDomainRangePushEx(domain, &attributes);
  twice<<<9, 128, 0, stream>>>(a.data(), 1009);
  nvtxMark("launched");
  nvtxDomainRangePop(domain);
  nvtxRangeEnd(range);
  nvtxRangePop();
  for (int& x : want) x *= 2;
  check::equal("twice", a.get(), want);
  nvtxDomainDestroy(domain);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
