// NCCL between ranks of several processes: every collective, type and operation against sums by
// hand, messages, splits, factors; ranks that do not come, are killed or abort; nothing left in
// /dev/shm. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program starts itself for each process: `program SCENARIO RANKS FIRST MINE ID` has MINE ranks
// from FIRST on. Processes write what they checked to files that the first one reads.
#include <nccl.h>

#include "nccl_check.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>

namespace {

#define RIGHT(call) EXPECT((call) == ncclSuccess)
#define CUDA(call) EXPECT((call) == cudaSuccess)

std::size_t index_of(int i) { return static_cast<std::size_t>(i); }

bool says(const char* text) { return std::strstr(ncclGetLastError(nullptr), text) != nullptr; }

/// The ranks of this process, made by one thread.
struct World {
  World(int ranks, int first, int mine, const ncclUniqueId& id)
      : ranks(ranks), first(first), mine(mine), comms(index_of(mine)), streams(index_of(mine)) {
    CUDA(cudaGetDeviceCount(&devices));
    RIGHT(ncclGroupStart());
    for (int i = 0; i < mine; ++i) {
      CUDA(cudaSetDevice(device(i)));
      CUDA(cudaStreamCreateWithFlags(&streams[index_of(i)], cudaStreamNonBlocking));
      RIGHT(ncclCommInitRank(&comms[index_of(i)], ranks, id, first + i));
    }
    RIGHT(ncclGroupEnd());
  }
  World(const World&) = delete;
  void destroy() {
    for (ncclComm_t comm : comms) RIGHT(ncclCommDestroy(comm));
  }
  int rank(int i) const { return first + i; }
  int device(int i) const { return rank(i) % devices; }

  /// One thread makes the calls of all its ranks, which it names 0, 1 ...
  void grouped(const std::function<ncclResult_t(int)>& call) const {
    RIGHT(ncclGroupStart());
    for (int i = 0; i < mine; ++i) RIGHT(call(i));
    RIGHT(ncclGroupEnd());
  }

  int ranks, first, mine, devices = 1;
  std::vector<ncclComm_t> comms;
  std::vector<cudaStream_t> streams;
};

template <typename T>
__global__ void copy_late(T* to, const T* from, std::size_t count) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count) to[i] = from[i];
}

/// Random numbers of all ranks, the same in all processes, and arrays for this process's ranks.
/// `in` gets its numbers by a kernel of the rank's stream; `out` is poisoned.
template <typename T>
struct Data {
  Data(const World& world, std::size_t in_count, std::size_t out_count) : world(world) {
    static std::uint64_t made = 0;
    ++made;
    for (int rank = 0; rank < world.ranks; ++rank) {
      std::mt19937_64 engine(made * 1000 + static_cast<std::uint64_t>(rank));
      all.emplace_back(in_count);
      for (T& x : all.back()) x = random_element<T>(engine);
    }
    for (int i = 0; i < world.mine; ++i) {
      CUDA(cudaSetDevice(world.device(i)));
      source.push_back(std::make_unique<Array<T>>(in_count));
      in.push_back(std::make_unique<Array<T>>(in_count));
      out.push_back(std::make_unique<Array<T>>(out_count + 1));
      source.back()->host = all[index_of(world.rank(i))];
      std::memset(static_cast<void*>(in.back()->host.data()), 0x5a, in_count * sizeof(T));
      std::memset(static_cast<void*>(out.back()->host.data()), 0xa5, (out_count + 1) * sizeof(T));
      for (Array<T>* array : {source.back().get(), in.back().get(), out.back().get()})
        array->to_device();
      CUDA(cudaDeviceSynchronize());
      copy_late<<<static_cast<unsigned>((in_count + 63) / 64), 64, 0, world.streams[index_of(i)]>>>(
          in.back()->device, source.back()->device, in_count);
    }
  }
  T* from(int i) const { return in[index_of(i)]->device; }
  T* to(int i) const { return out[index_of(i)]->device; }

