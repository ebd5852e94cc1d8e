// When a copy may return, and what happens to pageable memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/copy_calls.h"

#include "runtime/api/call.h"
#include "runtime/api/copy_checks.h"
#include "runtime/api/submit.h"

#include <memory>

namespace gridspan::runtime {

namespace {

// A pageable source up to this size is snapshot, so that the caller of an asynchronous copy need
// not wait for the stream; and up to that size, so that it need not wait for the copy where the
// device only begins it. A plain copy waits for what comes before it, then returns in the same way:
// in the legacy stream, whose copies all others wait for. If there are streams that do not, it
// waits: CUDA lets it return earlier, but programs use such data in any stream at once.
constexpr std::size_t snapshot_limit = std::size_t{1} << 20;
constexpr std::size_t idle_snapshot_limit = std::size_t{64} << 10;

std::size_t bytes_of(const Extent& extent) { return extent.width * extent.height * extent.depth; }

/// A packed copy of the source as it is now.
CopyCommand snapshot(const Pitched& to, const Pitched& from, const Extent& extent) {
  std::unique_ptr<char[]> staged(new char[bytes_of(extent)]);
  const Pitched packed{staged.get(), extent.width, extent.width * extent.height};
  copy_box(packed, from, extent);
  return {to, packed, extent, std::move(staged)};
}

/// A fill of `depth` slices as nodes, which know two dimensions.
Status capture_slices(Runtime& state, Stream& stream, const cudaMemsetParams& first,
                      std::size_t slice_pitch, std::size_t depth) {
  cudaMemsetParams slice = first;
  for (std::size_t i = 0; i < depth; ++i) {
    GRIDSPAN_TRY(state.graphs.captures.add(stream, graph::FillTask{slice}));
    slice.dst = static_cast<char*>(slice.dst) + slice_pitch;
  }
  return cudaSuccess;
}

/// CUDA's rules (API synchronisation behaviour): device to device never waits; the plain forms wait
/// otherwise; the Async forms wait when the host could not tell when its pageable memory is free to
/// use again, and always between two host addresses.
bool must_wait(const CheckedCopy& sides, Asynchrony asynchrony) {
  const bool touches_host = sides.to != Side::device || sides.from != Side::device;
  if (asynchrony == Asynchrony::no) return touches_host;
  const bool host_to_host = sides.to != Side::device && sides.from != Side::device;
  return host_to_host || sides.to == Side::pageable || sides.from == Side::pageable;
}

}  // namespace

Status copy(Runtime& state, const Pitched& to, const Pitched& from, const Extent& extent,
            cudaMemcpyKind kind, cudaStream_t handle, Asynchrony asynchrony) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return refuse(cudaErrorInvalidMemcpyDirection, "%d is not a cudaMemcpyKind",
                  static_cast<int>(kind));
  }
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
  if (extent.is_empty()) return cudaSuccess;
  CheckedCopy sides;
  GRIDSPAN_TRY(check_copy(state, to, from, extent, kind, sides));
  if (state.graphs.captures.has(*stream)) {
    return state.graphs.captures.add(*stream, graph::CopyTask{to, from, extent, kind});
  }
  if (support::logs(support::LogLevel::debug)) {
    support::log(support::LogLevel::debug, "copy %zu bytes in %zu rows from %p to %p",
                 bytes_of(extent), extent.height * extent.depth, static_cast<void*>(from.base),
                 static_cast<void*>(to.base));
  }
  const bool waits = must_wait(sides, asynchrony);
  const auto saves_time = [&](std::size_t bytes) {
    const bool is_async = asynchrony == Asynchrony::yes;
    const auto is_idle = [&] { return state.queue.is_done(state.queue.last_submitted()); };
    if (bytes <= idle_snapshot_limit && state.queue.is_quick())
      return is_async || (sides.to == Side::device && state.streams.is_legacy(*stream) &&
                          !state.streams.has_free_streams() && is_idle());
    return is_async && bytes <= snapshot_limit && !is_idle();
  };
  if (waits && sides.from == Side::pageable && sides.to != Side::pageable &&
      saves_time(bytes_of(extent))) {
    const auto sequence = submit<CopyCommand>(state, *stream, snapshot(to, from, extent));
    if (asynchrony == Asynchrony::no) state.streams.note_early_return(sequence);
    return cudaSuccess;
  }
  // As CUDA does: a host function in the stream may be about to write the source, which drivers
  // read when they are called.
  if (asynchrony == Asynchrony::no && sides.from == Side::pageable && state.queue.is_quick()) {
    const auto before = stream->last.load(std::memory_order_acquire);
    GRIDSPAN_TRY(state.streams.is_legacy(*stream) ? wait_for_joined(state, before)
                                                  : wait_for(state, before));
  }
  const bool runs_beside = !waits && (sides.to != Side::device || sides.from != Side::device);
  const auto sequence =
      submit<CopyCommand>(state, *stream, CopyCommand{to, from, extent, nullptr, runs_beside});
  return waits ? wait_for(state, sequence) : cudaSuccess;
}

