// NCCL between ranks of one process: every collective, type and operation against sums by hand, one
// thread for all ranks and one for each, messages, splits, order in streams, graphs, refusals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nccl.h>

#include "nccl_check.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <thread>

namespace {

#define RIGHT(call) EXPECT((call) == ncclSuccess)
#define CUDA(call) EXPECT((call) == cudaSuccess)

std::mt19937_64 engine(7);

__global__ void fill_late(unsigned char* to, const unsigned char* from, int bytes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bytes) to[i] = from[i];
}

/// A rank's buffers, stream and device. `in` gets its content by a kernel of the stream.
template <typename T>
struct Rank {
  Rank(int device, std::size_t in_count, std::size_t out_count)
      : device(device),
        in_bytes(static_cast<int>(in_count * sizeof(T))),
        source(in_count),
        in(in_count),
        out(out_count + 1) {
    CUDA(cudaSetDevice(device));
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (T& x : source.host) x = random_element<T>(engine);
    source.to_device();
    std::memset(static_cast<void*>(in.host.data()), 0x5a, in_count * sizeof(T));
    std::memset(static_cast<void*>(out.host.data()), 0xa5, (out_count + 1) * sizeof(T));
    in.to_device();
    out.to_device();
  }
  ~Rank() { CUDA(cudaStreamDestroy(stream)); }
  void fill() {
    CUDA(cudaSetDevice(device));
    if (in_bytes > 0)
      fill_late<<<(in_bytes + 63) / 64, 64, 0, stream>>>(
          reinterpret_cast<unsigned char*>(in.device),
          reinterpret_cast<const unsigned char*>(source.device), in_bytes);
  }
  /// What is in `out` when the stream is through. Nothing was written behind.
  std::vector<T> result() {
    CUDA(cudaSetDevice(device));
    CUDA(cudaStreamSynchronize(stream));
    std::vector<T> all = out.from_device();
    EXPECT(same_bits(all.back(), out.host.back()));
    all.pop_back();
    return all;
  }
  int device, in_bytes;
  Array<T> source, in, out;
  cudaStream_t stream = nullptr;
};

/// There may be fewer devices than ranks.
int device_of(int rank) {
  static const int devices = [] {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 1;
  }();
  return rank % devices;
}

template <typename T>
using Ranks = std::vector<std::unique_ptr<Rank<T>>>;

template <typename T>
Ranks<T> make_ranks(int count, std::size_t in, std::size_t out) {
  Ranks<T> ranks;
  for (int i = 0; i < count; ++i) ranks.push_back(std::make_unique<Rank<T>>(device_of(i), in, out));
  return ranks;
}

template <typename T>
std::vector<std::vector<T>> sources(const Ranks<T>& ranks) {
  std::vector<std::vector<T>> all;
  for (const auto& rank : ranks) all.push_back(rank->source.host);
  return all;
}

/// Communicators that one thread makes, destroyed at the end.
struct Comms {
  explicit Comms(int count) : all(static_cast<std::size_t>(count)) {
    ncclUniqueId id;
    RIGHT(ncclGetUniqueId(&id));
    RIGHT(ncclGroupStart());
    for (int rank = 0; rank < count; ++rank) {
      CUDA(cudaSetDevice(device_of(rank)));
      RIGHT(ncclCommInitRank(&all[static_cast<std::size_t>(rank)], count, id, rank));
    }
    RIGHT(ncclGroupEnd());
    CUDA(cudaSetDevice(0));
  }
  Comms(const Comms&) = delete;
  ~Comms() {
    for (ncclComm_t comm : all) RIGHT(ncclCommDestroy(comm));
  }
  ncclComm_t operator[](int i) const { return all[static_cast<std::size_t>(i)]; }
  std::vector<ncclComm_t> all;
};

/// One thread makes all ranks' calls.
void grouped(int ranks, const std::function<ncclResult_t(int)>& call) {
  RIGHT(ncclGroupStart());
  for (int rank = 0; rank < ranks; ++rank) RIGHT(call(rank));
  RIGHT(ncclGroupEnd());
}

/// Each rank's calls are a thread's.
void threaded(int ranks, const std::function<void(int)>& call) {
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back([&call, rank] { call(rank); });
  for (std::thread& thread : threads) thread.join();
}

