// Memory of one process in another: handles of allocations and of pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// FEATURE: Memory | device memory of other processes: cudaIpcGetMemHandle, cudaIpcOpenMemHandle
// FEATURE: Streams and events | events of other processes: cudaIpcGetEventHandle, cudaIpcOpenEventHandle
// FEATURE: Memory | pools of other processes: cudaMemPoolExportToShareableHandle, cudaMemPoolImportPointer
#include <cuda.h>
#include <sys/socket.h>

#include "check.h"

constexpr int n = 40000;

__global__ void multiply(int* values, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

void launch(int* values, int factor) {
  multiply<<<(n + 255) / 256, 256>>>(values, factor);
  KERNEL_OK();
}

/// What one process tells the other; with a file if there is one.
void tell(int socket, const void* bytes, std::size_t size, int file = -1) {
  iovec part = {const_cast<void*>(bytes), size};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  char control[CMSG_SPACE(sizeof(int))] = {};
  if (file >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  CHECK(sendmsg(socket, &message, 0) == ssize_t(size));
}

int receive(int socket, void* bytes, std::size_t size) {
  iovec part = {bytes, size};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  char control[CMSG_SPACE(sizeof(int))] = {};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  CHECK(recvmsg(socket, &message, MSG_WAITALL) == ssize_t(size));
  int file = -1;
  if (cmsghdr* header = CMSG_FIRSTHDR(&message)) {
    std::memcpy(&file, CMSG_DATA(header), sizeof file);
  }
  return file;
}

struct Offer {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t first, second;
  cudaMemPoolPtrExportData pooled;
};

std::vector<int> numbers(int factor) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = (i - 777) * factor;
  return values;
}

std::vector<int> read(const int* memory) {
  std::vector<int> values(n);
  CUDA_OK(cudaMemcpy(values.data(), memory, n * sizeof(int), cudaMemcpyDeviceToHost));
  return values;
}

/// Both processes in turn add 1 and double, each waiting for the other's event only in a stream.
__global__ void step(int* value, int is_adding) { *value = is_adding ? *value + 1 : *value * 2; }

constexpr int rounds = 40;

int after_rounds() {
  int value = 0;
  for (int i = 0; i < rounds; ++i) value = (value + 1) * 2 % 1000003;
  return value;
}
__global__ void reduce(int* value) { *value %= 1000003; }

/// One side of the game. A word through the socket says that a record was submitted.
void take_turns(int socket, int* value, cudaEvent_t own, cudaEvent_t other, bool begins) {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  char word = 0;
  for (int i = 0; i < rounds; ++i) {
    if (!begins || i > 0) {
      receive(socket, &word, 1);
      CUDA_OK(cudaStreamWaitEvent(stream, other, 0));
    }
    step<<<1, 1, 0, stream>>>(value, begins);
    if (!begins) reduce<<<1, 1, 0, stream>>>(value);
    CUDA_OK(cudaEventRecord(own, stream));
    tell(socket, &word, 1);
  }
  if (begins) receive(socket, &word, 1);
  CUDA_OK(cudaEventSynchronize(begins ? other : own));
  CUDA_OK(cudaEventQuery(own));
  CUDA_OK(cudaStreamDestroy(stream));
}

/// The other process: multiplies by 5 and 7 what the first has multiplied by 3.
int importer(int socket) {
  Offer offer;
  const int pool_file = receive(socket, &offer, sizeof offer);
  void *memory = nullptr, *again = nullptr;
  CUDA_OK(cudaIpcOpenMemHandle(&memory, offer.memory, cudaIpcMemLazyEnablePeerAccess));
  CUDA_OK(cudaIpcOpenMemHandle(&again, offer.memory, cudaIpcMemLazyEnablePeerAccess));
  CHECK(memory == again);
  check::equal("what the other process wrote", read(static_cast<int*>(memory)), numbers(3));
  launch(static_cast<int*>(memory), 5);
  CHECK_EQ(cudaFree(memory), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, memory));
  CHECK_EQ(attributes.type, cudaMemoryTypeDevice);

  cudaMemPool_t pool;
  CUDA_OK(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(intptr_t(pool_file)),
                                               cudaMemHandleTypePosixFileDescriptor, 0));
  void* pooled = nullptr;
  CUDA_OK(cudaMemPoolImportPointer(&pooled, pool, &offer.pooled));
  check::equal("memory of its pool", read(static_cast<int*>(pooled)), numbers(2));
  launch(static_cast<int*>(pooled), 7);
  CHECK_EQ(cudaMallocFromPoolAsync(&again, 1024, pool, nullptr), cudaErrorInvalidValue);
  cudaEvent_t theirs, own;
  CUDA_OK(cudaIpcOpenEventHandle(&theirs, offer.first));
  CUDA_OK(cudaIpcOpenEventHandle(&own, offer.second));
  take_turns(socket, static_cast<int*>(memory) + n, own, theirs, false);
  float milliseconds;
  CHECK_EQ(cudaEventElapsedTime(&milliseconds, own, theirs), cudaErrorInvalidResourceHandle);
  offer.first.reserved[0] ^= 1;
  CHECK_EQ(cudaIpcOpenEventHandle(&theirs, offer.first), cudaErrorInvalidResourceHandle);
  char done = 1;
  tell(socket, &done, 1);
  receive(socket, &done, 1);  // the other has written once more
  check::equal("written later", read(static_cast<int*>(memory)), numbers(3 * 5 * 2));
  CUDA_OK(cudaFreeAsync(pooled, nullptr));
  CUDA_OK(cudaMemPoolDestroy(pool));
  CUDA_OK(cudaIpcCloseMemHandle(memory));
  check::equal("still open", read(static_cast<int*>(memory)), numbers(3 * 5 * 2));
  CUDA_OK(cudaIpcCloseMemHandle(memory));
  CHECK_EQ(cudaIpcCloseMemHandle(memory), cudaErrorInvalidValue);
  offer.memory.reserved[0] ^= 1;
  CHECK_EQ(cudaIpcOpenMemHandle(&memory, offer.memory, 0), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
  return check::finish();
}