  /// `wanted`: of a rank and an element.
  void compare(const char* what, const std::function<T(int, std::size_t)>& wanted,
               bool in_place = false) const {
    for (int i = 0; i < world.mine; ++i) {
      CUDA(cudaStreamSynchronize(world.streams[index_of(i)]));
      std::vector<T> got = (in_place ? in : out)[index_of(i)]->from_device();
      if (!in_place) {
        EXPECT(same_bits(got.back(), out[index_of(i)]->host.back()));
        got.pop_back();
      }
      std::size_t differ = 0;
      for (std::size_t at = 0; at < got.size(); ++at)
        differ += !same_bits(got[at], wanted(world.rank(i), at));
      if (!EXPECT(differ == 0))
        std::printf("%s, rank %d: %zu of %zu elements differ\n", what, world.rank(i), differ,
                    got.size());
      if (world.rank(i) == 0) print_bits(what, got);
    }
  }
  /// Nothing was written.
  T poison() const {
    T x;
    std::memset(static_cast<void*>(&x), 0xa5, sizeof x);
    return x;
  }

  const World& world;
  std::vector<std::vector<T>> all;
  std::vector<std::unique_ptr<Array<T>>> source, in, out;
};

template <typename T>
void check_reductions(const World& world, ncclDataType_t type, std::size_t n,
                      const std::vector<ncclRedOp_t>& ops = {ncclSum, ncclProd, ncclMax, ncclMin,
                                                             ncclAvg}) {
  for (const ncclRedOp_t op : ops) {
    const Data<T> sum(world, n, n), again(world, n, n), one(world, n, n);
    const Data<T> parts(world, n * index_of(world.ranks), n);
    const int root = world.ranks - 1;
    world.grouped([&](int i) {
      return ncclAllReduce(sum.from(i), sum.to(i), n, type, op, world.comms[index_of(i)],
                           world.streams[index_of(i)]);
    });
    // Several in one group: in place, to one rank, to all.
    world.grouped([&](int i) {
      ncclComm_t const comm = world.comms[index_of(i)];
      cudaStream_t const stream = world.streams[index_of(i)];
      RIGHT(ncclAllReduce(again.from(i), again.from(i), n, type, op, comm, stream));
      RIGHT(ncclReduce(one.from(i), one.to(i), n, type, op, root, comm, stream));
      return ncclReduceScatter(parts.from(i), parts.to(i), n, type, op, comm, stream);
    });
    sum.compare("all reduce", [&](int, std::size_t at) { return combined(sum.all, at, op); });
    again.compare(
        "in place", [&](int, std::size_t at) { return combined(again.all, at, op); }, true);
    one.compare("reduce", [&](int rank, std::size_t at) {
      return rank == root ? combined(one.all, at, op) : one.poison();
    });
    parts.compare("reduce scatter", [&](int rank, std::size_t at) {
      return combined(parts.all, index_of(rank) * n + at, op);
    });
  }
}

template <typename T>
void check_copies(const World& world, ncclDataType_t type, std::size_t n) {
  const int root = world.ranks / 2;
  const Data<T> cast(world, n, n), gather(world, n, n * index_of(world.ranks));
  world.grouped([&](int i) {
    const T* const from = world.rank(i) == root ? cast.from(i) : nullptr;
    RIGHT(ncclBroadcast(from, cast.to(i), n, type, root, world.comms[index_of(i)],
                        world.streams[index_of(i)]));
    return ncclAllGather(gather.from(i), gather.to(i), n, type, world.comms[index_of(i)],
                         world.streams[index_of(i)]);
  });
  cast.compare("broadcast", [&](int, std::size_t at) { return cast.all[index_of(root)][at]; });
  gather.compare("all gather", [&](int, std::size_t at) { return gather.all[at / n][at % n]; });
  // In place: the sent elements are where they are received.
  const Data<T> own(world, n, n * index_of(world.ranks));
  world.grouped([&](int i) {
    CUDA(cudaSetDevice(world.device(i)));
    T* const part = own.to(i) + index_of(world.rank(i)) * n;
    CUDA(cudaMemcpyAsync(part, own.from(i), n * sizeof(T), cudaMemcpyDeviceToDevice,
                         world.streams[index_of(i)]));
    RIGHT(ncclAllGather(part, own.to(i), n, type, world.comms[index_of(i)],
                        world.streams[index_of(i)]));
    return ncclBcast(own.from(i), n, type, 0, world.comms[index_of(i)], world.streams[index_of(i)]);
  });
  own.compare("gather in place", [&](int, std::size_t at) { return own.all[at / n][at % n]; });
  own.compare("bcast", [&](int, std::size_t at) { return own.all[0][at]; }, true);
}