template <typename T>
void compare(const char* what, const std::vector<T>& got,
             const std::function<T(std::size_t)>& wanted) {
  std::size_t differ = 0;
  for (std::size_t i = 0; i < got.size(); ++i) differ += !same_bits(got[i], wanted(i));
  if (!EXPECT(differ == 0))
    std::printf("%s: %zu of %zu elements differ\n", what, differ, got.size());
}

template <typename T>
void check_reductions(ncclDataType_t type, int count, std::size_t n) {
  const Comms comms(count);
  for (const ncclRedOp_t op : {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg}) {
    for (const bool in_place : {false, true}) {
      auto ranks = make_ranks<T>(count, n, n);
      const auto all = sources(ranks);
      const auto wanted = [&](std::size_t i) { return combined(all, i, op); };
      for (auto& rank : ranks) rank->fill();
      grouped(count, [&](int r) {
        Rank<T>& rank = *ranks[static_cast<std::size_t>(r)];
        return ncclAllReduce(rank.in.device, in_place ? rank.in.device : rank.out.device, n, type,
                             op, comms[r], rank.stream);
      });
      for (auto& rank : ranks) {
        if (in_place)
          CUDA(cudaMemcpyAsync(rank->out.device, rank->in.device, n * sizeof(T),
                               cudaMemcpyDeviceToDevice, rank->stream));
        compare<T>("all reduce", rank->result(), wanted);
      }
      if (in_place) print_bits("all reduce", ranks.front()->result());
    }
    const int root = count - 1;
    auto ranks = make_ranks<T>(count, n, n);
    const auto all = sources(ranks);
    for (auto& rank : ranks) rank->fill();
    grouped(count, [&](int r) {
      Rank<T>& rank = *ranks[static_cast<std::size_t>(r)];
      return ncclReduce(rank.in.device, r == root ? rank.out.device : nullptr, n, type, op, root,
                        comms[r], rank.stream);
    });
    compare<T>("reduce", ranks[static_cast<std::size_t>(root)]->result(),
               [&](std::size_t i) { return combined(all, i, op); });

    auto parts = make_ranks<T>(count, n * static_cast<std::size_t>(count), n);
    const auto whole = sources(parts);
    for (auto& rank : parts) rank->fill();
    grouped(count, [&](int r) {
      Rank<T>& rank = *parts[static_cast<std::size_t>(r)];
      return ncclReduceScatter(rank.in.device, rank.out.device, n, type, op, comms[r], rank.stream);
    });
    for (std::size_t r = 0; r < parts.size(); ++r)
      compare<T>("reduce scatter", parts[r]->result(),
                 [&](std::size_t i) { return combined(whole, r * n + i, op); });
  }
}

/// In place, with more ranks than one launch combines: each in turn is the one whose array is
/// written.
void check_many_in_place(int count, std::size_t n) {
  const Comms comms(count);
  const std::size_t many = static_cast<std::size_t>(count);
  auto parts = make_ranks<float>(count, n * many, n);
  const auto whole = sources(parts);
  for (auto& rank : parts) rank->fill();
  grouped(count, [&](int r) {
    Rank<float>& rank = *parts[static_cast<std::size_t>(r)];
    return ncclReduceScatter(rank.in.device, rank.in.device + static_cast<std::size_t>(r) * n, n,
                             ncclFloat, ncclSum, comms[r], rank.stream);
  });
  for (std::size_t r = 0; r < many; ++r) {
    Rank<float>& rank = *parts[r];
    CUDA(cudaSetDevice(rank.device));
    CUDA(cudaMemcpyAsync(rank.out.device, rank.in.device + r * n, n * sizeof(float),
                         cudaMemcpyDeviceToDevice, rank.stream));
    compare<float>("in place", rank.result(),
                   [&](std::size_t i) { return combined(whole, r * n + i, ncclSum); });
  }
  for (int root = 0; root < count; ++root) {
    auto ranks = make_ranks<int>(count, n, n);
    const auto all = sources(ranks);
    for (auto& rank : ranks) rank->fill();
    grouped(count, [&](int r) {
      Rank<int>& rank = *ranks[static_cast<std::size_t>(r)];
      return ncclReduce(rank.in.device, rank.in.device, n, ncclInt32, ncclSum, root, comms[r],
                        rank.stream);
    });
    Rank<int>& rank = *ranks[static_cast<std::size_t>(root)];
    CUDA(cudaSetDevice(rank.device));
    CUDA(cudaMemcpyAsync(rank.out.device, rank.in.device, n * sizeof(int), cudaMemcpyDeviceToDevice,
                         rank.stream));
    compare<int>("in place", rank.result(),
                 [&](std::size_t i) { return combined(all, i, ncclSum); });
  }
}

