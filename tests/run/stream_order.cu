// Streams that may overlap: random work on several of them, ordered only as CUDA says it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Streams and events | order through events, legacy and blocking streams, non-blocking ones; copies and fills beside kernels
//
// The host keeps the values that each buffer has to have, and orders commands that touch the same
// buffer by an event, by using the same stream, or by the legacy stream where that waits. What is
// in order by none of these may run at once. Kernels take different times.
#include "check.h"

#include <array>

namespace {

constexpr int size = 257, buffers = 6, streams = 5;

__global__ void combine(unsigned* to, const unsigned* from, unsigned factor, int patience) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  unsigned value = to[i];
  for (int k = 0; k < patience; ++k) value = value * 1664525u + 1013904223u;
  to[i] = value * factor + from[i];
}

struct Buffer {
  unsigned* memory = nullptr;
  std::vector<unsigned> values = std::vector<unsigned>(size);
  cudaEvent_t last_write{}, last_read{};
  int writer = -1;                 // stream
  std::array<bool, streams> read;  // since the last write, by streams
};

class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    // 0: legacy; 1, 2: blocking; 3, 4: not.
    for (int s = 1; s < streams; ++s)
      CUDA_OK(cudaStreamCreateWithFlags(&handles_[s],
                                        s < 3 ? cudaStreamDefault : cudaStreamNonBlocking));
    for (Buffer& buffer : all_) {
      CUDA_OK(cudaMalloc(&buffer.memory, size * sizeof(unsigned)));
      CUDA_OK(cudaEventCreateWithFlags(&buffer.last_write, cudaEventDisableTiming));
      CUDA_OK(cudaEventCreateWithFlags(&buffer.last_read, cudaEventDisableTiming));
      buffer.values = random_.integers<unsigned>(size, 0, 1000);
      CUDA_OK(cudaMemcpy(buffer.memory, buffer.values.data(), size * sizeof(unsigned),
                         cudaMemcpyHostToDevice));
      buffer.read.fill(false);
    }
    CUDA_OK(cudaMallocHost(&pinned_, steps * size * sizeof(unsigned)));
    CUDA_OK(cudaDeviceSynchronize());
  }
  ~Program() {
    for (int s = 1; s < streams; ++s) CUDA_OK(cudaStreamDestroy(handles_[s]));
    for (Buffer& buffer : all_) {
      CUDA_OK(cudaFree(buffer.memory));
      CUDA_OK(cudaEventDestroy(buffer.last_write));
      CUDA_OK(cudaEventDestroy(buffer.last_read));
    }
    CUDA_OK(cudaFreeHost(pinned_));
  }

  void run() {
    for (int step = 0; step < steps; ++step) one_step(step);
    CUDA_OK(cudaDeviceSynchronize());
    for (int b = 0; b < buffers; ++b) {
      std::vector<unsigned> got(size, 0xdeadbeef);
      CUDA_OK(
          cudaMemcpy(got.data(), all_[b].memory, size * sizeof(unsigned), cudaMemcpyDeviceToHost));
      check::equal("buffer " + std::to_string(b), got, all_[b].values);
    }
    for (const auto& [place, values] : brought_)
      check::equal("a copy to the host",
                   std::vector<unsigned>(pinned_ + place, pinned_ + place + size), values);
  }

 private:
  static constexpr int steps = 60;

  int pick(int count) { return random_.integers<int>(1, 0, count - 1)[0]; }
  static bool is_ordered(int earlier, int later) {
    const auto blocks = [](int s) { return s < 3; };
    return earlier == later || ((earlier == 0 || later == 0) && blocks(earlier) && blocks(later));
  }
  /// Each buffer has one event for its last write; readers record one, too, which the next write
  /// waits for if only one stream has read, else for all.
  void before_read(Buffer& buffer, int s) {
    if (buffer.writer >= 0 && !is_ordered(buffer.writer, s))
      CUDA_OK(cudaStreamWaitEvent(handles_[s], buffer.last_write, 0));
  }
  void after_read(Buffer& buffer, int s) {
    // Chained: the new event stands for all reads before.
    for (int other = 0; other < streams; ++other) {
      if (buffer.read[other] && !is_ordered(other, s))
        CUDA_OK(cudaStreamWaitEvent(handles_[s], buffer.last_read, 0));
    }
    buffer.read.fill(false);
    buffer.read[s] = true;
    CUDA_OK(cudaEventRecord(buffer.last_read, handles_[s]));
  }
  void before_write(Buffer& buffer, int s) {
    before_read(buffer, s);
    for (int other = 0; other < streams; ++other) {
      if (buffer.read[other] && !is_ordered(other, s))
        CUDA_OK(cudaStreamWaitEvent(handles_[s], buffer.last_read, 0));
    }
  }
  void after_write(Buffer& buffer, int s) {
    buffer.writer = s;
    buffer.read.fill(false);
    CUDA_OK(cudaEventRecord(buffer.last_write, handles_[s]));
  }

  void one_step(int step) {
    const int s = pick(streams), a = pick(buffers), b = (a + 1 + pick(buffers - 1)) % buffers;
    Buffer &to = all_[a], &from = all_[b];
    switch (pick(8)) {
      case 0: {  // from the host, which may change it at once
        std::vector<unsigned> given = random_.integers<unsigned>(size, 0, 1000);
        before_write(to, s);
        CUDA_OK(cudaMemcpyAsync(to.memory, given.data(), size * sizeof(unsigned),
                                cudaMemcpyHostToDevice, handles_[s]));
        to.values = given;
        given.assign(size, 7);
        after_write(to, s);
        break;
      }
      case 1: {  // to memory of the host that nobody reads until the end
        before_read(from, s);
        CUDA_OK(cudaMemcpyAsync(pinned_ + step * size, from.memory, size * sizeof(unsigned),
                                cudaMemcpyDeviceToHost, handles_[s]));
        brought_.emplace_back(step * size, from.values);
        after_read(from, s);
        break;
      }
      case 2:
        before_write(to, s);
        CUDA_OK(cudaMemsetAsync(to.memory, step, size * sizeof(unsigned), handles_[s]));
        to.values.assign(size, 0x01010101u * static_cast<unsigned>(step));
        after_write(to, s);
        break;
      case 3:
        before_read(from, s);
        before_write(to, s);
        CUDA_OK(cudaMemcpyAsync(to.memory, from.memory, size * sizeof(unsigned),
                                cudaMemcpyDeviceToDevice, handles_[s]));
        to.values = from.values;
        after_read(from, s);
        after_write(to, s);
        break;
      case 4:
        CUDA_OK(cudaStreamSynchronize(handles_[s]));
        break;
      default: {
        const int patience = pick(4) == 0 ? 20000 : pick(50);
        const unsigned factor = 2 * static_cast<unsigned>(pick(100)) + 1;
        before_read(from, s);
        before_write(to, s);
        combine<<<3, 96, 0, handles_[s]>>>(to.memory, from.memory, factor, patience);
        CUDA_OK(cudaGetLastError());
        for (int i = 0; i < size; ++i) {
          unsigned value = to.values[i];
          for (int k = 0; k < patience; ++k) value = value * 1664525u + 1013904223u;
          to.values[i] = value * factor + from.values[i];
        }
        after_read(from, s);
        after_write(to, s);
      }
    }
  }

  check::Random random_;
  std::array<cudaStream_t, streams> handles_{};
  std::array<Buffer, buffers> all_;
  unsigned* pinned_ = nullptr;
  std::vector<std::pair<int, std::vector<unsigned>>> brought_;
};

}  // namespace

int main() {
  for (unsigned seed = 1; seed <= 6; ++seed) Program(seed).run();
  return check::finish();
}