int exporter(int socket) {
  int *memory = nullptr, *small = nullptr, *pooled = nullptr;
  CUDA_OK(cudaMalloc(&memory, (n + 1) * sizeof(int)));
  CUDA_OK(cudaMemset(memory + n, 0, sizeof(int)));
  CUDA_OK(cudaMemcpy(memory, numbers(1).data(), n * sizeof(int), cudaMemcpyHostToDevice));
  launch(memory, 3);
  Offer offer;
  CUDA_OK(cudaIpcGetMemHandle(&offer.memory, memory));
  cudaIpcMemHandle_t again;
  CUDA_OK(cudaIpcGetMemHandle(&again, memory));
  CHECK(std::memcmp(&again, &offer.memory, sizeof again) == 0);
  CHECK_EQ(cudaIpcGetMemHandle(&again, &offer), cudaErrorInvalidValue);  // not device memory
  CHECK_EQ(cudaIpcGetMemHandle(nullptr, memory), cudaErrorInvalidValue);
  void* opened = nullptr;
  CHECK_EQ(cudaIpcOpenMemHandle(&opened, offer.memory, 0), cudaErrorDeviceUninitialized);
  CHECK_EQ(cudaIpcOpenMemHandle(&opened, offer.memory, 9), cudaErrorInvalidValue);
  // Small allocations have no pages of their own, unless devices have memories of their own.
  CUDA_OK(cudaMalloc(&small, 1000));
  const cudaError_t of_small = cudaIpcGetMemHandle(&again, small);
  CHECK(of_small == cudaSuccess || of_small == cudaErrorNotSupported);
  CUDA_OK(cudaFree(small));
  (void)cudaGetLastError();

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool, unshared;
  CUDA_OK(cudaMemPoolCreate(&unshared, &properties));
  int pool_file = -1;
  CHECK_EQ(cudaMemPoolExportToShareableHandle(&pool_file, unshared,
                                              cudaMemHandleTypePosixFileDescriptor, 0),
           cudaErrorInvalidValue);
  CUDA_OK(cudaMemPoolDestroy(unshared));
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  CUDA_OK(cudaMemPoolExportToShareableHandle(&pool_file, pool, cudaMemHandleTypePosixFileDescriptor,
                                             0));
  CUDA_OK(
      cudaMallocFromPoolAsync(reinterpret_cast<void**>(&pooled), n * sizeof(int), pool, nullptr));
  CUDA_OK(cudaMemcpy(pooled, numbers(2).data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemPoolExportPointer(&offer.pooled, pooled));
  CHECK_EQ(cudaMemPoolExportPointer(&offer.pooled, memory), cudaErrorInvalidValue);
  cudaEvent_t own, theirs, plain;
  CHECK_EQ(cudaEventCreateWithFlags(&own, cudaEventInterprocess), cudaErrorInvalidValue);
  CUDA_OK(cudaEventCreateWithFlags(&own, cudaEventInterprocess | cudaEventDisableTiming));
  CUDA_OK(cudaEventCreateWithFlags(&theirs, cudaEventInterprocess | cudaEventDisableTiming));
  CUDA_OK(cudaEventCreate(&plain));
  CHECK_EQ(cudaIpcGetEventHandle(&offer.first, plain), cudaErrorInvalidResourceHandle);
  CUDA_OK(cudaEventDestroy(plain));
  CUDA_OK(cudaIpcGetEventHandle(&offer.first, own));
  CUDA_OK(cudaIpcGetEventHandle(&offer.second, theirs));
  (void)cudaGetLastError();
  tell(socket, &offer, sizeof offer, pool_file);
  take_turns(socket, memory + n, own, theirs, true);

  char done = 0;
  receive(socket, &done, 1);
  int value = -1;
  CUDA_OK(cudaMemcpy(&value, memory + n, sizeof value, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, after_rounds());
  CUDA_OK(cudaEventDestroy(own));
  CUDA_OK(cudaEventDestroy(theirs));
  check::equal("multiplied by the other process", read(memory), numbers(3 * 5));
  check::equal("memory of the pool", read(pooled), numbers(2 * 7));
  launch(memory, 2);
  tell(socket, &done, 1);
  int status = 1;
  CHECK(wait(&status) > 0 && status == 0);
  check::equal("after the other is gone", read(memory), numbers(3 * 5 * 2));
  CUDA_OK(cudaFree(pooled));
  CUDA_OK(cudaMemPoolDestroy(pool));
  CUDA_OK(cudaFree(memory));
  CHECK_EQ(cudaIpcGetMemHandle(&offer.memory, memory), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  // Memory that comes where the exported was is nobody else's.
  CUDA_OK(cudaMalloc(&memory, n * sizeof(int)));
  CUDA_OK(cudaMemcpy(memory, numbers(4).data(), n * sizeof(int), cudaMemcpyHostToDevice));
  launch(memory, 2);
  check::equal("the next allocation", read(memory), numbers(8));
  CUDA_OK(cudaFree(memory));
  return check::finish();
}

int main() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
  const pid_t child = fork();  // before CUDA begins
  close(sockets[child == 0 ? 0 : 1]);
  if (child == 0) std::_Exit(importer(sockets[1]));
  return exporter(sockets[0]);
}
