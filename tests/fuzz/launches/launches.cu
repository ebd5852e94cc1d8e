// Random sequences of random launches, copies and fills over a few buffers: one line for each seed,
// with a sum of all that the sequence leaves behind. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
//
//     launches FIRST COUNT [SIZE]    seeds FIRST to FIRST + COUNT - 1; buffers have SIZE words,
//     more or less; with LAUNCHES_HELD=no the stream is not kept from beginning meanwhile
//
// tests/fuzz/launches/run.py compares these lines between settings. No launch races with itself:
// threads of a kernel read and write different words, or the same thread the same ones. Sums are of
// integers.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#define OK(call)                                                                                   \
  do {                                                                                             \
    if (const cudaError_t error = (call); error != cudaSuccess) {                                  \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(error)); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

using U = unsigned;
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define J (blockIdx.y * blockDim.y + threadIdx.y)

__host__ __device__ static U mix(U a, U b) {
  return a * 1664525u + (b ^ (b >> 13)) * 1013904223u + 12345u;
}

// x is read, y written; n words of either. Which kernels may get the same words for both:
// `in_place`.
__global__ void numbers(U* y, U a, int n) {
  if (I < n) y[I] = mix(a, I);
}
__global__ void scale(U* y, U a, int n) {
  if (I < n) y[I] = y[I] * (2 * a + 1) + 7;
}
__global__ void add(U* y, const U* x, U a, int n) {
  if (I < n) y[I] += a * x[I];
}
__global__ void add_in_strides(U* y, const U* x, U a, int n) {
  for (int i = I; i < n; i += gridDim.x * blockDim.x) y[i] = mix(y[i], a ^ x[i]);
}
__global__ void reversed(U* y, const U* x, int n) {
  if (I < n) y[I] ^= x[n - 1 - I];
}
__global__ void stencil(U* y, const U* x, int n) {
  if (I < n) y[I] = mix(x[I > 0 ? I - 1 : 0], 3 * x[I] + x[I + 1 < n ? I + 1 : I]);
}
__global__ void periodic(U* y, const U* x, int n) {
  if (I < n) y[I] = mix(x[I == 0 ? n - 1 : I - 1], x[I + 1 == n ? 0 : I + 1]);
}
__global__ void inside(U* y, const U* x, int n) {
  if (I > 1 && I < n - 2) y[I] = mix(x[I - 2], x[I + 2]);
}
__global__ void stencil_2d(U* y, const U* x, int w, int h) {
  if (I >= w || J >= h) return;
  const int i = J * w + I;
  y[i] = mix(x[J > 0 ? i - w : i] + 3 * x[J + 1 < h ? i + w : i],
             x[I > 0 ? i - 1 : i] + 5 * x[I + 1 < w ? i + 1 : i]);
}
__global__ void transposed(U* y, const U* x, int w, int h) {
  if (I < w && J < h) y[I * h + J] = mix(y[I * h + J], x[J * w + I]);
}
__global__ void sums_of_rows(U* y, const U* x, int w, int h) {
  if (I >= h) return;
  U sum = 0;
  for (int i = 0; i < w; ++i) sum = mix(sum, x[I * w + i]);
  y[I] += sum;
}
__global__ void down_columns(U* y, int w, int h) {
  if (I >= w) return;
  for (int j = 1; j < h; ++j) y[j * w + I] = mix(y[j * w + I], y[(j - 1) * w + I]);
}
__global__ void gather(U* y, const U* x, int n) {
  if (I < n) y[I] += x[x[I] % n];
}
__global__ void odd_only(U* y, const U* x, int n) {
  if (I < n && x[I] % 2) y[I] = x[I] / 2;
}
__global__ void every_third(U* y, const U* x, int n) {
  if (3 * I < n) y[3 * I] = mix(y[3 * I], x[I]);
}
__global__ void count(U* y, const U* x, int n) {
  if (I < n) atomicAdd(&y[x[I] % 61], 1u);
}
__global__ void most(U* y, const U* x, int n) {
  if (I < n) atomicMax(&y[I / 100], x[I]);
}
__global__ void turned_in_block(U* y, const U* x, int n) {
  extern __shared__ U tile[];
  const int t = threadIdx.x, last = blockDim.x - 1;
  tile[t] = I < n ? x[I] : 5;
  __syncthreads();
  if (I < n) y[I] = mix(y[I], tile[last - t]);
}
/// A row of blocks along y only.
__global__ void by_rows_of_blocks(U* y, const U* x, int n) {
  const int i = blockIdx.y * blockDim.x + threadIdx.x;
  if (i < n) y[i] -= x[i];
}
__global__ void bytes_of(unsigned char* y, const unsigned char* x, int n) {
  if (I < n) y[I] = static_cast<unsigned char>(y[I] * 3 + x[I]);
}

class Sequence {
 public:
  Sequence(U seed, int size) : random_(seed), size_(size) {
    OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other_, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    for (cudaEvent_t& one : times_) OK(cudaEventCreate(&one));
    for (int i = 0; i < 5; ++i) add_buffer();
  }
  ~Sequence() {
    for (const Buffer& buffer : buffers_) OK(cudaFree(buffer.words));
    OK(cudaEventDestroy(event_));
    for (const cudaEvent_t one : times_) OK(cudaEventDestroy(one));
    OK(cudaStreamDestroy(stream_));
    OK(cudaStreamDestroy(other_));
  }

  U run() {
    if (chance(2)) alike_ = {number(size_ / 4, size_ / 2 - 2), odd_size(), number(1, 300)};
    const int length = number(2, 9), turns = number(0, 2) == 0 ? number(4, 14) : 1;
    std::vector<U> seeds(length);
    for (U& one : seeds) one = random_();
    for (int turn = 0; turn < turns; ++turn) {
      hold();
      for (const U seed : seeds) {
        random_.seed(seed);  // the same in each turn
        step();
      }
      if (turn % 4 == 3) release();
    }
    release();
    OK(cudaDeviceSynchronize());
    check_times();
    return sum();
  }

 private:
  struct Buffer {
    U* words;
    int size;
  };
  struct Range {
    U* words;
    int size;
  };
  /// Of launches of equal size, which may become one kernel. `words` is 0 where sizes differ.
  struct Alike {
    int words = 0, block = 0, width = 0;
  };

  /// What comes next on the stream waits for `release`, so that it comes in long windows.
  void hold() {
    if (is_held_ || !may_hold_) return;
    is_held_ = true;
    gates_.emplace_back(false);
    OK(cudaLaunchHostFunc(
        stream_,
        [](void* gate) {
          while (!static_cast<std::atomic<bool>*>(gate)->load()) std::this_thread::yield();
        },
        &gates_.back()));
  }
  void release() {
    if (is_held_) gates_.back() = true;
    is_held_ = false;
  }

  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int in) { return number(1, in) == 1; }

  int odd_size() {
    const int block = 1 << number(4, 8);
    return chance(4) ? block - 3 : block;
  }

  void add_buffer() {
    Buffer buffer{nullptr, number(size_ / 2, size_)};
    OK(cudaMalloc(&buffer.words, buffer.size * sizeof(U)));
    std::vector<U> values(buffer.size);
    for (U& value : values) value = random_();
    OK(cudaMemcpy(buffer.words, values.data(), buffer.size * sizeof(U), cudaMemcpyHostToDevice));
    buffers_.push_back(buffer);
  }

  /// Two ranges with no word in common, of as many words: parts of two buffers, or of one.
  std::pair<Range, Range> two_ranges() {
    if (alike_.words != 0) {
      const int a = number(0, 2), b = (a + number(1, 2)) % 3;
      U* const words = buffers_[a].words + (chance(12) ? 1 : 0);
      return {{words, alike_.words}, {buffers_[b].words, alike_.words}};
    }
    const int a = number(0, 4), b = chance(5) ? a : number(0, 4);
    const Buffer &one = buffers_[a], &other = buffers_[b];
    if (a == b) {
      const int most = one.size / 2, size = chance(3) ? most : number(1, most);
      const int first = number(0, most - size), second = most + number(0, most - size);
      return {{one.words + first, size}, {one.words + second, size}};
    }
    const int most = std::min(one.size, other.size);
    const int size = chance(2) ? most - number(0, 3) : number(most / 2, most);
    const int first = chance(3) ? number(0, one.size - size) : 0;
    const int second = chance(3) ? number(0, other.size - size) : 0;
    return {{one.words + first, size}, {other.words + second, size}};
  }

  void step() {
    cudaStream_t stream = stream_;
    switch (number(1, 40)) {
      case 1:
        release();
        OK(cudaStreamSynchronize(stream_));
        break;
      case 2:
        OK(cudaEventRecord(event_, stream_));
        OK(cudaStreamWaitEvent(other_, event_));
        launch(other_);
        OK(cudaEventRecord(event_, other_));
        OK(cudaStreamWaitEvent(stream_, event_));
        break;
      case 3:
        replace_buffer();
        break;
      case 4:
        graph();
        break;
      case 5:
        read_back();
        break;
      case 6:
      case 7:
        short_lived();
        break;
      case 8:
        timed();
        break;
      default:
        any(stream);
    }
  }

  void any(cudaStream_t stream) {
    const int kind = number(1, 8);
    if (kind == 1) return copy(stream);
    if (kind == 2) return fill(stream);
    launch(stream);
  }

  void copy(cudaStream_t stream) {
    auto [to, from] = two_ranges();
    const int cut = chance(3) ? number(0, 3) : 0;  // bytes
    if (to.size < 2) return;
    OK(cudaMemcpyAsync(reinterpret_cast<char*>(to.words) + cut, reinterpret_cast<char*>(from.words),
                       to.size * sizeof(U) - cut, cudaMemcpyDeviceToDevice, stream));
  }

  void fill(cudaStream_t stream) {
    const Range range = two_ranges().first;
    const int bytes = static_cast<int>(range.size * sizeof(U)),
              cut = number(0, std::min(bytes - 1, 9));
    OK(cudaMemsetAsync(reinterpret_cast<char*>(range.words) + cut, number(0, 255), bytes - cut,
                       stream));
  }

  /// An array that is allocated, written, read and freed in the order of the stream.
  void short_lived() {
    const auto [to, from] = two_ranges();
    Range own{nullptr, to.size};
    OK(cudaMallocAsync(&own.words, own.size * sizeof(U), stream_));
    const int block = block_size(), blocks = (own.size + block - 1) / block;
    numbers<<<blocks, block, 0, stream_>>>(own.words, random_(), own.size);
    for (int count = number(0, 2); count > 0; --count) launch(stream_, own, from);
    launch(stream_, to, own);
    OK(cudaFreeAsync(own.words, stream_));
  }

  /// Launches between events that take times.
  void timed() {
    OK(cudaEventRecord(times_[0], stream_));
    for (int count = number(1, 3); count > 0; --count) launch(stream_);
    OK(cudaEventRecord(times_[1], stream_));
    is_timed_ = true;
  }
  void check_times() {
    float milliseconds = 0;
    if (is_timed_) OK(cudaEventElapsedTime(&milliseconds, times_[0], times_[1]));
    if (milliseconds < 0) std::exit((std::fprintf(stderr, "it took %g ms\n", milliseconds), 1));
  }

  void replace_buffer() {
    release();
    OK(cudaStreamSynchronize(stream_));
    OK(cudaStreamSynchronize(other_));
    const int which = number(0, 4);
    OK(cudaFree(buffers_[which].words));
    add_buffer();
    std::swap(buffers_[which], buffers_.back());
    buffers_.pop_back();
  }

  void graph() {
    release();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    OK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (int count = number(2, 5); count > 0; --count) any(stream_);
    OK(cudaStreamEndCapture(stream_, &graph));
    OK(cudaGraphInstantiate(&executable, graph, 0));
    for (int count = number(1, 3); count > 0; --count) OK(cudaGraphLaunch(executable, stream_));
    OK(cudaStreamSynchronize(stream_));
    OK(cudaGraphExecDestroy(executable));
    OK(cudaGraphDestroy(graph));
  }

  void read_back() {
    release();
    const Range range = two_ranges().first;
    std::vector<U> words(std::min(range.size, 100));
    OK(cudaMemcpyAsync(words.data(), range.words, words.size() * sizeof(U), cudaMemcpyDeviceToHost,
                       stream_));
    OK(cudaStreamSynchronize(stream_));
    for (const U word : words) seen_ = mix(seen_, word);
  }

  int block_size() { return alike_.words != 0 ? alike_.block : odd_size(); }

  void launch(cudaStream_t stream) {
    const auto [y, x] = two_ranges();
    launch(stream, y, x);
  }
  void launch(cudaStream_t stream, Range y, Range x) {
    const int n = y.size, odd = block_size();
    const int blocks = (n + odd - 1) / odd;
    const U a = random_();
    const int w = alike_.words != 0 ? std::min(alike_.width, n) : number(1, std::min(n, 400));
    const int h = n / w;
    const dim3 tile(16, alike_.words != 0 ? 4 : number(1, 8)),
        tiles((w + 15) / 16, (h + tile.y - 1) / tile.y);
    constexpr int pointwise[] = {1, 2, 4, 6, 16};
    switch (alike_.words != 0 && !chance(5) ? pointwise[number(0, 4)] : number(1, 21)) {
      case 1:
        return numbers<<<blocks, odd, 0, stream>>>(y.words, a, n);
      case 2:
      case 3:
        return scale<<<blocks, odd, 0, stream>>>(y.words, a, n);
      case 4:
      case 5:
        return add<<<blocks, odd, 0, stream>>>(y.words, chance(3) ? y.words : x.words, a, n);
      case 6:
        return add_in_strides<<<(blocks + 3) / 4, odd, 0, stream>>>(y.words, x.words, a, n);
      case 7:
        return reversed<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 8:
        return stencil<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 9:
        return periodic<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 10:
        return inside<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 11:
        return stencil_2d<<<tiles, tile, 0, stream>>>(y.words, x.words, w, h);
      case 12:
        return transposed<<<tiles, tile, 0, stream>>>(y.words, x.words, w, h);
      case 13:
        return sums_of_rows<<<(h + odd - 1) / odd, odd, 0, stream>>>(y.words, x.words, w, h);
      case 14:
        return down_columns<<<(w + odd - 1) / odd, odd, 0, stream>>>(y.words, w, h);
      case 15:
        return gather<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 16:
        return odd_only<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 17:
        return every_third<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 18:
        if (n < 61) return;
        return count<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 19:
        return most<<<blocks, odd, 0, stream>>>(y.words, x.words, n);
      case 20:
        return turned_in_block<<<blocks, odd, odd * sizeof(U), stream>>>(y.words, x.words, n);
      default:
        if (chance(2))
          return bytes_of<<<4 * blocks, odd, 0, stream>>>(
              reinterpret_cast<unsigned char*>(y.words) + 1,
              reinterpret_cast<unsigned char*>(x.words), 4 * n - 1);
        return by_rows_of_blocks<<<dim3(1, blocks), odd, 0, stream>>>(y.words, x.words, n);
    }
  }

  U sum() {
    U all = seen_;
    for (const Buffer& buffer : buffers_) {
      std::vector<U> words(buffer.size);
      OK(cudaMemcpy(words.data(), buffer.words, buffer.size * sizeof(U), cudaMemcpyDeviceToHost));
      for (const U word : words) all = mix(all, word);
    }
    return all;
  }

  std::mt19937 random_;
  const int size_;
  std::vector<Buffer> buffers_;
  cudaStream_t stream_ = nullptr, other_ = nullptr;
  cudaEvent_t event_ = nullptr, times_[2] = {};
  bool is_timed_ = false;
  Alike alike_;
  std::deque<std::atomic<bool>> gates_;
  const bool may_hold_ = std::getenv("LAUNCHES_HELD") == nullptr;
  bool is_held_ = false;
  U seen_ = 0;
};

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: %s FIRST COUNT [SIZE]\n", argv[0]), 2;
  const U first = std::strtoul(argv[1], nullptr, 10), count = std::strtoul(argv[2], nullptr, 10);
  const int size = argc > 3 ? std::atoi(argv[3]) : 20'000;
  for (U seed = first; seed < first + count; ++seed) {
    const U sum = Sequence(seed, size).run();
    OK(cudaGetLastError());
    std::printf("%u %08x\n", seed, sum);
  }
}