/// Everybody sends a part to everybody, itself too. Then pairs of different sizes, in any order.
void check_messages(const World& world, std::size_t n) {
  const Data<float> data(world, n * index_of(world.ranks), n * index_of(world.ranks));
  world.grouped([&](int i) {
    for (int peer = 0; peer < world.ranks; ++peer) {
      ncclComm_t const comm = world.comms[index_of(i)];
      cudaStream_t const stream = world.streams[index_of(i)];
      RIGHT(ncclSend(data.from(i) + index_of(peer) * n, n, ncclFloat, peer, comm, stream));
      RIGHT(ncclRecv(data.to(i) + index_of(peer) * n, n, ncclFloat, peer, comm, stream));
    }
    return ncclSuccess;
  });
  data.compare("all to all", [&](int rank, std::size_t at) {
    return data.all[at / n][index_of(rank) * n + at % n];
  });
  const Data<int> ring(world, n, n);
  world.grouped([&](int i) {
    const int next = (world.rank(i) + 1) % world.ranks;
    const int before = (world.rank(i) + world.ranks - 1) % world.ranks;
    ncclComm_t const comm = world.comms[index_of(i)];
    cudaStream_t const stream = world.streams[index_of(i)];
    for (std::size_t from = 0, count = 1; from < n; from += count, count = count * 3 + 1) {
      const std::size_t here = from + count < n ? count : n - from;
      RIGHT(ncclRecv(ring.to(i) + from, here, ncclInt32, before, comm, stream));
      RIGHT(ncclSend(ring.from(i) + from, here, ncclInt32, next, comm, stream));
    }
    RIGHT(ncclSend(ring.from(i), 0, ncclInt32, next, comm, stream));
    return ncclRecv(ring.to(i), 0, ncclInt32, before, comm, stream);
  });
  ring.compare("ring", [&](int rank, std::size_t at) {
    return ring.all[index_of((rank + world.ranks - 1) % world.ranks)][at];
  });
}

/// Each rank's elements times its factor, from the host and from the device.
template <typename T>
void check_factors(const World& world, ncclDataType_t type, std::size_t n) {
  using W = typename By<T>::Wide;
  const Data<T> sum(world, n, n), factors(world, 1, 1), parts(world, n * index_of(world.ranks), n);
  const auto wanted = [&](const Data<T>& of, std::size_t at) {
    W value{};
    for (std::size_t rank = 0; rank < of.all.size(); ++rank) {
      const W term = applied<T>(ncclProd, static_cast<W>(of.all[rank][at]),
                                static_cast<W>(factors.all[rank][0]));
      if (rank % 7 == 1 && rank > 1) value = static_cast<W>(static_cast<T>(value));
      value = rank == 0 ? term : applied<T>(ncclSum, value, term);
    }
    return static_cast<T>(value);
  };
  std::vector<ncclRedOp_t> ops;
  for (int i = 0; i < world.mine; ++i) {
    ncclRedOp_t op = ncclSum;
    T factor = factors.all[index_of(world.rank(i))][0];
    const bool on_device = world.rank(i) % 2 == 1;
    RIGHT(ncclRedOpCreatePreMulSum(&op, on_device ? factors.from(i) : &factor, type,
                                   on_device ? ncclScalarDevice : ncclScalarHostImmediate,
                                   world.comms[index_of(i)]));
    EXPECT(op >= ncclNumOps);
    ops.push_back(op);
  }
  RIGHT(ncclGroupStart());
  for (int i = 0; i < world.mine; ++i) {
    RIGHT(ncclAllReduce(sum.from(i), sum.to(i), n, type, ops[index_of(i)], world.comms[index_of(i)],
                        world.streams[index_of(i)]));
    RIGHT(ncclReduceScatter(parts.from(i), parts.to(i), n, type, ops[index_of(i)],
                            world.comms[index_of(i)], world.streams[index_of(i)]));
    RIGHT(ncclRedOpDestroy(ops[index_of(i)], world.comms[index_of(i)]));
  }
  RIGHT(ncclGroupEnd());
  sum.compare("factors", [&](int, std::size_t at) { return wanted(sum, at); });
  parts.compare("factors, scattered",
                [&](int rank, std::size_t at) { return wanted(parts, index_of(rank) * n + at); });
}