/// As many as there are devices, at most four.
void check_all_devices() {
  int devices = 0, right = 1;
  CUDA(cudaGetDeviceCount(&devices));
  const int count = devices < 4 ? devices : 4;
  std::vector<ncclComm_t> comms(4);
  RIGHT(ncclCommInitAll(comms.data(), count, nullptr));
  for (int i = 0; i < count; ++i) {
    int rank = -1, size = -1, device = -1;
    ncclComm_t const comm = comms[static_cast<std::size_t>(i)];
    right &= ncclCommUserRank(comm, &rank) == ncclSuccess &&
             ncclCommCount(comm, &size) == ncclSuccess &&
             ncclCommCuDevice(comm, &device) == ncclSuccess && rank == i && size == count &&
             device == i && ncclCommDestroy(comm) == ncclSuccess;
  }
  EXPECT(right);
}

void check_copies(int count, std::size_t n) {
  using T = unsigned;
  const Comms comms(count);
  const int root = count / 2;
  auto ranks = make_ranks<T>(count, n, n);
  const auto all = sources(ranks);
  for (auto& rank : ranks) rank->fill();
  grouped(count, [&](int r) {
    Rank<T>& rank = *ranks[static_cast<std::size_t>(r)];
    return ncclBroadcast(r == root ? rank.in.device : nullptr, rank.out.device, n, ncclUint32, root,
                         comms[r], rank.stream);
  });
  for (auto& rank : ranks)
    compare<T>("broadcast", rank->result(),
               [&](std::size_t i) { return all[static_cast<std::size_t>(root)][i]; });
  grouped(count, [&](int r) {
    Rank<T>& rank = *ranks[static_cast<std::size_t>(r)];
    return ncclBcast(rank.in.device, n, ncclUint32, root, comms[r], rank.stream);
  });
  for (auto& rank : ranks) {
    CUDA(cudaMemcpyAsync(rank->out.device, rank->in.device, n * sizeof(T), cudaMemcpyDeviceToDevice,
                         rank->stream));
    compare<T>("bcast", rank->result(),
               [&](std::size_t i) { return all[static_cast<std::size_t>(root)][i]; });
  }

  auto wide = make_ranks<T>(count, n, n * static_cast<std::size_t>(count));
  const auto parts = sources(wide);
  for (auto& rank : wide) rank->fill();
  grouped(count, [&](int r) {
    Rank<T>& rank = *wide[static_cast<std::size_t>(r)];
    // In place for one of them.
    T* const own = rank.out.device + static_cast<std::size_t>(r) * n;
    if (r == 0)
      CUDA(cudaMemcpyAsync(own, rank.in.device, n * sizeof(T), cudaMemcpyDeviceToDevice,
                           rank.stream));
    return ncclAllGather(r == 0 ? own : rank.in.device, rank.out.device, n, ncclUint32, comms[r],
                         rank.stream);
  });
  for (auto& rank : wide)
    compare<T>("all gather", rank->result(), [&](std::size_t i) { return parts[i / n][i % n]; });
}

