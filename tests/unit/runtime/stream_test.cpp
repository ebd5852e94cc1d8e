// Streams and events: order, asynchrony, truthful queries, real timings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace gridspan::tests;
using namespace std::chrono_literals;

namespace {

class Streams : public CudaTest {};

/// A host function that waits until the test opens it, so that the queue stands still there.
class Gate {
 public:
  void enter(cudaStream_t stream) {
    ASSERT_CUDA(
        cudaLaunchHostFunc(stream, [](void* self) { static_cast<Gate*>(self)->hold(); }, this));
  }
  void open() { open_.store(true); }
  ~Gate() {
    open();
    EXPECT_CUDA(cudaDeviceSynchronize());
  }

 private:
  void hold() {
    while (!open_.load()) std::this_thread::sleep_for(100us);
  }
  std::atomic<bool> open_{false};
};

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamDefault) {
    EXPECT_CUDA(cudaStreamCreateWithFlags(&stream_, flags));
  }
  ~Stream() { EXPECT_CUDA(cudaStreamDestroy(stream_)); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

TEST_F(Streams, QueriesAreNotReadyWhileWorkIsBlocked) {
  Stream stream;
  cudaEvent_t event = nullptr;
  ASSERT_CUDA(cudaEventCreate(&event));
  EXPECT_CUDA(cudaEventQuery(event));  // never recorded: done
  {
    Gate gate;
    gate.enter(stream);
    ASSERT_CUDA(cudaEventRecord(event, stream));
    std::this_thread::sleep_for(5ms);
    expect_error(cudaStreamQuery(stream), cudaErrorNotReady);
    expect_error(cudaStreamQuery(nullptr), cudaErrorNotReady);  // legacy waits for blocking streams
    expect_error(cudaEventQuery(event), cudaErrorNotReady);
    float time = 0;
    expect_error(cudaEventElapsedTime(&time, event, event), cudaErrorNotReady);
    gate.open();
    EXPECT_CUDA(cudaStreamSynchronize(stream));
    EXPECT_CUDA(cudaStreamQuery(stream));
    EXPECT_CUDA(cudaEventQuery(event));
  }
  EXPECT_CUDA(cudaEventDestroy(event));
}

TEST_F(Streams, LegacyStreamIsReadyBesideNonBlockingOnes) {
  Stream apart(cudaStreamNonBlocking);
  Gate gate;
  gate.enter(apart);
  EXPECT_CUDA(cudaStreamQuery(nullptr));
  expect_error(cudaStreamQuery(apart), cudaErrorNotReady);
}

TEST_F(Streams, AsyncCallsReturnWhileTheStreamIsBlocked) {
  Stream stream;
  DeviceMemory device(2 << 20);
  void* pinned = nullptr;
  ASSERT_CUDA(cudaMallocHost(&pinned, 2 << 20));
  std::memset(pinned, 1, 2 << 20);
  std::vector<char> pageable(1000, 2);
  {
    Gate gate;
    gate.enter(stream);
    // None of these may wait, or the test hangs.
    EXPECT_CUDA(cudaMemcpyAsync(device.get(), pinned, 2 << 20, cudaMemcpyHostToDevice, stream));
    EXPECT_CUDA(cudaMemcpyAsync(device.get(), pageable.data(), pageable.size(),
                                cudaMemcpyHostToDevice, stream));
    std::fill(pageable.begin(), pageable.end(), char{3});  // its snapshot was taken
    EXPECT_CUDA(cudaMemsetAsync(device.get() + 1000, 4, 10, stream));
    EXPECT_CUDA(cudaMemset(device.get() + 1010, 5, 10));
    EXPECT_CUDA(cudaMemcpyAsync(pinned, device.get(), 1021, cudaMemcpyDeviceToHost, stream));
    EXPECT_CUDA(cudaMemcpy(device.get() + 2000, device.get(), 1000, cudaMemcpyDeviceToDevice));
    EXPECT_EQ(static_cast<char*>(pinned)[0], 1);
    gate.open();
    EXPECT_CUDA(cudaStreamSynchronize(stream));
  }
  const char* bytes = static_cast<char*>(pinned);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(bytes[i], 2);
  for (int i = 1000; i < 1010; ++i) ASSERT_EQ(bytes[i], 4);
  for (int i = 1010; i < 1020; ++i) ASSERT_EQ(bytes[i], 5);
  EXPECT_EQ(bytes[1020], 1);
  EXPECT_CUDA(cudaFreeHost(pinned));
}

TEST_F(Streams, LargePageableSourcesMayChangeAfterTheCall) {
  Stream stream;
  DeviceMemory device(8 << 20);
  std::vector<char> source(8 << 20, 6);
  ASSERT_CUDA(cudaMemsetAsync(device.get(), 0, 8 << 20, stream));
  ASSERT_CUDA(
      cudaMemcpyAsync(device.get(), source.data(), 8 << 20, cudaMemcpyHostToDevice, stream));
  std::fill(source.begin(), source.end(), char{7});
  std::vector<char> back(8 << 20);
  ASSERT_CUDA(cudaMemcpyAsync(back.data(), device.get(), 8 << 20, cudaMemcpyDeviceToHost, stream));
  // To pageable memory the call returns when the bytes are there.
  for (const char byte : back) ASSERT_EQ(byte, 6);
}

TEST_F(Streams, EventsMeasureTime) {
  cudaEvent_t start = nullptr, end = nullptr;
  ASSERT_CUDA(cudaEventCreate(&start));
  ASSERT_CUDA(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
  ASSERT_CUDA(cudaEventRecord(start));
  ASSERT_CUDA(
      cudaLaunchHostFunc(nullptr, [](void*) { std::this_thread::sleep_for(30ms); }, nullptr));
  ASSERT_CUDA(cudaEventRecord(end));
  ASSERT_CUDA(cudaEventSynchronize(end));
  float time = -1;
  ASSERT_CUDA(cudaEventElapsedTime(&time, start, end));
  EXPECT_GE(time, 30.0f);
  EXPECT_LT(time, 3000.0f);
  ASSERT_CUDA(cudaEventElapsedTime(&time, end, start));
  EXPECT_LE(time, -30.0f);
  // Recorded again, an event measures anew.
  ASSERT_CUDA(cudaEventRecord(start));
  ASSERT_CUDA(cudaEventRecord(end));
  ASSERT_CUDA(cudaEventSynchronize(end));
  ASSERT_CUDA(cudaEventElapsedTime(&time, start, end));
  EXPECT_GT(time, 0.0f);
  EXPECT_LT(time, 30.0f);
  EXPECT_CUDA(cudaEventDestroy(start));
  EXPECT_CUDA(cudaEventDestroy(end));
}

TEST_F(Streams, WrongEventsAreRefused) {
  cudaEvent_t event = nullptr, silent = nullptr;
  float time = 0;
  ASSERT_CUDA(cudaEventCreate(&event));
  ASSERT_CUDA(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming));
  ASSERT_CUDA(cudaEventRecord(silent));
  expect_error(cudaEventElapsedTime(&time, event, event), cudaErrorInvalidResourceHandle);
  EXPECT_CUDA(cudaEventRecord(event));
  EXPECT_CUDA(cudaEventSynchronize(event));
  expect_error(cudaEventElapsedTime(&time, event, silent), cudaErrorInvalidResourceHandle);
  expect_error(cudaEventElapsedTime(nullptr, event, event), cudaErrorInvalidValue);
  EXPECT_CUDA(cudaEventDestroy(event));
  EXPECT_CUDA(cudaEventDestroy(silent));
  expect_error(cudaEventRecord(event), cudaErrorInvalidResourceHandle);
  expect_error(cudaEventQuery(event), cudaErrorInvalidResourceHandle);
  expect_error(cudaEventSynchronize(event), cudaErrorInvalidResourceHandle);
  expect_error(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
  expect_error(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  expect_error(cudaEventCreate(nullptr), cudaErrorInvalidValue);
  expect_error(cudaEventCreateWithFlags(&event, 0x80), cudaErrorInvalidValue);
}

TEST_F(Streams, EventsMayBeDestroyedWhileTheyArePending) {
  Stream stream;
  Gate gate;
  gate.enter(stream);
  cudaEvent_t event = nullptr;
  ASSERT_CUDA(cudaEventCreate(&event));
  ASSERT_CUDA(cudaEventRecord(event, stream));
  EXPECT_CUDA(cudaEventDestroy(event));
}

TEST_F(Streams, StreamsMayBeDestroyedWhileTheyAreBusy) {
  std::atomic<int> ran{0};
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreate(&stream));
  for (int i = 0; i < 50; ++i) {
    ASSERT_CUDA(cudaLaunchHostFunc(
        stream, [](void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(1); }, &ran));
  }
  EXPECT_CUDA(cudaStreamDestroy(stream));
  expect_error(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  expect_error(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(ran.load(), 50);
}

TEST_F(Streams, OneStreamWaitsForAnothersEvent) {
  Stream producer, consumer(cudaStreamNonBlocking);
  DeviceMemory device(4096);
  std::vector<char> back(4096, 'p');
  void* pinned = nullptr;
  ASSERT_CUDA(cudaMallocHost(&pinned, 4096));
  cudaEvent_t produced = nullptr;
  ASSERT_CUDA(cudaEventCreate(&produced));
  {
    Gate gate;
    gate.enter(producer);
    ASSERT_CUDA(cudaMemsetAsync(device.get(), 9, 4096, producer));
    ASSERT_CUDA(cudaEventRecord(produced, producer));
    ASSERT_CUDA(cudaStreamWaitEvent(consumer, produced, 0));
    expect_error(cudaStreamQuery(consumer), cudaErrorNotReady);
    ASSERT_CUDA(cudaMemcpyAsync(pinned, device.get(), 4096, cudaMemcpyDeviceToHost, consumer));
    gate.open();
    ASSERT_CUDA(cudaStreamSynchronize(consumer));
  }
  for (int i = 0; i < 4096; ++i) ASSERT_EQ(static_cast<char*>(pinned)[i], 9);
  EXPECT_CUDA(cudaEventDestroy(produced));
  EXPECT_CUDA(cudaFreeHost(pinned));
  expect_error(cudaStreamWaitEvent(consumer, nullptr, 0), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, CallbacksLearnStreamAndStatus) {
  Stream stream;
  struct Seen {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } seen;
  const auto callback = [](cudaStream_t at, cudaError_t status, void* data) {
    *static_cast<Seen*>(data) = {at, status};
  };
  ASSERT_CUDA(cudaStreamAddCallback(stream, callback, &seen, 0));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(seen.stream, stream);
  EXPECT_EQ(seen.status, cudaSuccess);
  expect_error(cudaStreamAddCallback(stream, callback, &seen, 1), cudaErrorInvalidValue);
  expect_error(cudaStreamAddCallback(stream, nullptr, &seen, 0), cudaErrorInvalidValue);
  expect_error(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
}

TEST_F(Streams, HostFunctionsMustNotCallCuda) {
  cudaError_t inside = cudaSuccess;
  ASSERT_CUDA(cudaLaunchHostFunc(
      nullptr, [](void* data) { *static_cast<cudaError_t*>(data) = cudaDeviceSynchronize(); },
      &inside));
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(inside, cudaErrorNotPermitted);
  cudaGetLastError();  // the function may have run on this thread
}

TEST_F(Streams, FlagsPrioritiesAndIds) {
  int least = -99, greatest = -99;
  ASSERT_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_LE(greatest, least);
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10));
  int priority = 99;
  unsigned flags = 99;
  EXPECT_CUDA(cudaStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, greatest);
  EXPECT_CUDA(cudaStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  unsigned long long id = 0, other = 0;
  EXPECT_CUDA(cudaStreamGetId(stream, &id));
  EXPECT_CUDA(cudaStreamGetId(nullptr, &other));
  EXPECT_NE(id, other);
  EXPECT_CUDA(cudaStreamDestroy(stream));
  expect_error(cudaStreamCreateWithFlags(&stream, 8), cudaErrorInvalidValue);
  expect_error(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  expect_error(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, EachThreadHasItsOwnDefaultStream) {
  Gate gate;
  gate.enter(cudaStreamPerThread);
  expect_error(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  std::thread([] { EXPECT_CUDA(cudaStreamQuery(cudaStreamPerThread)); }).join();
}

}  // namespace
