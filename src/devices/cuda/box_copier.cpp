// Slices as rows of one pitch, or row by row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/box_copier.h"

#include "devices/cuda/neighbours.h"

#include <limits>
#include <optional>
#include <utility>

namespace gridspan::devices::cuda {
namespace {

Pitched moved(const Pitched& memory, std::size_t bytes) {
  return {memory.base + bytes, memory.pitch, memory.slice_pitch};
}

/// One row after the other, without gaps.
bool is_dense(const Pitched& memory, const Extent& extent) {
  return extent.height == 1 || memory.pitch == extent.width;
}

}  // namespace

bool is_regular(const Pitched& memory, const Extent& extent) {
  return memory.pitch >= extent.width &&
         memory.pitch <= static_cast<std::size_t>(std::numeric_limits<int>::max());
}

/// Everything begun is over when this returns, whatever became of it.
RunResult BoxCopier::finish(const RunResult& begun) const {
  const Result error = gpu_.driver.cuStreamSynchronize(stream_);
  return begun.fault != Fault::none ? begun : gpu_.driver.fault(error, "cuStreamSynchronize");
}

RunResult BoxCopier::copy(std::span<const BoxMove> moves) {
  const std::scoped_lock lock(mutex_);
  for (const BoxMove& move : moves) {
    RunResult begun = begin_copy(stream_, move.to, move.from, move.extent);
    if (begun.fault != Fault::none) return finish(begun);
  }
  return finish({});
}

RunResult BoxCopier::fill(const Pitched& to, const Extent& extent, unsigned char value) {
  const std::scoped_lock lock(mutex_);
  return finish(begin_fill(stream_, to, extent, value));
}

RunResult BoxCopier::begin_copy(Stream stream, const Pitched& to, const Pitched& from,
                                const Extent& extent, bool may_wait) {
  if (const Result error = gpu_.make_current(); error != success)
    return gpu_.driver.fault(error, "cuCtxSetCurrent");
  const bool reads_host = !neighbours().holder(from.base);
  if (may_wait && reads_host != !neighbours().holder(to.base)) {
    const Pitched &host = reads_host ? from : to, &gpu = reads_host ? to : from;
    const Way way = reads_host ? Way::write : Way::read;
    const bool is_taken =
        (extent.height == 1 || is_regular(gpu, extent)) && pageable_.takes(way, host, extent);
    if (auto done = is_taken ? pageable_.copy(way, stream, gpu, host, extent) : std::nullopt)
      return std::move(*done);
  }
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    RunResult begun =
        copy_slice(stream, moved(to, slice * to.slice_pitch), moved(from, slice * from.slice_pitch),
                   {extent.width, extent.height, 1});
    if (begun.fault != Fault::none) return begun;
  }
  return {};
}

RunResult BoxCopier::copy_slice(Stream stream, const Pitched& to, const Pitched& from,
                                const Extent& extent) const {
  const Driver& api = gpu_.driver;
  if (is_dense(to, extent) && is_dense(from, extent)) {
    const std::size_t bytes = extent.width * extent.height;
    return api.fault(api.cuMemcpyAsync(address(to.base), address(from.base), bytes, stream),
                     "cuMemcpyAsync");
  }
  if (is_regular(to, extent) && is_regular(from, extent)) {
    Copy2d box{};
    const bool reads_host = !neighbours().holder(from.base);
    const bool writes_host = !neighbours().holder(to.base);
    box.source_type = reads_host ? memory_host : memory_device;
    box.source_host = reads_host ? from.base : nullptr;
    box.source = reads_host ? 0 : address(from.base);
    box.source_pitch = from.pitch;
    box.target_type = writes_host ? memory_host : memory_device;
    box.target_host = writes_host ? to.base : nullptr;
    box.target = writes_host ? 0 : address(to.base);
    box.target_pitch = to.pitch;
    box.width = extent.width;
    box.height = extent.height;
    return api.fault(api.cuMemcpy2DAsync(&box, stream), "cuMemcpy2DAsync");
  }
  for (std::size_t row = 0; row < extent.height; ++row) {
    const Result error =
        api.cuMemcpyAsync(address(to.base + row * to.pitch), address(from.base + row * from.pitch),
                          extent.width, stream);
    if (error != success) return api.fault(error, "cuMemcpyAsync");
  }
  return {};
}

RunResult BoxCopier::begin_fill(Stream stream, const Pitched& to, const Extent& extent,
                                unsigned char value) {
  if (const Result error = gpu_.make_current(); error != success)
    return gpu_.driver.fault(error, "cuCtxSetCurrent");
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    RunResult begun = fill_slice(stream, moved(to, slice * to.slice_pitch),
                                 {extent.width, extent.height, 1}, value);
    if (begun.fault != Fault::none) return begun;
  }
  return {};
}

RunResult BoxCopier::fill_slice(Stream stream, const Pitched& to, const Extent& extent,
                                unsigned char value) const {
  const Driver& api = gpu_.driver;
  if (is_dense(to, extent)) {
    const std::size_t bytes = extent.width * extent.height;
    return api.fault(api.cuMemsetD8Async(address(to.base), value, bytes, stream),
                     "cuMemsetD8Async");
  }
  if (is_regular(to, extent)) {
    return api.fault(api.cuMemsetD2D8Async(address(to.base), to.pitch, value, extent.width,
                                           extent.height, stream),
                     "cuMemsetD2D8Async");
  }
  for (std::size_t row = 0; row < extent.height; ++row) {
    const Result error =
        api.cuMemsetD8Async(address(to.base + row * to.pitch), value, extent.width, stream);
    if (error != success) return api.fault(error, "cuMemsetD8Async");
  }
  return {};
}

}  // namespace gridspan::devices::cuda