/// Even ranks in descending order, odd ones as they are; the last has none. The halves sum.
void check_split(const World& world, std::size_t n) {
  std::vector<ncclComm_t> halves(index_of(world.mine), reinterpret_cast<ncclComm_t>(8));
  const auto is_last = [&](int rank) { return rank == world.ranks - 1; };
  world.grouped([&](int i) {
    const int rank = world.rank(i);
    return ncclCommSplit(world.comms[index_of(i)], is_last(rank) ? NCCL_SPLIT_NOCOLOR : rank % 2,
                         rank % 2 == 0 ? -rank : rank, &halves[index_of(i)], nullptr);
  });
  const Data<double> data(world, n, n);
  world.grouped([&](int i) {
    if (is_last(world.rank(i))) {
      EXPECT(halves[index_of(i)] == NCCL_COMM_NULL);
      return ncclSuccess;
    }
    return ncclAllReduce(data.from(i), data.to(i), n, ncclDouble, ncclSum, halves[index_of(i)],
                         world.streams[index_of(i)]);
  });
  const auto half_of = [&](int rank) {
    std::vector<std::vector<double>> half;
    for (int other = rank % 2; other < world.ranks - 1; other += 2)
      half.insert(rank % 2 == 0 ? half.begin() : half.end(), data.all[index_of(other)]);
    return half;
  };
  data.compare("split", [&](int rank, std::size_t at) {
    return is_last(rank) ? data.poison() : combined(half_of(rank), at, ncclSum);
  });
  for (int i = 0; i < world.mine; ++i) {
    if (is_last(world.rank(i))) continue;
    int size = -1, rank = -1;
    RIGHT(ncclCommCount(halves[index_of(i)], &size));
    RIGHT(ncclCommUserRank(halves[index_of(i)], &rank));
    EXPECT(size == static_cast<int>(half_of(world.rank(i)).size()));
    EXPECT(rank == (world.rank(i) % 2 == 0 ? size - 1 - world.rank(i) / 2 : world.rank(i) / 2));
    RIGHT(ncclCommDestroy(halves[index_of(i)]));
  }
}