/// A thread for each rank: its own device, communicator, ring of messages, then a sum; many times.
void check_threads(int count, std::size_t n) {
  ncclUniqueId id;
  RIGHT(ncclGetUniqueId(&id));
  auto ranks = make_ranks<int>(count, n, n);
  const auto all = sources(ranks);
  std::vector<std::vector<int>> ring(static_cast<std::size_t>(count)), sums(ring);
  std::vector<int> results(static_cast<std::size_t>(count));
  threaded(count, [&](int r) {  // EXPECT counts in one thread only
    Rank<int>& rank = *ranks[static_cast<std::size_t>(r)];
    ncclComm_t comm = nullptr;
    int found = -1, size = -1, device = -1, bad = cudaSetDevice(device_of(r));
    bad |= ncclCommInitRank(&comm, count, id, r);
    bad |= ncclCommUserRank(comm, &found) | ncclCommCount(comm, &size) |
           ncclCommCuDevice(comm, &device);
    bad |= found != r || size != count || device != device_of(r);
    fill_late<<<(rank.in_bytes + 63) / 64, 64, 0, rank.stream>>>(
        reinterpret_cast<unsigned char*>(rank.in.device),
        reinterpret_cast<const unsigned char*>(rank.source.device), rank.in_bytes);
    for (int turn = 0; turn < 20; ++turn) {
      bad |= ncclGroupStart();
      bad |= ncclSend(rank.in.device, n, ncclInt32, (r + 1) % count, comm, rank.stream);
      bad |= ncclRecv(rank.out.device, n, ncclInt32, (r + count - 1) % count, comm, rank.stream);
      bad |= ncclGroupEnd();
    }
    std::vector<int>& mine = ring[static_cast<std::size_t>(r)];
    mine.resize(n);
    bad |= cudaMemcpyAsync(mine.data(), rank.out.device, n * sizeof(int), cudaMemcpyDeviceToHost,
                           rank.stream);
    for (int turn = 0; turn < 20; ++turn)
      bad |= ncclAllReduce(turn == 0 ? rank.in.device : rank.out.device, rank.out.device, n,
                           ncclInt32, ncclSum, comm, rank.stream);
    sums[static_cast<std::size_t>(r)].resize(n);
    bad |= cudaMemcpyAsync(sums[static_cast<std::size_t>(r)].data(), rank.out.device,
                           n * sizeof(int), cudaMemcpyDeviceToHost, rank.stream);
    bad |= cudaStreamSynchronize(rank.stream);
    bad |= ncclCommFinalize(comm) | ncclCommDestroy(comm);
    results[static_cast<std::size_t>(r)] = bad;
  });
  unsigned factor = 1;  // 19 more sums of equal numbers
  for (int turn = 1; turn < 20; ++turn) factor *= static_cast<unsigned>(count);
  for (std::size_t r = 0; r < ring.size(); ++r) {
    EXPECT(results[r] == 0);
    const std::size_t before = (r + ring.size() - 1) % ring.size();
    compare<int>("ring", ring[r], [&](std::size_t i) { return all[before][i]; });
    compare<int>("sums", sums[r], [&](std::size_t i) {
      return static_cast<int>(static_cast<unsigned>(combined(all, i, ncclSum)) * factor);
    });
  }
}

/// Everybody sends a part to everybody, itself too; then halves of the ranks sum by themselves.
void check_all_to_all_and_split(int count, std::size_t n) {
  const Comms comms(count);
  const std::size_t many = static_cast<std::size_t>(count);
  auto ranks = make_ranks<float>(count, n * many, n * many);
  const auto all = sources(ranks);
  for (auto& rank : ranks) rank->fill();
  grouped(count, [&](int r) {
    Rank<float>& rank = *ranks[static_cast<std::size_t>(r)];
    for (int peer = 0; peer < count; ++peer) {
      const std::size_t at = static_cast<std::size_t>(peer) * n;
      RIGHT(ncclSend(rank.in.device + at, n, ncclFloat, peer, comms[r], rank.stream));
      RIGHT(ncclRecv(rank.out.device + at, n, ncclFloat, peer, comms[r], rank.stream));
    }
    return ncclSuccess;
  });
  for (std::size_t r = 0; r < many; ++r)
    compare<float>("all to all", ranks[r]->result(),
                   [&](std::size_t i) { return all[i / n][r * n + i % n]; });

  // Even ranks in descending order, odd ones as they are; the last has none.
  std::vector<ncclComm_t> halves(many, reinterpret_cast<ncclComm_t>(8));
  grouped(count, [&](int r) {
    return ncclCommSplit(comms[r], r == count - 1 ? NCCL_SPLIT_NOCOLOR : r % 2, r % 2 == 0 ? -r : r,
                         &halves[static_cast<std::size_t>(r)], nullptr);
  });
  EXPECT(halves.back() == NCCL_COMM_NULL);
  auto few = make_ranks<float>(count, n, n);
  const auto values = sources(few);
  for (auto& rank : few) rank->fill();
  grouped(count - 1, [&](int r) {
    Rank<float>& rank = *few[static_cast<std::size_t>(r)];
    return ncclAllReduce(rank.in.device, rank.out.device, n, ncclFloat, ncclSum,
                         halves[static_cast<std::size_t>(r)], rank.stream);
  });
  for (int r = 0; r < count - 1; ++r) {
    std::vector<std::vector<float>> half;
    for (int other = r % 2; other < count - 1; other += 2)
      half.insert(r % 2 == 0 ? half.begin() : half.end(), values[static_cast<std::size_t>(other)]);
    int rank = -1, size = -1;
    RIGHT(ncclCommUserRank(halves[static_cast<std::size_t>(r)], &rank));
    RIGHT(ncclCommCount(halves[static_cast<std::size_t>(r)], &size));
    EXPECT(size == static_cast<int>(half.size()));
    EXPECT(rank == (r % 2 == 0 ? size - 1 - r / 2 : r / 2));
    compare<float>("split", few[static_cast<std::size_t>(r)]->result(),
                   [&](std::size_t i) { return combined(half, i, ncclSum); });
    RIGHT(ncclCommDestroy(halves[static_cast<std::size_t>(r)]));
  }
}

