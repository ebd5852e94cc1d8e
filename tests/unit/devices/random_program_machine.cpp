// Random programs thread by thread: as a table of regions and as a thread function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_program_values.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gridspan::test {
namespace {

struct State {
  std::uint32_t r[registers];
  std::uint32_t mask[depths];
  std::uint32_t counter[depths];
  std::uint32_t limit[depths];
  std::uint32_t predicate;
};

class Machine {
 public:
  Machine(BlockContext* block, std::uint32_t t, State& state)
      : program_(*argument<const Program*>(block, 0)), block_(block), t_(t), state_(state) {}

  void start() {
    initial_registers(state_.r, block_number(block_), t_);
    std::fill(std::begin(state_.mask), std::end(state_.mask), all);
  }
  /// Runs from `at` to the next sync point and returns it, or null when the thread has left.
  const Instruction* run(int at) {
    for (;; ++at) {
      const Instruction& i = program_.code[static_cast<std::size_t>(at)];
      std::uint32_t* r = state_.r;
      switch (i.code) {
        case Code::compute:
          r[i.a] = mix(r[i.b], r[i.c], i.constant);
          break;
        case Code::publish:
          shared()[t_] = r[i.a];
          break;
        case Code::fetch:
          r[i.a] = shared()[partner(t_, block_->thread_count, i.constant)];
          break;
        case Code::test_branch:
          state_.predicate = (r[i.b] & i.constant) != 0;
          break;
        case Code::test_loop:
          state_.predicate = state_.counter[i.depth] < state_.limit[i.depth];
          break;
        case Code::begin_loop:
          state_.counter[i.depth] = 0;
          state_.limit[i.depth] = r[i.b] % i.constant;
          state_.mask[i.depth + 1] = state_.mask[i.depth];
          break;
        case Code::begin_repeat:
          state_.counter[i.depth] = 0;
          state_.limit[i.depth] = i.constant;
          state_.mask[i.depth + 1] = state_.mask[i.depth];
          break;
        case Code::next:
          ++state_.counter[i.depth];
          break;
        case Code::invert:
          state_.mask[i.depth + 1] = state_.mask[i.depth] & ~state_.mask[i.depth + 1];
          break;
        case Code::jump_unless:
          if (!state_.predicate) at = i.target - 1;
          break;
        case Code::jump:
          at = i.target - 1;
          break;
        case Code::leave_if:
          if (r[i.b] % i.constant == 0) return leave(3);
          break;
        case Code::finish:
          return leave(0);
        case Code::sync_warp:
        case Code::sync_block:
        case Code::ballot:
          return &i;
      }
    }
  }
  std::uint32_t mask(const Instruction& i) const { return state_.mask[i.depth]; }
  std::uint64_t value(const Instruction& i) const {
    if (i.code == Code::ballot) return state_.predicate;
    if (i.code == Code::sync_block) return state_.r[i.b] & 1;
    return operand(i.kind, state_.r, i.b);
  }
  std::uint32_t lane(const Instruction& i) const { return state_.r[i.c]; }
  /// Takes the result of a sync point; returns where to go on.
  int resume(const Instruction& i, std::uint64_t value, std::uint32_t flag) {
    if (i.code == Code::ballot) {
      state_.mask[i.a] = static_cast<std::uint32_t>(value);
    } else if (i.kind != SyncKind::barrier && i.kind != SyncKind::warp_barrier) {
      state_.r[i.a] = combine(i.kind, value, flag);
    }
    return static_cast<int>(&i - program_.code.data()) + 1;
  }

  static constexpr std::uint32_t all = ~0u;

 private:
  using Code = Instruction::Code;
  std::uint32_t* shared() { return reinterpret_cast<std::uint32_t*>(block_->shared); }
  const Instruction* leave(std::uint32_t how) {
    auto* out = argument<std::uint32_t*>(block_, 1);
    out[block_number(block_) * block_->thread_count + t_] = digest(state_.r) + how;
    return nullptr;
  }
  const Program& program_;
  BlockContext* block_;
  std::uint32_t t_;
  State& state_;
};

void run_region(BlockContext* block, std::uint32_t first, std::uint32_t last, std::size_t region) {
  const Program& program = *argument<const Program*>(block, 0);
  for (std::uint32_t t = first; t < last; ++t) {
    Machine machine(block, t, slot<State>(block, 0, t));
    int at = 0;
    if (region == 0) {
      machine.start();
    } else {
      const auto point = static_cast<std::size_t>(program.sync_points[region - 1]);
      at = machine.resume(program.code[point], block->sync_value[t], block->sync_flag[t]);
    }
    const Instruction* wait = machine.run(at);
    block->next[t] = wait != nullptr ? wait->region : abi::exited;
    if (wait == nullptr) continue;
    block->sync_mask[t] = machine.mask(*wait);
    block->sync_value[t] = machine.value(*wait);
    block->sync_lane[t] = machine.lane(*wait);
    block->sync_clamp[t] = wait->constant;
  }
}

template <std::size_t... Index>
constexpr auto region_functions(std::index_sequence<Index...>) {
  return std::array<abi::RegionFunction, sizeof...(Index)>{
      [](BlockContext* block, std::uint32_t first, std::uint32_t last) {
        run_region(block, first, last, Index);
      }...};
}
constexpr auto functions = region_functions(std::make_index_sequence<most_sync_points + 20>());

void run_thread(ThreadContext* thread) {
  constexpr SourcePoint nowhere{};
  State state;
  Machine machine(thread->block, thread->thread, state);
  machine.start();
  for (const Instruction* wait = machine.run(0); wait != nullptr;) {
    const auto kind = static_cast<std::uint32_t>(wait->kind);
    std::uint64_t value = machine.value(*wait);
    std::uint32_t flag = 0;
    if (wait->code == Instruction::Code::sync_block) {
      value = gridspan_fiber_barrier(thread, kind, static_cast<std::uint32_t>(value), &nowhere);
    } else {
      value = gridspan_fiber_warp(thread, kind, machine.mask(*wait), value, machine.lane(*wait),
                                  wait->constant, &flag, &nowhere);
    }
    wait = machine.run(machine.resume(*wait, value, flag));
  }
}

}  // namespace

std::unique_ptr<TestKernel> kernel_of(const Program& program, bool fibers) {
  KernelParts parts{.name = "random_program",
                    .thread = run_thread,
                    .flags = abi::kernel_has_block_sync,
                    .static_shared = 4096,
                    .frame_bytes = sizeof(State)};
  if (fibers) return std::make_unique<TestKernel>(std::move(parts));
  const std::size_t regions = program.sync_points.size() + 1;
  if (regions > functions.size()) return nullptr;
  for (std::size_t k = 0; k < regions; ++k) {
    Region region{functions[k], many, {}, {}};
    if (k > 0)
      region.kind = program.code[static_cast<std::size_t>(program.sync_points[k - 1])].kind;
    if (!abi::is_block_wide(region.kind)) parts.flags |= abi::kernel_has_warp_sync;
    parts.regions.push_back(region);
  }
  return std::make_unique<TestKernel>(std::move(parts));
}

}  // namespace gridspan::test