/// Calls that do not belong together fail in all processes, and what follows does not.
void check_wrong(const World& world) {
  const Data<float> data(world, 64, 64);
  const auto call = [&](const std::function<ncclResult_t(int, int)>& make) {
    RIGHT(ncclGroupStart());
    for (int i = 0; i < world.mine; ++i) RIGHT(make(i, world.rank(i)));
    return ncclGroupEnd();
  };
  const auto comm = [&](int i) { return world.comms[index_of(i)]; };
  const auto stream = [&](int i) { return world.streams[index_of(i)]; };
  EXPECT(call([&](int i, int rank) {
           return ncclAllReduce(data.from(i), data.to(i), rank ? 8 : 7, ncclFloat, ncclSum, comm(i),
                                stream(i));
         }) == ncclInvalidUsage);
  EXPECT(says("rank 0 and rank 1 do not agree: the count differs"));
  EXPECT(call([&](int i, int rank) {
           return ncclAllReduce(data.from(i), data.to(i), 8, ncclFloat, rank ? ncclSum : ncclMax,
                                comm(i), stream(i));
         }) == ncclInvalidUsage);
  EXPECT(call([&](int i, int rank) {
           return ncclBroadcast(data.from(i), data.to(i), 8, ncclFloat, rank ? 0 : 1, comm(i),
                                stream(i));
         }) == ncclInvalidUsage);
  EXPECT(call([&](int i, int rank) {
           return rank
                      ? ncclBroadcast(data.from(i), data.to(i), 8, ncclFloat, 0, comm(i), stream(i))
                      : ncclAllGather(data.from(i), data.to(i), 8, ncclFloat, comm(i), stream(i));
         }) == ncclInvalidUsage);
  EXPECT(says("the function (ncclBroadcast) differs"));
  const auto ended = call([&](int i, int rank) {
    if (rank > 1) return ncclSuccess;
    return rank ? ncclSend(data.from(i), 8, ncclFloat, 0, comm(i), stream(i))
                : ncclRecv(data.to(i), 7, ncclFloat, 1, comm(i), stream(i));
  });
  EXPECT(ended == (world.first < 2 ? ncclInvalidUsage : ncclSuccess));

  // Graphs, operations and arguments, which no other rank learns of.
  ncclRedOp_t op = ncclSum;
  float factor = 2;
  ncclResult_t state = ncclInternalError;
  if (world.mine < world.ranks) {
    cudaGraph_t graph = nullptr;
    CUDA(cudaSetDevice(world.device(0)));
    cudaStream_t captures = nullptr;
    CUDA(cudaStreamCreateWithFlags(&captures, cudaStreamNonBlocking));
    CUDA(cudaStreamBeginCapture(captures, cudaStreamCaptureModeThreadLocal));
    EXPECT(ncclAllReduce(data.from(0), data.to(0), 8, ncclFloat, ncclSum, comm(0), captures) ==
           ncclInvalidUsage);
    EXPECT(says("a graph cannot hold"));
    CUDA(cudaStreamEndCapture(captures, &graph));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(captures));
  }
  const auto make = [&](ncclRedOp_t* into, void* scalar, int type, int where, ncclComm_t of) {
    return ncclRedOpCreatePreMulSum(into, scalar, static_cast<ncclDataType_t>(type),
                                    static_cast<ncclScalarResidence_t>(where), of);
  };
  EXPECT(make(nullptr, &factor, ncclFloat, 1, comm(0)) == ncclInvalidArgument);
  EXPECT(make(&op, nullptr, ncclFloat, 1, comm(0)) == ncclInvalidArgument);
  EXPECT(make(&op, &factor, ncclNumTypes, 1, comm(0)) == ncclInvalidArgument);
  EXPECT(make(&op, &factor, ncclFloat, 2, comm(0)) == ncclInvalidArgument);
  EXPECT(make(&op, &factor, ncclFloat, 1, nullptr) == ncclInvalidArgument);
  RIGHT(make(&op, &factor, ncclFloat, 1, comm(0)));
  EXPECT(ncclAllReduce(data.from(0), data.to(0), 8, ncclInt32, op, comm(0), stream(0)) ==
         ncclInvalidArgument);
  EXPECT(ncclRedOpDestroy(ncclSum, comm(0)) == ncclInvalidArgument);
  EXPECT(ncclRedOpDestroy(op, nullptr) == ncclInvalidArgument);
  RIGHT(ncclRedOpDestroy(op, comm(0)));
  EXPECT(ncclRedOpDestroy(op, comm(0)) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(data.from(0), data.to(0), 8, ncclFloat, op, comm(0), stream(0)) ==
         ncclInvalidArgument);
  EXPECT(ncclSend(data.from(0), 8, ncclFloat, world.ranks, comm(0), stream(0)) ==
         ncclInvalidArgument);

  // A group that is only simulated.
  ncclSimInfo_t about = NCCL_SIM_INFO_INITIALIZER, bad = {};
  EXPECT(ncclGroupSimulateEnd(&about) == ncclInvalidUsage);
  RIGHT(ncclGroupStart());
  RIGHT(ncclAllReduce(data.from(0), data.to(0), 8, ncclFloat, ncclSum, comm(0), stream(0)));
  EXPECT(ncclGroupSimulateEnd(nullptr) == ncclInvalidArgument);
  EXPECT(ncclGroupSimulateEnd(&bad) == ncclInvalidArgument);
  RIGHT(ncclGroupSimulateEnd(&about));
  EXPECT(about.estimatedTime > 0);

  RIGHT(ncclCommGetAsyncError(comm(0), &state));
  EXPECT(state == ncclSuccess);
  check_reductions<float>(world, ncclFloat, 65);
}

