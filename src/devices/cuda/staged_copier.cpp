// Two streams, two halves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/staged_copier.h"

#include "devices/cuda/box_copier.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gridspan::devices::cuda {
namespace {

constexpr std::size_t half_bytes = std::size_t{8} << 20, least_stage = std::size_t{1} << 20;

std::size_t bytes_of(const Extent& extent) { return extent.width * extent.height * extent.depth; }

/// Several, so that there is something to do at the same time; large, since each is waited for.
std::size_t stage_bytes(const Extent& extent) {
  return std::clamp(bytes_of(extent) / 4, least_stage, half_bytes);
}

}  // namespace

RunResult StagedCopier::make_stream(const GpuContext& gpu) {
  Stream& stream = streams_[gpu.gpu];
  if (stream) return {};
  if (const Result error = gpu.make_current(); error != success)
    return gpu.driver.fault(error, "cuCtxSetCurrent");
  return gpu.driver.fault(gpu.driver.cuStreamCreate(&stream, stream_non_blocking),
                          "cuStreamCreate");
}

RunResult StagedCopier::prepare(const GpuContext& owner) {
  for (const GpuContext* gpu : {&owner, &gpu_}) {
    if (RunResult failed = make_stream(*gpu); failed.fault != Fault::none) return failed;
  }
  if (halves_) return {};
  return gpu_.driver.fault(gpu_.driver.cuMemHostAlloc(&halves_, 2 * half_bytes, host_portable),
                           "cuMemHostAlloc");
}

RunResult StagedCopier::begin(Way way, const Side& side, const Stage& stage, char* half,
                              const Pitched& memory) const {
  const Driver& api = side.gpu.driver;
  if (const Result error = side.gpu.make_current(); error != success)
    return api.fault(error, "cuCtxSetCurrent");
  return begin_stage(api, way, side.stream, stage, half, memory);
}

RunResult StagedCopier::finish(const Side& side) const {
  const Driver& api = side.gpu.driver;
  if (const Result error = side.gpu.make_current(); error != success)
    return api.fault(error, "cuCtxSetCurrent");
  return api.fault(api.cuStreamSynchronize(side.stream), "cuStreamSynchronize");
}

RunResult StagedCopier::copy(const GpuContext& owner, const Pitched& to, const Pitched& from,
                             const Extent& extent) {
  const std::scoped_lock lock(mutex_);
  if (RunResult failed = prepare(owner); failed.fault != Fault::none) return failed;
  const Side source{owner, streams_.at(owner.gpu)}, target{gpu_, streams_.at(gpu_.gpu)};
  Stages stages(extent, stage_bytes(extent), is_regular(to, extent) && is_regular(from, extent));
  char *full = static_cast<char*>(halves_), *empty = full + half_bytes;
  Stage stage = stages.next();
  RunResult result = begin(Way::read, source, stage, full, from);
  if (RunResult ended = finish(source); result.fault == Fault::none) result = std::move(ended);
  while (!stage.empty() && result.fault == Fault::none) {
    const Stage following = stages.next();
    RunResult failures[4];
    failures[0] = begin(Way::write, target, stage, full, to);
    failures[1] = begin(Way::read, source, following, empty, from);
    // Whatever became of it, nothing is on its way when this returns.
    failures[2] = finish(source);
    failures[3] = finish(target);
    for (RunResult& failure : failures) {
      if (result.fault == Fault::none) result = std::move(failure);
    }
    stage = following;
    std::swap(full, empty);
  }
  return result;
}

/// All of them fit into a half.
RunResult StagedCopier::copy_together(const Side& source, const Side& target,
                                      std::span<const BoxMove> moves) {
  const auto pass = [&](Way way, const Side& side) {
    RunResult result;
    char* half = static_cast<char*>(halves_);
    for (const auto& [to, from, extent] : moves) {
      Stages stages(extent, half_bytes, is_regular(to, extent) && is_regular(from, extent));
      result = begin(way, side, stages.next(), half, way == Way::read ? from : to);
      if (result.fault != Fault::none) break;
      half += bytes_of(extent);
    }
    RunResult ended = finish(side);
    return result.fault == Fault::none ? ended : result;
  };
  RunResult read = pass(Way::read, source);
  return read.fault == Fault::none ? pass(Way::write, target) : read;
}

RunResult StagedCopier::copy_all(const GpuContext& owner, std::span<const BoxMove> moves) {
  while (!moves.empty()) {
    std::size_t together = 0, bytes = 0;
    while (together < moves.size() && bytes + bytes_of(moves[together].extent) <= half_bytes)
      bytes += bytes_of(moves[together++].extent);
    RunResult result;
    if (together < 2) {
      const auto& [to, from, extent] = moves.front();
      result = copy(owner, to, from, extent);
      together = 1;
    } else {
      const std::scoped_lock lock(mutex_);
      result = prepare(owner);
      if (result.fault == Fault::none)
        result = copy_together({owner, streams_.at(owner.gpu)}, {gpu_, streams_.at(gpu_.gpu)},
                               moves.first(together));
    }
    if (result.fault != Fault::none) return result;
    moves = moves.subspan(together);
  }
  return {};
}

}  // namespace gridspan::devices::cuda