/// A graph of two streams.
void check_graph(std::size_t n) {
  const Comms comms(2);
  auto ranks = make_ranks<double>(2, n, n);
  const auto all = sources(ranks);
  cudaEvent_t fork, join;
  CUDA(cudaSetDevice(0));
  CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CUDA(cudaSetDevice(device_of(1)));
  CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CUDA(cudaSetDevice(0));
  CUDA(cudaStreamBeginCapture(ranks[0]->stream, cudaStreamCaptureModeThreadLocal));
  CUDA(cudaEventRecord(fork, ranks[0]->stream));
  CUDA(cudaStreamWaitEvent(ranks[1]->stream, fork, 0));
  for (auto& rank : ranks) rank->fill();
  grouped(2, [&](int r) {
    Rank<double>& rank = *ranks[static_cast<std::size_t>(r)];
    return ncclAllReduce(rank.in.device, rank.out.device, n, ncclDouble, ncclSum, comms[r],
                         rank.stream);
  });
  CUDA(cudaEventRecord(join, ranks[1]->stream));
  CUDA(cudaStreamWaitEvent(ranks[0]->stream, join, 0));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CUDA(cudaStreamEndCapture(ranks[0]->stream, &graph));
  CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int turn = 0; turn < 3; ++turn) {
    for (auto& rank : ranks) rank->out.to_device();
    CUDA(cudaGraphLaunch(executable, ranks[0]->stream));
    CUDA(cudaStreamSynchronize(ranks[0]->stream));
    for (auto& rank : ranks)
      compare<double>("graph", rank->result(),
                      [&](std::size_t i) { return combined(all, i, ncclSum); });
  }
  CUDA(cudaGraphExecDestroy(executable));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaEventDestroy(fork));
  CUDA(cudaEventDestroy(join));
}

/// A group that fails before its end leaves none of its ranks behind.
void check_failed_group() {
  ncclUniqueId id;
  ncclComm_t comms[2] = {};
  RIGHT(ncclGetUniqueId(&id));
  RIGHT(ncclGroupStart());
  RIGHT(ncclCommInitRank(&comms[0], 2, id, 0));
  EXPECT(ncclCommInitRank(&comms[1], 2, id, 5) == ncclInvalidArgument);
  EXPECT(ncclGroupEnd() == ncclInvalidArgument);
  RIGHT(ncclGroupStart());
  for (int r = 0; r < 2; ++r) RIGHT(ncclCommInitRank(&comms[r], 2, id, r));
  RIGHT(ncclGroupEnd());
  for (const ncclComm_t comm : comms) RIGHT(ncclCommDestroy(comm));
  EXPECT(ncclCommInitRank(&comms[0], 2000000000, id, 0) == ncclInvalidArgument);
}

