// Each thread takes the next stage until all are copied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/pageable_copier.h"

#include "devices/cuda/box_copier.h"
#include "devices/cuda/crew.h"
#include "devices/cuda/managed_memory.h"
#include "devices/cuda/page_lock.h"

#include <atomic>
#include <mutex>
#include <new>
#include <utility>

namespace gridspan::devices::cuda {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr unsigned turns = 2;  // pieces of a thread
/// Below, threads take longer to begin than the driver to copy.
constexpr std::size_t least_bytes = std::size_t{4} << 20;
/// Pieces are made when so much was to be copied.
constexpr std::size_t worth_pieces = std::size_t{48} << 20;

/// Of the process, for one way. Kept.
struct Pieces {
  std::mutex mutex;  // held while they are in use
  std::atomic<char*> memory{nullptr};
  std::atomic<std::size_t> asked{0};  // bytes of copies, until there are pieces

  char* piece(unsigned index) { return memory + index * piece_bytes; }
};

Pieces& pieces(Way way) {
  static Pieces& to_gpus = *new Pieces;
  static Pieces& from_gpus = *new Pieces;
  return way == Way::write ? to_gpus : from_gpus;
}

Crew& crew_for(Way way) { return way == Way::write ? crew() : second_crew(); }

/// Between a piece and the host's memory.
void copy_stage(Way way, const Stage& stage, char* staged, const Pitched& host) {
  for (const StagedPiece& piece : stage) {
    const Pitched dense{staged + piece.offset, piece.width, 0};
    const Pitched there{piece.place(host), host.pitch, 0};
    const Extent extent{piece.width, piece.rows, 1};
    if (way == Way::write)
      copy_box(dense, there, extent);
    else
      copy_box(there, dense, extent);
  }
}

}  // namespace

/// What the threads share.
class PageableCopier::Job {
 public:
  Job(PageableCopier& copier, Way way, Stream stream, const Pitched& gpu, const Pitched& host,
      const Extent& extent)
      : copier_(copier),
        way_(way),
        stream_(stream),
        gpu_(gpu),
        host_(host),
        stages_(extent, piece_bytes, true) {}

  void work(unsigned thread) {
    const Result current = copier_.gpu_.make_current();
    if (current != success) return fail(api().fault(current, "cuCtxSetCurrent"));
    if (way_ == Way::write)
      write(thread);
    else
      read(thread);
  }

  RunResult result() && { return std::move(result_); }

 private:
  const Driver& api() const { return copier_.gpu_.driver; }

  /// Empty when there is no more, or no more use.
  Stage next() {
    const std::scoped_lock lock(mutex_);
    return result_.fault == Fault::none ? stages_.next() : Stage{};
  }

  void fail(RunResult why) {
    const std::scoped_lock lock(mutex_);
    if (result_.fault == Fault::none) result_ = std::move(why);
  }

  void begin(const Stage& stage, unsigned piece) {
    RunResult begun = begin_stage(api(), way_, stream_, stage, pieces(way_).piece(piece), gpu_);
    if (begun.fault != Fault::none) return fail(std::move(begun));
    const Result marked = api().cuEventRecord(copier_.events(way_)[piece], stream_);
    if (marked != success) fail(api().fault(marked, "cuEventRecord"));
  }

  bool finish(unsigned piece) {
    const Result error = api().cuEventSynchronize(copier_.events(way_)[piece]);
    if (error != success) fail(api().fault(error, "cuEventSynchronize"));
    return error == success;
  }

  void write(unsigned thread) {
    unsigned used = 0;
    for (Stage stage = next(); !stage.empty(); stage = next(), ++used) {
      const unsigned piece = thread * turns + used % turns;
      if (used >= turns && !finish(piece)) return;
      copy_stage(way_, stage, pieces(way_).piece(piece), host_);
      begin(stage, piece);
    }
  }

  void read(unsigned thread) {
    Stage before;
    for (unsigned used = 0;; ++used) {
      const unsigned piece = thread * turns + used % turns;
      Stage stage = next();
      if (!stage.empty()) begin(stage, piece);
      if (!before.empty()) {
        const unsigned full = thread * turns + (used + 1) % turns;
        if (!finish(full)) return;
        copy_stage(way_, before, pieces(way_).piece(full), host_);
      }
      if (stage.empty()) return;
      before = std::move(stage);
    }
  }

  PageableCopier& copier_;
  const Way way_;
  const Stream stream_;
  const Pitched gpu_, host_;
  std::mutex mutex_;  // of what follows
  Stages stages_;
  RunResult result_;
};

bool PageableCopier::is_page_locked(const char* memory) const {
  unsigned kind = 0;
  return gpu_.driver.cuPointerGetAttribute(&kind, pointer_memory_type, address(memory)) == success;
}

bool PageableCopier::takes(Way way, const Pitched& host, const Extent& extent) const {
  const std::size_t bytes = extent.width * extent.height * extent.depth;
  if (bytes < least_bytes || crew_for(way).size() < 2) return false;
  if (extent.height > 1 && !is_regular(host, extent)) return false;
  const char* const last = host.base + (extent.depth - 1) * host.slice_pitch +
                           (extent.height - 1) * host.pitch + extent.width - 1;
  if (gpu_.make_current() != success) return false;
  if (ManagedMemory::holds(host.base) || (is_page_locked(host.base) && is_page_locked(last)))
    return false;
  Pieces& own = pieces(way);
  return own.memory != nullptr || own.asked.fetch_add(bytes) + bytes >= worth_pieces;
}

bool PageableCopier::prepare(Way way) {
  const unsigned count = crew_for(way).size() * turns;
  Pieces& own = pieces(way);
  if (own.memory == nullptr)
    own.memory = static_cast<char*>(take_page_locked(gpu_, count * piece_bytes));
  while (events(way).size() < count) {
    Event made = nullptr;
    if (gpu_.driver.cuEventCreate(&made, event_without_time) != success) return false;
    events(way).push_back(made);
  }
  return own.memory != nullptr;
}

std::optional<RunResult> PageableCopier::copy(Way way, Stream stream, const Pitched& gpu,
                                              const Pitched& host, const Extent& extent) {
  const Driver& api = gpu_.driver;
  if (gpu_.make_current() != success) return std::nullopt;
  // Threads do not spin while kernels run, and copies of other GPUs do not wait for them.
  if (const Result error = api.cuStreamSynchronize(stream); error != success)
    return api.fault(error, "cuStreamSynchronize");
  const std::scoped_lock lock(pieces(way).mutex);
  if (!prepare(way)) return std::nullopt;
  Job job(*this, way, stream, gpu, host, extent);
  RunResult thrown;
  try {
    crew_for(way).run([&](unsigned thread) { job.work(thread); });
  } catch (const std::bad_alloc&) {
    thrown = {Fault::out_of_memory, "error: out of memory in a copy"};
  }
  RunResult ended = api.fault(api.cuStreamSynchronize(stream), "cuStreamSynchronize");
  if (thrown.fault != Fault::none) return thrown;
  RunResult result = std::move(job).result();
  return result.fault != Fault::none ? result : ended;
}

}  // namespace gridspan::devices::cuda