void run_all(World& world) {
  const bool few = has_few();
  check_reductions<float>(world, ncclFloat, 65);
  check_reductions<signed char>(world, ncclInt8, 257);
  if (!few) {
    check_reductions<unsigned char>(world, ncclUint8, 7);
    check_reductions<int>(world, ncclInt32, 1009);
    check_reductions<unsigned>(world, ncclUint32, 1);
    check_reductions<long long>(world, ncclInt64, 33);
    check_reductions<unsigned long long>(world, ncclUint64, 3);
    check_reductions<__half>(world, ncclFloat16, 129);
    check_reductions<__nv_fp8_e4m3>(world, ncclFloat8e4m3, 31);
    check_reductions<__nv_fp8_e5m2>(world, ncclFloat8e5m2, 31);
    check_reductions<double>(world, ncclFloat64, 127);
    check_factors<int>(world, ncclInt32, 1009);
    check_factors<__half>(world, ncclFloat16, 33);
    check_factors<double>(world, ncclFloat64, 65);
    // Several pieces.
    check_reductions<float>(world, ncclFloat, 300007, {ncclSum});
    check_reductions<unsigned char>(world, ncclUint8, 524289, {ncclMax});
    check_factors<double>(world, ncclFloat64, 65537);
  }
  check_reductions<__nv_bfloat16>(world, ncclBfloat16, 64);
  check_factors<float>(world, ncclFloat32, 1009);
  check_copies<unsigned>(world, ncclUint32, 3);
  check_copies<unsigned char>(world, ncclUint8, few ? 1009 : 600011);
  check_messages(world, few ? 101 : 70001);
  check_split(world, 1009);
  check_wrong(world);
  world.destroy();
}

/// A thread for each rank of the process.
void run_threads(int ranks, int first, int mine, const ncclUniqueId& id) {
  std::vector<int> bad(index_of(mine)), sums(index_of(mine));
  std::vector<std::thread> threads;
  for (int i = 0; i < mine; ++i)
    threads.emplace_back([&, i] {  // EXPECT counts in one thread only
      int& wrong_here = bad[index_of(i)];
      ncclComm_t comm = nullptr, half = nullptr;
      int* value = nullptr;
      const int rank = first + i;
      wrong_here = ncclCommInitRank(&comm, ranks, id, rank);
      wrong_here |= cudaMalloc(reinterpret_cast<void**>(&value), sizeof(int));
      wrong_here |= cudaMemcpy(value, &rank, sizeof(int), cudaMemcpyHostToDevice);
      for (int turn = 0; turn < 10; ++turn)
        wrong_here |= ncclAllReduce(value, value, 1, ncclInt32, ncclSum, comm, cudaStreamPerThread);
      wrong_here |= ncclCommSplit(comm, rank / 2, 0, &half, nullptr);
      wrong_here |= ncclAllReduce(value, value, 1, ncclInt32, ncclSum, half, cudaStreamPerThread);
      wrong_here |= cudaMemcpyAsync(&sums[index_of(i)], value, sizeof(int), cudaMemcpyDeviceToHost,
                                    cudaStreamPerThread);
      wrong_here |= cudaStreamSynchronize(cudaStreamPerThread);
      wrong_here |= ncclCommDestroy(half) | ncclCommDestroy(comm) | cudaFree(value);
    });
  for (std::thread& thread : threads) thread.join();
  int wanted = ranks * (ranks - 1) / 2;
  for (int turn = 1; turn < 10; ++turn) wanted *= ranks;
  for (int i = 0; i < mine; ++i) {
    EXPECT(bad[index_of(i)] == 0);
    EXPECT(sums[index_of(i)] == 2 * wanted);
  }
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A rank does not call, is killed, aborts, destroys its communicator: the last one.
void run_failure(const std::string& scenario, World& world) {
  Array<float> data(8);
  ncclComm_t const comm = world.comms[0];
  const int rank = world.first;
  const std::string who = "rank " + std::to_string(world.ranks - 1);
  ncclResult_t state = ncclSuccess;
  data.fill(1);
  data.to_device();
  RIGHT(ncclAllReduce(data.device, data.device, 8, ncclFloat, ncclSum, comm, world.streams[0]));
  if (rank == world.ranks - 1) {
    if (scenario == "killed") raise(SIGKILL);
    if (scenario == "aborts") RIGHT(ncclCommAbort(comm));
    if (scenario == "leaves") RIGHT(ncclCommDestroy(comm));
    if (scenario != "silent") return;
    std::this_thread::sleep_for(std::chrono::seconds(6));
    EXPECT(ncclAllReduce(data.device, data.device, 8, ncclFloat, ncclSum, comm, world.streams[0]) ==
           ncclRemoteError);
    return;
  }
  const ncclResult_t wanted = scenario == "aborts" ? ncclInternalError : ncclRemoteError;
  const double seconds = seconds_of([&] {
    EXPECT(ncclAllReduce(data.device, data.device, 8, ncclFloat, ncclSum, comm, world.streams[0]) ==
           wanted);
  });
  EXPECT(seconds < 20);  // of 60, but for the silent one
  if (!EXPECT(says(who.c_str()))) std::printf("%s: %s\n", scenario.c_str(), ncclGetLastError(comm));
  RIGHT(ncclCommGetAsyncError(comm, &state));
  EXPECT(state == wanted);
  EXPECT(ncclSend(data.device, 8, ncclFloat, 0, comm, world.streams[0]) == wanted);
  if (rank == 0) RIGHT(ncclCommAbort(comm));
  if (rank != 0) RIGHT(ncclCommDestroy(comm));
}

/// The communicator is not made: a rank does not come, or comes twice, or expects other ranks.
void run_unmade(const std::string& scenario, int ranks, int rank, const ncclUniqueId& id) {
  ncclComm_t comm = reinterpret_cast<ncclComm_t>(8);
  if (scenario == "waits") {
    ncclCommInitRank(&comm, ranks, id, rank);  // until somebody kills it
    return;
  }
  ncclResult_t wanted = ncclRemoteError;
  if (scenario == "dies") {
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      raise(SIGKILL);
    }).detach();
    ncclCommInitRank(&comm, ranks, id, rank);
    return;
  }
  if (scenario == "twice") {
    std::this_thread::sleep_for(std::chrono::milliseconds(300 * rank));
    rank = 0;
    wanted = ncclInvalidUsage;
  }
  if (scenario == "other") {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ranks += 1;
    wanted = ncclInvalidArgument;
  }
  const ncclResult_t result = ncclCommInitRank(&comm, ranks, id, rank);
  // Of two that want a rank, one waits in vain.
  EXPECT(result == wanted || (scenario == "twice" && result == ncclRemoteError));
  if (scenario == "unmet") EXPECT(says(" 2") && says("GRIDSPAN_NCCL_TIMEOUT"));
}