/// Each thread's own stream: what it has to do before counts, also where the other thread comes
/// last and begins the work.
void check_streams_of_threads() {
  ncclUniqueId id;
  RIGHT(ncclGetUniqueId(&id));
  int sums[2] = {}, bad[2] = {};
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {  // EXPECT counts in one thread only
      using std::chrono::milliseconds;
      int& wrong_here = bad[rank];
      const int number = 1000 + rank;
      int *value = nullptr, *ready = nullptr;
      ncclComm_t comm = nullptr;
      wrong_here = ncclCommInitRank(&comm, 2, id, rank);
      wrong_here |= cudaMalloc(reinterpret_cast<void**>(&value), sizeof(int));
      wrong_here |= cudaMalloc(reinterpret_cast<void**>(&ready), sizeof(int));
      wrong_here |= cudaMemcpy(ready, &number, sizeof(int), cudaMemcpyHostToDevice);
      wrong_here |= cudaMemset(value, 0, sizeof(int));
      if (rank == 1) std::this_thread::sleep_for(milliseconds(50));
      wrong_here |= cudaLaunchHostFunc(
          cudaStreamPerThread, [](void*) { std::this_thread::sleep_for(milliseconds(150)); },
          nullptr);
      wrong_here |=
          cudaMemcpyAsync(value, ready, sizeof(int), cudaMemcpyDeviceToDevice, cudaStreamPerThread);
      wrong_here |= ncclAllReduce(value, value, 1, ncclInt32, ncclSum, comm, cudaStreamPerThread);
      wrong_here |= cudaMemcpyAsync(&sums[rank], value, sizeof(int), cudaMemcpyDeviceToHost,
                                    cudaStreamPerThread);
      wrong_here |= cudaStreamSynchronize(cudaStreamPerThread);
      wrong_here |= ncclCommDestroy(comm);
      wrong_here |= cudaFree(value) | cudaFree(ready);
    });
  for (std::thread& thread : threads) thread.join();
  for (int rank = 0; rank < 2; ++rank) EXPECT(bad[rank] == 0 && sums[rank] == 2001);
}

/// A mean of bytes of more ranks than a byte holds.
void check_mean_of_many() {
  constexpr int count = 200;
  ncclUniqueId id;
  ncclComm_t comms[count] = {};
  RIGHT(ncclGetUniqueId(&id));
  RIGHT(ncclGroupStart());
  for (int r = 0; r < count; ++r) RIGHT(ncclCommInitRank(&comms[r], count, id, r));
  RIGHT(ncclGroupEnd());
  Array<signed char> from(count), to(count);
  from.fill(0);
  from.host[0] = 100;
  to.fill(77);
  from.to_device();
  to.to_device();
  RIGHT(ncclGroupStart());
  for (int r = 0; r < count; ++r)
    RIGHT(ncclAllReduce(from.device + r, to.device + r, 1, ncclInt8, ncclAvg, comms[r], nullptr));
  RIGHT(ncclGroupEnd());
  for (const signed char x : to.from_device()) EXPECT(x == 0);
  for (const ncclComm_t comm : comms) RIGHT(ncclCommDestroy(comm));
}

