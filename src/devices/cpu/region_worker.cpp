// One worker running blocks as regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/region_worker.h"

#include "devices/cpu/messages.h"
#include "devices/cpu/region_executor.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace gridspan::devices::cpu {
namespace {

/// Handing blocks to sleeping workers and waiting for them costs about this much.
constexpr double hand_off_nanoseconds = 10'000;
/// Pieces a cheap launch is cut into, so that a wrong guess is noticed.
constexpr std::uint64_t pieces_alone = 8;
/// Chunks per worker of what is left: small enough that all finish together.
constexpr std::uint64_t chunks_per_worker = 4;

/// What runs a whole block at once; null: its regions have to be led.
abi::RegionFunction block_function(const abi::Kernel& kernel, const abi::LaunchContext& launch) {
  const bool is_one = kernel.region_count == 1 && kernel.regions[0].only_successor == abi::exited;
  if (is_one) return kernel.regions[0].run;
  return abi::whole_warps(launch.grid, launch.block) ? kernel.block : nullptr;
}

/// Rows of blocks that are one row high are read once, from wherever they are.
constexpr std::uint32_t rows_on_end = 4;

/// Neighbours along x that run as one block.
std::uint32_t blocks_at_once(const abi::Kernel& kernel, const abi::LaunchContext& launch) {
  if (!abi::joins_blocks(kernel, launch.grid, launch.block)) return 1;
  const bool is_flat = launch.block.y * launch.block.z == 1;
  const std::uint32_t threads = kernel.joined_threads * (is_flat ? rows_on_end : 1);
  return std::max<std::uint32_t>(1, threads / launch.block.x);
}

/// Blocks to hand out together: whole rows, or pieces of rows, if there are enough for all workers.
std::uint64_t chunk_unit(const Part& part, unsigned workers) {
  const std::uint64_t row = part.launch().block_count.x;
  const std::uint64_t most = blocks_at_once(part.kernel(), part.launch());
  const std::uint64_t fair = part.blocks().size() / (chunks_per_worker * workers);
  return std::max<std::uint64_t>(1, std::min({row, most, fair}));
}

double nanoseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

void RegionWorker::run_alone(Part& part, unsigned workers) {
  const ChildScope scope(part.children(), part.kernel());
  const std::uint64_t blocks = part.left();
  if (workers == 1 || blocks == 1) {
    prepare(part);
    return run_chunk(part, part.claim(1));
  }
  const double threads = static_cast<double>(part.threads_per_block());
  const auto expected = costs_.expect(part.kernel(), threads * static_cast<double>(blocks));
  if (!expected || *expected > hand_off_nanoseconds) return;
  prepare(part);
  const std::uint64_t piece = std::max<std::uint64_t>(1, blocks / pieces_alone);
  const double begin = nanoseconds_now();
  double elapsed = 0;
  while (part.left() != 0 && !part.stopped() && elapsed < 2 * hand_off_nanoseconds) {
    run_chunk(part, part.claim(std::max<std::uint64_t>(1, part.left() / piece)));
    elapsed = nanoseconds_now() - begin;
  }
  costs_.record(part.kernel(), threads * static_cast<double>(blocks - part.left()), elapsed);
}

void RegionWorker::run_shared(Part& part, unsigned workers) {
  const ChildScope scope(part.children(), part.kernel());
  prepare(part);
  const double begin = nanoseconds_now();
  std::uint64_t blocks = 0;
  const std::uint64_t unit = chunk_unit(part, workers);
  while (!part.stopped()) {
    const BlockChunk chunk = part.claim(chunks_per_worker * workers, unit);
    if (chunk.size() == 0) break;
    run_chunk(part, chunk);
    blocks += chunk.size();
  }
  costs_.record(part.kernel(), static_cast<double>(blocks) * part.threads_per_block(),
                nanoseconds_now() - begin);
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
  storage_.prepare(part.kernel(), part.launch(), true);
}

void RegionWorker::run_chunk(Part& part, BlockChunk chunk) {
  running_ = part.kernel().regions;
  if (!run_guarded(frame_, [&] { run_blocks(part, chunk); })) {
    report_fault(part, storage_.context());
  }
}

/// Runs inside the guard: owns nothing that a fault could leak.
void RegionWorker::run_blocks(Part& part, BlockChunk chunk) {
  const abi::Kernel& kernel = part.kernel();
  abi::BlockContext& block = storage_.context();
  block.block_index = part.blocks().at(chunk.begin);
  if (const abi::RegionFunction run = block_function(kernel, part.launch())) {
    const std::uint32_t threads = part.threads_per_block(), width = part.launch().block.x;
    const std::uint32_t most = blocks_at_once(kernel, part.launch());
    for (std::uint64_t i = chunk.begin; i < chunk.end && !part.stopped();) {
      std::uint32_t count = std::min(most, part.blocks().left_in_row(block.block_index));
      count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, chunk.end - i));
      block.row_threads = count * width;
      block.thread_count = count * threads;
      run(&block, 0, block.thread_count);
      part.blocks().advance(block.block_index, count);
      i += count;
    }
    return;
  }
  RegionExecutor executor(kernel, block, running_);
  for (std::uint64_t i = chunk.begin; i < chunk.end && !part.stopped(); ++i) {
    if (executor.run_block() != RegionExecutor::Outcome::finished) {
      return report_deadlock(part, block);
    }
    part.blocks().advance(block.block_index);
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