std::string hex(const ncclUniqueId& id) {
  std::string text;
  char two[3];
  for (const char byte : id.internal) {
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
    text += two;
  }
  return text;
}

ncclUniqueId from_hex(const std::string& text) {
  ncclUniqueId id = {};
  for (std::size_t i = 0; i < sizeof id.internal; ++i)
    id.internal[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  return id;
}

int child(char** arguments) {
  const std::string scenario = arguments[1];
  const int ranks = std::atoi(arguments[2]), first = std::atoi(arguments[3]),
            mine = std::atoi(arguments[4]);
  const ncclUniqueId id = from_hex(arguments[5]);
  if (scenario == "threads") {
    run_threads(ranks, first, mine, id);
  } else if (scenario == "unmet" || scenario == "alone" || scenario == "twice" ||
             scenario == "other" || scenario == "waits" || scenario == "dies") {
    run_unmade(scenario, ranks, first, id);
  } else {
    World world(ranks, first, mine, id);
    if (scenario == "all")
      run_all(world);
    else
      run_failure(scenario, world);
  }
  return finish();
}

/// What a process is to do, and the seconds that it waits for others.
struct Task {
  std::string scenario;
  int ranks, first, mine;
  const char* seconds = "60";
  bool is_killed = false;
};

struct Started {
  pid_t process;
  FILE* output;
};

Started start(const Task& task, const ncclUniqueId& id) {
  FILE* const output = std::tmpfile();
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process == 0) {
    dup2(fileno(output), STDOUT_FILENO);
    const char* devices = std::getenv("GRIDSPAN_DEVICES");
    if (!devices || !std::strstr(devices, "cuda")) setenv("GRIDSPAN_VIRTUAL_GPUS", "4", 1);
    setenv("GRIDSPAN_NCCL_TIMEOUT", task.seconds, 1);
    const std::string ranks = std::to_string(task.ranks), first = std::to_string(task.first),
                      mine = std::to_string(task.mine);
    execl("/proc/self/exe", "nccl_processes", task.scenario.c_str(), ranks.c_str(), first.c_str(),
          mine.c_str(), hex(id).c_str(), nullptr);
    _exit(127);
  }
  return {process, output};
}

