// Advice on managed memory is what the program reads back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Host memory functions | cudaMemAdvise, cudaMemPrefetchAsync, cudaMemRangeGetAttribute and cudaMemRangeGetAttributes
#include "check.h"

int get(cudaMemRangeAttribute attribute, const char* from, size_t size) {
  int value = -77;
  CUDA_OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, from, size));
  return value;
}

int main() {
  setenv("GRIDSPAN_VIRTUAL_GPUS", "3", 1);
  const size_t size = 40000, half = 20000;
  for (int round = 0; round < 2; ++round) {  // freed memory is forgotten
    char* data = nullptr;
    CUDA_OK(cudaMallocManaged(&data, size));
    CHECK_EQ(get(cudaMemRangeAttributeReadMostly, data, size), 0);
    CHECK_EQ(get(cudaMemRangeAttributePreferredLocation, data, size), cudaInvalidDeviceId);
    CHECK_EQ(get(cudaMemRangeAttributeLastPrefetchLocation, data, size), cudaInvalidDeviceId);
    CUDA_OK(cudaMemAdvise(data, half, cudaMemAdviseSetReadMostly, 0));
    CHECK_EQ(get(cudaMemRangeAttributeReadMostly, data, half), 1);
    CHECK_EQ(get(cudaMemRangeAttributeReadMostly, data + half - 1, 1), 1);
    CHECK_EQ(get(cudaMemRangeAttributeReadMostly, data, half + 1), 0);
    CHECK_EQ(get(cudaMemRangeAttributeReadMostly, data + half, half), 0);
    CUDA_OK(cudaMemAdvise(data, size, cudaMemAdviseSetPreferredLocation, 2));
    CUDA_OK(cudaMemAdvise(data + half, half, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    CHECK_EQ(get(cudaMemRangeAttributePreferredLocation, data, half), 2);
    CHECK_EQ(get(cudaMemRangeAttributePreferredLocation, data + half, half), cudaCpuDeviceId);
    CHECK_EQ(get(cudaMemRangeAttributePreferredLocation, data, size), cudaInvalidDeviceId);
    CHECK_EQ(get(cudaMemRangeAttributePreferredLocationType, data, half),
             cudaMemLocationTypeDevice);
    CHECK_EQ(get(cudaMemRangeAttributePreferredLocationId, data, half), 2);
    CHECK_EQ(get(cudaMemRangeAttributePreferredLocationType, data + half, half),
             cudaMemLocationTypeHost);
    CHECK_EQ(get(cudaMemRangeAttributePreferredLocationType, data, size),
             cudaMemLocationTypeInvalid);
    CHECK_EQ(get(cudaMemRangeAttributeLastPrefetchLocationType, data, size),
             cudaMemLocationTypeInvalid);
    CUDA_OK(cudaMemAdvise(data, size, cudaMemAdviseSetAccessedBy, 1));
    CUDA_OK(cudaMemAdvise(data, size, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
    CUDA_OK(cudaMemAdvise(data, size, cudaMemAdviseSetAccessedBy, 2));
    CUDA_OK(cudaMemAdvise(data + 5, 1, cudaMemAdviseUnsetAccessedBy, 2));
    CUDA_OK(cudaMemPrefetchAsync(data, size, 1, nullptr));
    int read_mostly = -1, prefetched = -1, accessed[4] = {9, 9, 9, 9};
    void* answers[] = {&read_mostly, &prefetched, accessed};
    size_t sizes[] = {sizeof read_mostly, sizeof prefetched, sizeof accessed};
    cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly,
                                          cudaMemRangeAttributeLastPrefetchLocation,
                                          cudaMemRangeAttributeAccessedBy};
    CUDA_OK(cudaMemRangeGetAttributes(answers, sizes, attributes, 3, data, half));
    CHECK_EQ(read_mostly, 1);
    CHECK_EQ(prefetched, 1);
    CHECK_EQ(get(cudaMemRangeAttributeLastPrefetchLocationType, data, half),
             cudaMemLocationTypeDevice);
    CHECK_EQ(get(cudaMemRangeAttributeLastPrefetchLocationId, data, half), 1);
    const int want[] = {cudaCpuDeviceId, 1, cudaInvalidDeviceId, cudaInvalidDeviceId};
    for (int i = 0; i < 4; ++i) CHECK_EQ(accessed[i], want[i]);
    CUDA_OK(cudaMemRangeGetAttribute(accessed, sizeof accessed, cudaMemRangeAttributeAccessedBy,
                                     data + 6, 10));
    CHECK_EQ(accessed[2], 2);
    CUDA_OK(cudaMemAdvise(data, size, cudaMemAdviseUnsetReadMostly, 0));
    CHECK_EQ(get(cudaMemRangeAttributeReadMostly, data, half), 0);
    CHECK_EQ(cudaMemRangeGetAttribute(accessed, 3, cudaMemRangeAttributeAccessedBy, data, 1),
             cudaErrorInvalidValue);
    CHECK_EQ(cudaMemRangeGetAttribute(accessed, 4, cudaMemRangeAttributeReadMostly, data, 2 * size),
             cudaErrorInvalidValue);
    CHECK_EQ(cudaMemAdvise(data, size, cudaMemAdviseSetPreferredLocation, 3),
             cudaErrorInvalidDevice);
    CUDA_OK(cudaFree(data));
    (void)cudaGetLastError();
  }
  return check::finish();
}
