// One worker running blocks as regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/region_worker.h"

#include "devices/cpu/messages.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace gridspan::devices::cpu {
namespace {

/// Handing blocks to sleeping workers and waiting for them costs about this much.
constexpr double hand_off_nanoseconds = 10'000;
/// Pieces a cheap launch is cut into, so that a wrong guess is noticed.
constexpr std::uint64_t pieces_alone = 8;
/// For two vectors of each of 16384 rounds, four times over. Touched only as far as it is used.
constexpr std::size_t panel_bytes = (8 << 20) + (128 << 10);
/// Tiles of a kernel's first launch before it is known how long one takes.
constexpr std::uint64_t first_tiles = 64;
/// Claims cost some dozens of nanoseconds.
constexpr double chunk_nanoseconds = 1000;
/// Chunks per worker of what is left: small enough that all finish together.
constexpr std::uint64_t chunks_per_worker = 4;

double nanoseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

/// Memory of panels may come from another worker, whose labels must not look like this one's.
static std::uint64_t first_run() {
  static std::atomic<std::uint64_t> workers = 0;
  return ++workers << 40;
}

RegionWorker::RegionWorker(CostHistory& costs) : costs_(costs) {
  storage_.context().run = first_run();
}

void RegionWorker::run_alone(Part& part, unsigned workers) {
  const ChildScope scope(part.children(), part.kernel());
  const std::uint64_t tiles = part.left();
  if (workers == 1 || tiles == 1) {
    prepare(part);
    return run_chunk(part, part.supply().claim_in_order(1));
  }
  const double threads = part.threads_per_slice();
  const auto expected = costs_.expect(part.kernel(), threads * static_cast<double>(tiles));
  if (!expected || *expected > hand_off_nanoseconds) return;
  prepare(part);
  const std::uint64_t piece = std::max<std::uint64_t>(1, tiles / pieces_alone);
  const double begin = nanoseconds_now();
  double elapsed = 0;
  while (part.left() != 0 && !part.stopped() && elapsed < 2 * hand_off_nanoseconds) {
    run_chunk(part, part.supply().claim_in_order(std::max<std::uint64_t>(1, part.left() / piece)));
    elapsed = nanoseconds_now() - begin;
  }
  costs_.record(part.kernel(), threads * static_cast<double>(tiles - part.left()), elapsed);
}

void RegionWorker::run_shared(Part& part, unsigned workers, unsigned slot, BeginWindow* window) {
  const ChildScope scope(part.children(), part.kernel());
  prepare(part);
  const double begin = nanoseconds_now();
  std::uint64_t tiles = 0;
  const auto record = [&] {
    costs_.record(part.kernel(), static_cast<double>(tiles) * part.threads_per_slice(),
                  nanoseconds_now() - begin);
  };
  bool is_cost_known =
      part.takes_any_order() || costs_.expect(part.kernel(), part.threads_per_slice());
  while (!part.stopped()) {
    const std::uint64_t divisor = chunks_per_worker * workers;
    const TileChunk chunk = window                   ? claim_within(part, workers, slot, *window)
                            : part.takes_any_order() ? part.supply().claim(divisor, slot)
                                                     : claim_in_order(part, divisor);
    if (chunk.size() == 0) break;
    run_chunk(part, chunk);
    tiles += chunk.size();
    if (!is_cost_known && tiles >= first_tiles) {
      record();
      is_cost_known = true;
    }
  }
  if (window) window->leave(slot);
  record();
}

/// Of blocks that may wait for those before them only as many as take no longer than a claim is
/// worth: whoever has the block behind a chunk waits for all of the chunk.
TileChunk RegionWorker::claim_in_order(Part& part, std::uint64_t divisor) {
  const double each = costs_.expect(part.kernel(), part.threads_per_slice()).value_or(0);
  const double together = each > 0 ? std::clamp(chunk_nanoseconds / each, 1.0, 1e6) : 1.0;
  return part.supply().claim_in_order(
      std::max(divisor, part.left() / static_cast<std::uint64_t>(together)));
}

/// Waits until those far before have ended. The first of all that are under way wait for nobody.
TileChunk RegionWorker::claim_within(Part& part, unsigned workers, unsigned slot,
                                     BeginWindow& window) {
  const std::uint64_t all = part.tiles().size() * part.slices();
  window.announce(slot, all - part.left());
  std::atomic_thread_fence(std::memory_order_seq_cst);  // who claims a later tile sees it
  const std::uint64_t pieces = part.left() * workers / BeginWindow::width;
  const TileChunk chunk =
      part.supply().claim_in_order(std::max<std::uint64_t>(chunks_per_worker * workers, pieces));
  if (chunk.size() == 0) return chunk;
  window.announce(slot, chunk.begin);
  while (!window.lets_begin(slot, chunk.end) && !part.stopped()) sched_yield();
  return chunk;
}

void RegionWorker::run_phase(Part& part, GridPhases& phases) {
  const ChildScope scope(part.children(), part.kernel());
  overflow_ = prepare_thread();
  while (!part.stopped()) {
    GridBlock* block = phases.claim();
    if (block == nullptr) return;
    running_ = part.kernel().regions;
    if (!run_guarded(frame_, [&] { run_to_barrier(part, *block); })) {
      report_fault(part, block->storage.context());
    }
  }
}

void RegionWorker::run_waiting(Part& part, Residency& residency) {
  const ChildScope scope(part.children(), part.kernel());
  overflow_ = prepare_thread();
  try {
    while (!part.stopped()) {
      if (resident_.empty() && !begin_waiting(part, residency)) break;
      const std::size_t before = resident_.size();
      run_waiting_blocks(part, residency);
      if (resident_.size() < before) continue;
      // Whom these wait for is a block that has not begun, or one on another core.
      if (!begin_waiting(part, residency)) sched_yield();
    }
  } catch (const std::bad_alloc&) {
    drop_waiting(residency);
    throw;
  }
  drop_waiting(residency);
}

/// Their executors are for this launch.
void RegionWorker::drop_waiting(Residency& residency) {
  for (std::size_t i = 0; i < resident_.size(); ++i) residency.release();
  resident_.clear();
  for (auto& block : spare_) block->executor.reset();
}

/// False: there is no block, or no room for one.
bool RegionWorker::begin_waiting(Part& part, Residency& residency) {
  if (resident_.empty()) {
    residency.admit();
  } else if (part.left() == 0 || !residency.reserve()) {
    return false;
  }
  const TileChunk next = part.supply().claim_in_order(~std::uint64_t{0});
  if (next.size() == 0) {
    residency.release();
    return false;
  }
  if (spare_.empty()) spare_.push_back(std::make_unique<WaitingBlock>());
  WaitingBlock& block = *resident_.emplace_back(std::move(spare_.back()));
  spare_.pop_back();
  if (!block.executor) {
    abi::BlockContext& context = block.storage.prepare(part.kernel(), part.launch(), true);
    block.executor.emplace(part.kernel(), context, running_);
  }
  block.storage.context().block_index = part.tiles().at(next.begin);
  block.has_begun = block.has_ended = false;
  return true;
}

/// Each has a turn.
void RegionWorker::run_waiting_blocks(Part& part, Residency& residency) {
  for (std::size_t i = 0; i < resident_.size() && !part.stopped();) {
    WaitingBlock& block = *resident_[i];
    running_ = part.kernel().regions;
    if (!run_guarded(frame_, [&] { run_some_rounds(part, block); }))
      return report_fault(part, block.storage.context());
    if (!block.has_ended) {
      ++i;
      continue;
    }
    spare_.push_back(std::move(resident_[i]));
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
    residency.release();
  }
}

/// Runs inside the guard: owns nothing that a fault could leak.
void RegionWorker::run_some_rounds(Part& part, WaitingBlock& block) {
  const RegionExecutor::Outcome outcome =
      block.has_begun ? block.executor->resume_waiting() : block.executor->run_block();
  block.has_begun = true;
  block.has_ended = outcome == RegionExecutor::Outcome::finished;
  if (outcome == RegionExecutor::Outcome::deadlock) report_deadlock(part, block.storage.context());
}

/// Runs inside the guard: owns nothing that a fault could leak.
void RegionWorker::run_to_barrier(Part& part, GridBlock& block) {
  RegionExecutor executor(part.kernel(), block.storage.context(), running_);
  const RegionExecutor::Outcome outcome =
      block.started ? executor.resume_block() : executor.run_block();
  block.started = true;
  block.finished = outcome == RegionExecutor::Outcome::finished;
  block.waits_for_children = outcome == RegionExecutor::Outcome::at_children;
  if (outcome == RegionExecutor::Outcome::deadlock) report_deadlock(part, block.storage.context());
}

void RegionWorker::prepare(const Part& part) {
  overflow_ = prepare_thread();
  abi::BlockContext& block = storage_.prepare(part.kernel(), part.launch(), true);
  ++block.run;
  block.panel = panel_.reserve(panel_bytes);
  block.panel_bytes = panel_bytes;
  block.launch_values = part.launch_values();
}

void RegionWorker::run_prologue(Part& part) {
  prepare(part);
  running_ = part.kernel().regions;
  const bool good =
      run_guarded(frame_, [&] { part.form()->prologue(&part.launch(), part.launch_values()); });
  if (!good) report_fault(part, storage_.context());
}

void RegionWorker::run_chunk(Part& part, TileChunk chunk) {
  running_ = part.kernel().regions;
  if (!run_guarded(frame_, [&] { run_blocks(part, chunk); })) {
    report_fault(part, storage_.context());
  }
}

/// Runs inside the guard: owns nothing that a fault could leak. The place in the grid is not read
/// back from the context: loads of two numbers that were stored one by one wait for all stores
/// before them, which are the block's.
void RegionWorker::run_blocks(Part& part, TileChunk chunk) {
  if (part.slices() > 1) return run_slices(part, chunk);
  const abi::Kernel& kernel = part.kernel();
  abi::BlockContext& block = storage_.context();
  const BlockGrid& tiles = part.tiles();
  abi::Dim index = tiles.at(chunk.begin);
  if (const abi::BlockForm* form = part.form()) {
    for (std::uint64_t i = chunk.begin; i < chunk.end && !part.stopped(); ++i) {
      block.block_index = index;
      form->run(&block, 0, set_extent(part, tiles.extent(index)));
      tiles.advance(index);
    }
    return;
  }
  block.block_index = index;
  RegionExecutor executor(kernel, block, running_);
  for (std::uint64_t i = chunk.begin; i < chunk.end && !part.stopped(); ++i) {
    block.block_index = index;
    if (executor.run_block() != RegionExecutor::Outcome::finished) {
      return report_deadlock(part, block);
    }
    tiles.advance(index);
  }
}

/// The number of threads.
std::uint32_t RegionWorker::set_extent(const Part& part, Tile tile) {
  abi::BlockContext& block = storage_.context();
  const abi::Dim& size = part.launch().block;
  const std::uint32_t row_threads = tile.x * size.x, rows = tile.y * size.y;
  block.row_threads = row_threads;
  block.rows = rows;
  return block.thread_count = row_threads * rows * size.z;
}

/// Runs inside the guard: owns nothing that a fault could leak. Slices of one tile run as one.
void RegionWorker::run_slices(Part& part, TileChunk chunk) {
  abi::BlockContext& block = storage_.context();
  const std::uint64_t slices = part.slices();
  const auto run = part.form() ? part.form()->run : part.kernel().regions->run;
  while (chunk.size() != 0 && !part.stopped()) {
    const std::uint64_t tile = chunk.begin / slices, end = std::min(chunk.end, (tile + 1) * slices);
    block.block_index = part.tiles().at(tile);
    if (part.form()) set_extent(part, part.tiles().extent(block.block_index));
    const auto begin_of = [&](std::uint64_t slice) {
      constexpr std::uint64_t together = 64;  // whole vectors
      const std::uint64_t threads = block.thread_count, begin = threads * slice / slices;
      return static_cast<std::uint32_t>(slice == slices ? threads : begin / together * together);
    };
    const std::uint32_t first = begin_of(chunk.begin - tile * slices),
                        last = begin_of(end - tile * slices);
    if (first != last) run(&block, first, last);
    chunk.begin = end;
  }
}

void RegionWorker::report_fault(Part& part, const abi::BlockContext& block) {
  const abi::SourcePoint* passed = running_ != part.kernel().regions ? &running_->where : nullptr;
  recognise_overflow(frame_.record, overflow_);
  part.report({frame_.record.fault, fault_message(part.kernel(), block, frame_.record, passed)});
  frame_.record = {};
}

void RegionWorker::report_deadlock(Part& part, const abi::BlockContext& block) {
  const HostCode host;
  std::vector<Waiting> waiting;
  for (std::uint32_t t = 0; t < block.thread_count; ++t) {
    const std::uint16_t at = block.next[t];
    if (at == abi::exited) continue;
    const abi::Region& region = part.kernel().regions[at];
    waiting.push_back({t, region.kind, &region.where});
  }
  part.report({Fault::barrier_deadlock, deadlock_message(part.kernel(), block, waiting)});
}

}  // namespace gridspan::devices::cpu