Status fill(Runtime& state, const Pitched& to, const Extent& extent, int value, cudaStream_t handle,
            Asynchrony asynchrony) {
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
  if (extent.is_empty()) return cudaSuccess;
  Side side = Side::device;
  GRIDSPAN_TRY(check_fill(state, to, extent, side));
  if (state.graphs.captures.has(*stream)) {
    const cudaMemsetParams whole{to.base, to.pitch,     static_cast<unsigned char>(value),
                                 1,       extent.width, extent.height};
    return capture_slices(state, *stream, whole, to.slice_pitch, extent.depth);
  }
  const auto sequence = submit<FillCommand>(
      state, *stream, FillCommand{to, extent, static_cast<unsigned char>(value)});
  const bool waits = asynchrony == Asynchrony::no && side != Side::device;
  return waits ? wait_for(state, sequence) : cudaSuccess;
}

}  // namespace gridspan::runtime

using namespace gridspan::runtime;

namespace {

Status check_pitch(const char* role, std::size_t pitch, std::size_t width, std::size_t height) {
  if (height <= 1 || pitch >= width) return cudaSuccess;
  return refuse(cudaErrorInvalidPitchValue, "%s pitch %zu is smaller than the width %zu", role,
                pitch, width);
}

Status copy_rows(Runtime& state, void* to, std::size_t to_pitch, const void* from,
                 std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                 cudaStream_t stream, Asynchrony asynchrony) {
  GRIDSPAN_TRY(check_pitch("destination", to_pitch, width, height));
  GRIDSPAN_TRY(check_pitch("source", from_pitch, width, height));
  return copy(state, rows(to, to_pitch), rows(from, from_pitch), {width, height, 1}, kind, stream,
              asynchrony);
}

}  // namespace

cudaError_t cudaMemcpy(void* destination, const void* source, size_t count, cudaMemcpyKind kind) {
  GRIDSPAN_CALL(destination, source, count, kind) {
    return copy(state, flat(destination), flat(source), {count}, kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t count,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  GRIDSPAN_CALL(destination, source, count, kind, stream) {
    return copy(state, flat(destination), flat(source), {count}, kind, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  GRIDSPAN_CALL(destination, destination_pitch, source, source_pitch, width, height, kind) {
    return copy_rows(state, destination, destination_pitch, source, source_pitch, width, height,
                     kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  GRIDSPAN_CALL(destination, destination_pitch, source, source_pitch, width, height, kind, stream) {
    return copy_rows(state, destination, destination_pitch, source, source_pitch, width, height,
                     kind, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t count) {
  GRIDSPAN_CALL(pointer, value, count) {
    return fill(state, flat(pointer), {count}, value, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  GRIDSPAN_CALL(pointer, value, count, stream) {
    return fill(state, flat(pointer), {count}, value, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  GRIDSPAN_CALL(pointer, pitch, value, width, height) {
    GRIDSPAN_TRY(check_pitch("destination", pitch, width, height));
    return fill(state, rows(pointer, pitch), {width, height, 1}, value, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  GRIDSPAN_CALL(pointer, pitch, value, width, height, stream) {
    GRIDSPAN_TRY(check_pitch("destination", pitch, width, height));
    return fill(state, rows(pointer, pitch), {width, height, 1}, value, stream, Asynchrony::yes);
  });
}