/// Its checks are counted here. The bits that it printed.
std::string end(const Task& task, const Started& started) {
  int status = -1;
  EXPECT(waitpid(started.process, &status, 0) == started.process);
  std::string bits;
  char line[256];
  int right = -1, all = -1, copies = 0;
  std::rewind(started.output);
  while (std::fgets(line, sizeof line, started.output)) {
    if (std::strncmp(line, "bits", 4) == 0)
      bits += line;
    else if (std::strstr(line, " copies to the host") && std::sscanf(line, "%d", &copies) == 1)
      copies_to_host = std::max(copies_to_host, copies);
    else if (std::sscanf(line, "%d of %d right", &right, &all) != 2)
      std::printf("%s, rank %d: %s", task.scenario.c_str(), task.first, line);
  }
  std::fclose(started.output);
  if (task.is_killed) {
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  } else if (!EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0 && right == all && all > 0)) {
    std::printf("%s, rank %d: status %x\n", task.scenario.c_str(), task.first,
                static_cast<unsigned>(status));
  }
  return bits;
}

std::string run(const std::vector<Task>& tasks) {
  ncclUniqueId id;
  RIGHT(ncclGetUniqueId(&id));
  std::vector<Started> started;
  for (const Task& task : tasks) started.push_back(start(task, id));
  std::string bits;
  for (std::size_t i = 0; i < tasks.size(); ++i) bits += end(tasks[i], started[i]);
  return bits;
}

/// Other programs may be about to meet.
bool is_shared_memory_clean() {
  for (int turn = 0; turn < 100; ++turn) {
    bool found = false;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
      found |= entry.path().filename().string().starts_with("gridspan-nccl-");
    if (!found) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

/// One process waits alone, and is killed from outside: its file stays until the next one comes.
void check_forgotten() {
  ncclUniqueId id;
  RIGHT(ncclGetUniqueId(&id));
  const Task task{"waits", 2, 0, 1, "60", true};
  const Started started = start(task, id);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(started.process, SIGKILL);
  end(task, started);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 6) return child(arguments);
  const bool few = has_few();
  const std::string apart =
      run({{"all", 4, 0, 1}, {"all", 4, 1, 1}, {"all", 4, 2, 1}, {"all", 4, 3, 1}});
  std::fputs(apart.c_str(), stdout);
  EXPECT(!apart.empty());
  EXPECT(is_shared_memory_clean());
  if (!few) {
    EXPECT(run({{"all", 4, 0, 4}}) == apart);  // one process
    EXPECT(run({{"all", 4, 0, 2}, {"all", 4, 2, 2}}) == apart);
    EXPECT(run({{"all", 4, 0, 1}, {"all", 4, 1, 3}}) == apart);
    run({{"all", 10, 0, 5}, {"all", 10, 5, 5}});
    run({{"threads", 6, 0, 3}, {"threads", 6, 3, 2}, {"threads", 6, 5, 1}});
  }
  run({{"killed", 3, 0, 1}, {"killed", 3, 1, 1}, {"killed", 3, 2, 1, "60", true}});
  if (!few) {
    run({{"silent", 3, 0, 1, "4"}, {"silent", 3, 1, 1, "4"}, {"silent", 3, 2, 1, "4"}});
    run({{"aborts", 3, 0, 1}, {"aborts", 3, 1, 1}, {"aborts", 3, 2, 1}});
    run({{"leaves", 2, 0, 1}, {"leaves", 2, 1, 1}});
    run({{"unmet", 3, 0, 1, "3"}, {"unmet", 3, 1, 1, "3"}});
    run({{"dies", 3, 0, 1, "60", true}, {"alone", 3, 1, 1}});
    run({{"twice", 2, 0, 1, "2"}, {"twice", 2, 1, 1, "2"}});
    run({{"alone", 2, 0, 1, "2"}, {"other", 2, 1, 1, "2"}});
    EXPECT(is_shared_memory_clean());
    check_forgotten();
    run({{"leaves", 2, 0, 1}, {"leaves", 2, 1, 1}});
  }
  EXPECT(is_shared_memory_clean());
  return finish();
}