void check_refusals() {
  const Comms comms(2);
  Array<float> a(8), b(8);
  float *const x = a.device, *const y = b.device;
  cudaStream_t const stream = nullptr;
  ncclComm_t other = reinterpret_cast<ncclComm_t>(16), made = nullptr;
  int number = 0;
  const int twice[] = {0, 0}, far[] = {0, 99};
  EXPECT(ncclAllReduce(x, y, 8, ncclFloat, ncclSum, nullptr, stream) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(x, y, 8, ncclFloat, ncclSum, other, stream) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(nullptr, y, 8, ncclFloat, ncclSum, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(x, nullptr, 8, ncclFloat, ncclSum, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(x, y, 8, ncclNumTypes, ncclSum, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(x, y, 8, ncclFloat, ncclNumOps, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclBroadcast(x, y, 8, ncclFloat, 2, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclReduce(x, y, 8, ncclFloat, ncclSum, -1, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(x, y, SIZE_MAX, ncclInt32, ncclSum, comms[0], stream) ==
         ncclInvalidArgument);
  EXPECT(ncclSend(x, SIZE_MAX / 4 + 1, ncclInt32, 1, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclSend(x, 8, ncclFloat, 2, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclRecv(nullptr, 8, ncclFloat, 1, comms[0], stream) == ncclInvalidArgument);
  EXPECT(ncclAllGather(nullptr, nullptr, 0, ncclFloat, comms[0], stream) == ncclSuccess);
  EXPECT(ncclCommCount(other, &number) == ncclInvalidArgument);
  EXPECT(ncclCommCount(comms[0], nullptr) == ncclInvalidArgument);
  EXPECT(ncclCommDestroy(other) == ncclInvalidArgument);
  EXPECT(ncclCommInitAll(&made, 2, twice) == ncclInvalidUsage);
  EXPECT(ncclCommInitAll(&made, 2, far) == ncclInvalidArgument);
  EXPECT(ncclCommInitAll(nullptr, 2, nullptr) == ncclInvalidArgument);
  EXPECT(ncclCommInitAll(&made, 0, nullptr) == ncclInvalidArgument);
  EXPECT(ncclGroupEnd() == ncclInvalidUsage);
  EXPECT(std::strstr(ncclGetLastError(nullptr), "ncclGroupEnd") != nullptr);

  // Calls that do not belong together fail for all.
  const auto disagree = [&](const std::function<ncclResult_t(int)>& call) {
    RIGHT(ncclGroupStart());
    RIGHT(call(0));
    RIGHT(call(1));
    EXPECT(ncclGroupEnd() == ncclInvalidUsage);
  };
  disagree([&](int r) {
    return ncclAllReduce(r ? x : y, r ? x : y, r ? 8 : 7, ncclFloat, ncclSum, comms[r], stream);
  });
  disagree([&](int r) {
    return ncclAllReduce(r ? x : y, r ? x : y, 8, ncclFloat, r ? ncclSum : ncclMax, comms[r],
                         stream);
  });
  disagree([&](int r) {
    return ncclBroadcast(r ? x : y, r ? x : y, 8, ncclFloat, r, comms[r], stream);
  });
  disagree([&](int r) {
    return ncclAllReduce(r ? x : y, r ? x : y, 8, r ? ncclFloat : ncclInt32, ncclSum, comms[r],
                         stream);
  });
  disagree([&](int r) {
    return r ? ncclAllReduce(x, x, 4, ncclFloat, ncclSum, comms[r], stream)
             : ncclReduceScatter(y, y, 4, ncclFloat, ncclSum, comms[r], stream);
  });
  disagree([&](int r) {
    return r ? ncclSend(x, 8, ncclFloat, 0, comms[r], stream)
             : ncclRecv(y, 7, ncclFloat, 1, comms[r], stream);
  });

  // Nobody else calls: an error that says so. Then all is as before.
  EXPECT(ncclAllReduce(x, x, 8, ncclFloat, ncclSum, comms[0], stream) == ncclRemoteError);
  EXPECT(std::strstr(ncclGetLastError(comms[0]), "rank 0 of 2 waited 1 s for rank 1") != nullptr);
  EXPECT(ncclRecv(x, 8, ncclFloat, 1, comms[0], stream) == ncclRemoteError);
  a.fill(2);
  b.fill(3);
  a.to_device();
  b.to_device();
  grouped(2, [&](int r) {
    return ncclAllReduce(r ? x : y, r ? x : y, 8, ncclFloat, ncclSum, comms[r], stream);
  });
  CUDA(cudaStreamSynchronize(stream));
  compare<float>("after", a.from_device(), [](std::size_t) { return 5.f; });
  compare<float>("after", b.from_device(), [](std::size_t) { return 5.f; });

  // Who waits learns that another rank gives up.
  ncclComm_t two[2] = {};
  ncclUniqueId pair;
  RIGHT(ncclGetUniqueId(&pair));
  grouped(2, [&](int r) { return ncclCommInitRank(&two[r], 2, pair, r); });
  ncclResult_t waited = ncclSuccess, state = ncclSuccess;
  std::thread waits([&] { waited = ncclRecv(x, 8, ncclFloat, 1, two[0], stream); });
  RIGHT(ncclCommAbort(two[1]));
  waits.join();
  EXPECT(waited == ncclInternalError);
  RIGHT(ncclCommGetAsyncError(two[0], &state));
  EXPECT(state == ncclInternalError);
  RIGHT(ncclCommAbort(two[0]));

  // A rank that is taken, ranks that expect another number of them, one that never comes.
  ncclUniqueId id;
  RIGHT(ncclGetUniqueId(&id));
  ncclComm_t first = nullptr, second = nullptr;
  RIGHT(ncclGroupStart());
  RIGHT(ncclCommInitRank(&first, 2, id, 0));
  EXPECT(ncclCommInitRank(&second, 2, id, 0) == ncclInvalidUsage);
  EXPECT(ncclCommInitRank(&second, 3, id, 1) == ncclInvalidArgument);
  EXPECT(ncclCommInitRank(&second, 2, id, 2) == ncclInvalidArgument);
  EXPECT(ncclGroupEnd() == ncclInvalidUsage);
  RIGHT(ncclCommDestroy(first));
  RIGHT(ncclGetUniqueId(&id));
  for (int again = 0; again < 2; ++again) {
    EXPECT(ncclCommInitRank(&first, 2, id, 0) == ncclRemoteError);
    EXPECT(first == nullptr);
  }

  // A call in a group fails: none is made, and nobody waits.
  RIGHT(ncclGroupStart());
  RIGHT(ncclAllReduce(x, x, 8, ncclFloat, ncclSum, comms[0], stream));
  EXPECT(ncclAllReduce(nullptr, y, 8, ncclFloat, ncclSum, comms[1], stream) == ncclInvalidArgument);
  EXPECT(ncclGroupEnd() == ncclInvalidArgument);

  // Communicators that go while calls of them wait, or before a group ends.
  RIGHT(ncclGetUniqueId(&pair));
  grouped(2, [&](int r) { return ncclCommInitRank(&two[r], 2, pair, r); });
  std::thread many([&] {
    waited = ncclGroupStart();
    for (int i = 0; i < 500; ++i) waited = ncclRecv(x, 8, ncclFloat, 1, two[0], stream);
    waited = ncclGroupEnd();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  RIGHT(ncclCommAbort(two[0]));
  RIGHT(ncclCommAbort(two[1]));
  many.join();
  EXPECT(waited == ncclInternalError || waited == ncclInvalidArgument);
  RIGHT(ncclGetUniqueId(&pair));
  grouped(2, [&](int r) { return ncclCommInitRank(&two[r], 2, pair, r); });
  RIGHT(ncclGroupStart());
  for (int r = 0; r < 2; ++r)
    RIGHT(ncclAllReduce(r ? x : y, r ? x : y, 8, ncclFloat, ncclSum, two[r], stream));
  for (int r = 0; r < 2; ++r) RIGHT(ncclCommDestroy(two[r]));
  RIGHT(ncclGroupEnd());
  CUDA(cudaStreamSynchronize(stream));
}

}  // namespace

int main(int, char** arguments) {
  // Read when the program starts. GPUs are one device.
  if (!std::getenv("GRIDSPAN_NCCL_TIMEOUT")) {
    const char* devices = std::getenv("GRIDSPAN_DEVICES");
    if (!devices || !std::strstr(devices, "cuda")) setenv("GRIDSPAN_VIRTUAL_GPUS", "10", 1);
    setenv("GRIDSPAN_NCCL_TIMEOUT", "1", 1);
    execv("/proc/self/exe", arguments);
    return 1;
  }
  check_reductions<signed char>(ncclInt8, 3, 257);
  check_reductions<unsigned char>(ncclUint8, 2, 7);
  check_reductions<int>(ncclInt32, 4, 1009);
  check_reductions<unsigned>(ncclUint32, 1, 5);
  check_reductions<long long>(ncclInt64, 3, 33);
  check_reductions<unsigned long long>(ncclUint64, 2, 1);
  check_reductions<__half>(ncclFloat16, 5, 129);
  check_reductions<__nv_bfloat16>(ncclBfloat16, 3, 64);
  check_reductions<__nv_fp8_e4m3>(ncclFloat8e4m3, 3, 31);
  check_reductions<__nv_fp8_e5m2>(ncclFloat8e5m2, 2, 31);
  check_reductions<float>(ncclFloat32, 10, 1009);
  check_reductions<double>(ncclFloat64, 8, 127);
  check_many_in_place(17, 129);
  check_all_devices();
  check_copies(1, 3);
  check_copies(4, 1009);
  check_threads(4, 1009);
  check_all_to_all_and_split(5, 101);
  check_graph(301);
  check_failed_group();
  check_streams_of_threads();
  if (!has_few()) check_mean_of_many();
  check_refusals();
  return finish();
}
