// Random kernels with divergent control flow and sync points, run three ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_program.h"

#include "warp_reference.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace gridspan::test {
namespace {

constexpr int registers = 5;
constexpr int depths = 8;
constexpr int most_sync_points = 62;

struct State {
  std::uint32_t r[registers];
  std::uint32_t mask[depths];
  std::uint32_t counter[depths];
  std::uint32_t limit[depths];
  std::uint32_t predicate;
};

std::uint32_t mix(std::uint32_t x, std::uint32_t y, std::uint32_t constant) {
  std::uint32_t h = (x ^ constant) * 0x9e3779b1u + (y >> 3 | y << 29);
  return h ^ h >> 15;
}

void initial_registers(std::uint32_t* r, std::uint64_t block, std::uint32_t t) {
  for (std::uint32_t i = 0; i < registers; ++i) {
    // Some registers are alike for neighbours, so that votes and matches say something.
    const std::uint32_t thread = i % 2 == 0 ? t : t / 3 % 2;
    r[i] = mix(thread, static_cast<std::uint32_t>(block), i);
  }
}

std::uint32_t digest(const std::uint32_t* r) {
  std::uint32_t h = 1;
  for (int i = 0; i < registers; ++i) h = mix(h, r[i], 77);
  return h;
}

std::uint32_t partner(std::uint32_t t, std::uint32_t threads, std::uint32_t constant) {
  return (t + constant) % threads;
}

bool takes_predicate(SyncKind kind) {
  return kind >= SyncKind::vote_all && kind <= SyncKind::vote_ballot;
}
bool has_flag(SyncKind kind) {
  return (kind >= SyncKind::shuffle_up && kind <= SyncKind::shuffle_index) ||
         kind == SyncKind::match_all;
}
std::uint64_t operand(SyncKind kind, const std::uint32_t* r, int b) {
  if (takes_predicate(kind)) return r[b] & 1;
  if (kind == SyncKind::match_any || kind == SyncKind::match_all) {
    return (std::uint64_t{r[b] & 3} << 32) | (r[b] & 1);
  }
  return r[b];
}
std::uint32_t combine(SyncKind kind, std::uint64_t value, std::uint32_t flag) {
  return static_cast<std::uint32_t>(value) + (has_flag(kind) ? flag * 77 : 0);
}

// ---------------------------------------------------------------------------------- generation

class Generator {
 public:
  Generator(std::uint64_t seed, bool warps) : random_(seed), warps_(warps) {}

  std::vector<Node> sequence(int depth, bool uniform) {
    std::vector<Node> nodes;
    const int count = 1 + below(depth == 0 ? 7 : 4);
    for (int i = 0; i < count; ++i) statement(nodes, depth, uniform);
    return nodes;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int reg() { return below(registers); }

  void statement(std::vector<Node>& nodes, int depth, bool uniform) {
    const bool nest = depth < 4 && sync_points_ < most_sync_points - 8;
    switch (below(9)) {
      case 0:
        return branch(nodes, depth, nest);
      case 1:
        return loop(nodes, depth, nest);
      case 2:
        return repeat(nodes, depth, uniform, nest);
      case 3:
        return nodes.push_back(
            {.op = Op::leave, .b = reg(), .constant = static_cast<std::uint32_t>(3 + below(20))});
      case 4:
      case 5:
        return exchange(nodes, uniform);
      case 6:
        return compute(nodes);
      default:
        return warp(nodes);
    }
  }
  void compute(std::vector<Node>& nodes) {
    nodes.push_back({.op = Op::compute,
                     .a = reg(),
                     .b = reg(),
                     .c = reg(),
                     .constant = static_cast<std::uint32_t>(random_())});
  }
  void warp(std::vector<Node>& nodes) {
    if (!warps_ || sync_points_ >= most_sync_points) return compute(nodes);
    ++sync_points_;
    SyncKind kind = SyncKind::active_mask;
    while (kind == SyncKind::active_mask) {
      constexpr int first = static_cast<int>(SyncKind::warp_barrier);
      kind =
          static_cast<SyncKind>(first + below(static_cast<int>(SyncKind::reduce_xor) - first + 1));
    }
    nodes.push_back({.op = Op::warp,
                     .a = reg(),
                     .b = reg(),
                     .c = reg(),
                     .constant = static_cast<std::uint32_t>(random_() & 0x1f1f),
                     .kind = kind});
    compute(nodes);
  }
  void branch(std::vector<Node>& nodes, int depth, bool nest) {
    if (!nest) return compute(nodes);
    if (warps_) ++sync_points_;
    Node node{.op = Op::branch, .b = reg(), .constant = 1u << below(5)};
    node.body = sequence(depth + 1, false);
    if (below(2) == 0) node.other = sequence(depth + 1, false);
    nodes.push_back(std::move(node));
  }
  void loop(std::vector<Node>& nodes, int depth, bool nest) {
    if (!nest) return compute(nodes);
    if (warps_) ++sync_points_;
    Node node{.op = Op::loop, .b = reg(), .constant = static_cast<std::uint32_t>(1 + below(4))};
    node.body = sequence(depth + 1, false);
    nodes.push_back(std::move(node));
  }
  void repeat(std::vector<Node>& nodes, int depth, bool uniform, bool nest) {
    if (!nest) return compute(nodes);
    Node node{.op = Op::repeat, .constant = static_cast<std::uint32_t>(1 + below(3))};
    node.body = sequence(depth + 1, uniform);
    nodes.push_back(std::move(node));
  }
  /// Threads exchange values through shared memory; only where the whole block comes by.
  void exchange(std::vector<Node>& nodes, bool uniform) {
    if (!uniform || sync_points_ + 3 > most_sync_points) return compute(nodes);
    sync_points_ += 3;
    nodes.push_back({.op = Op::publish, .a = reg()});
    nodes.push_back({.op = Op::block, .kind = SyncKind::barrier});
    nodes.push_back(
        {.op = Op::fetch, .a = reg(), .constant = static_cast<std::uint32_t>(1 + below(100))});
    nodes.push_back({.op = Op::block, .kind = SyncKind::barrier});
    const auto kind = static_cast<SyncKind>(1 + below(3));
    nodes.push_back({.op = Op::block, .a = reg(), .b = reg(), .kind = kind});
  }

  std::mt19937_64 random_;
  bool warps_;
  int sync_points_ = 0;
};

// ---------------------------------------------------------------------------------- flattening

class Flattener {
  using Code = Instruction::Code;

 public:
  Flattener(Program& program, bool warps) : program_(program), warps_(warps) {}
  void sequence(const std::vector<Node>& nodes, int depth) {
    for (const Node& node : nodes) one(node, depth);
  }
  int emit(Instruction instruction) {
    const int at = here();
    if (instruction.code == Code::sync_warp || instruction.code == Code::sync_block ||
        instruction.code == Code::ballot) {
      program_.sync_points.push_back(at);
      instruction.region = static_cast<std::uint16_t>(program_.sync_points.size());
    }
    program_.code.push_back(instruction);
    return at;
  }

 private:
  int here() const { return static_cast<int>(program_.code.size()); }
  void land(int jump) { program_.code[static_cast<std::size_t>(jump)].target = here(); }

  void one(const Node& node, int depth) {
    Instruction plain{.code = Code::compute,
                      .a = node.a,
                      .b = node.b,
                      .c = node.c,
                      .constant = node.constant,
                      .kind = node.kind,
                      .depth = depth};
    switch (node.op) {
      case Op::compute:
        break;
      case Op::warp:
        plain.code = Code::sync_warp;
        break;
      case Op::block:
        plain.code = Code::sync_block;
        break;
      case Op::publish:
        plain.code = Code::publish;
        break;
      case Op::fetch:
        plain.code = Code::fetch;
        break;
      case Op::leave:
        plain.code = Code::leave_if;
        break;
      case Op::branch:
        return branch(node, depth);
      case Op::loop:
      case Op::repeat:
        return loop(node, depth);
    }
    emit(plain);
  }
  /// mask[to] = ballot(mask[from], predicate)
  void ballot(int from, int to) {
    if (!warps_) return;
    emit({.code = Code::ballot, .a = to, .kind = SyncKind::vote_ballot, .depth = from});
  }
  void branch(const Node& node, int depth) {
    emit({.code = Code::test_branch, .b = node.b, .constant = node.constant});
    ballot(depth, depth + 1);
    const int skip = emit({.code = Code::jump_unless});
    sequence(node.body, depth + 1);
    const int over = emit({.code = Code::jump});
    land(skip);
    emit({.code = Code::invert, .depth = depth});
    sequence(node.other, depth + 1);
    land(over);
  }
  void loop(const Node& node, int depth) {
    const bool divergent = node.op == Op::loop;
    emit({.code = divergent ? Code::begin_loop : Code::begin_repeat,
          .b = node.b,
          .constant = node.constant,
          .depth = depth});
    const int head = here();
    emit({.code = Code::test_loop, .depth = depth});
    ballot(depth + 1, depth + 1);  // among those still in the loop
    const int leave = emit({.code = Code::jump_unless});
    sequence(node.body, depth + 1);
    emit({.code = Code::next, .depth = depth});
    emit({.code = Code::jump, .target = head});
    land(leave);
  }

  Program& program_;
  bool warps_;
};

// ------------------------------------------------------------------------- the thread's machine

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
          // Threads that have left published earlier or never: their cell counts as 5.
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

// ----------------------------------------------------------------------------------- reference

/// One block, all threads at once.
class ReferenceBlock {
 public:
  using Set = std::vector<std::uint8_t>;
  ReferenceBlock(std::uint64_t block, std::uint32_t threads)
      : threads_(threads), shared_(threads, 5), alive_(threads, 1), out_(threads), r_(threads) {
    for (std::uint32_t t = 0; t < threads; ++t) initial_registers(r_[t].data(), block, t);
  }
  std::vector<std::uint32_t> evaluate(const std::vector<Node>& tree) {
    sequence(tree, Set(threads_, 1));
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if (alive_[t]) out_[t] = digest(r_[t].data());
    }
    return out_;
  }

 private:
  template <class Visit>
  void each(const Set& set, Visit visit) {
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if (set[t] && alive_[t]) visit(t, r_[t].data());
    }
  }
  void sequence(const std::vector<Node>& nodes, const Set& here) {
    for (const Node& node : nodes) one(node, here);
  }
  void one(const Node& node, const Set& here) {
    switch (node.op) {
      case Op::compute:
        each(here, [&](auto, auto* r) { r[node.a] = mix(r[node.b], r[node.c], node.constant); });
        break;
      case Op::publish:
        each(here, [&](auto t, auto* r) { shared_[t] = r[node.a]; });
        break;
      case Op::fetch:
        each(here,
             [&](auto t, auto* r) { r[node.a] = shared_[partner(t, threads_, node.constant)]; });
        break;
      case Op::leave:
        each(here, [&](auto t, auto* r) {
          if (r[node.b] % node.constant != 0) return;
          out_[t] = digest(r) + 3;
          alive_[t] = 0;
        });
        break;
      case Op::warp:
        warp(node, here);
        break;
      case Op::block:
        block(node, here);
        break;
      case Op::branch: {
        Set yes = here;
        Set no = here;
        each(here, [&](auto t, auto* r) { ((r[node.b] & node.constant) != 0 ? no : yes)[t] = 0; });
        sequence(node.body, yes);
        sequence(node.other, no);
        break;
      }
      case Op::loop: {
        std::vector<std::uint32_t> limit(threads_, 0);
        each(here, [&](auto t, auto* r) { limit[t] = r[node.b] % node.constant; });
        for (std::uint32_t i = 0; i < node.constant; ++i) {
          Set inside = here;
          for (std::uint32_t t = 0; t < threads_; ++t) inside[t] &= i < limit[t];
          sequence(node.body, inside);
        }
        break;
      }
      case Op::repeat:
        for (std::uint32_t i = 0; i < node.constant; ++i) sequence(node.body, here);
        break;
    }
  }
  void warp(const Node& node, const Set& here) {
    for (std::uint32_t first = 0; first < threads_; first += 32) {
      Warp before{};
      std::uint32_t members = 0;
      for (std::uint32_t l = 0; l < 32 && first + l < threads_; ++l) {
        if (!here[first + l] || !alive_[first + l]) continue;
        members |= 1u << l;
        const std::uint32_t* r = r_[first + l].data();
        before.value[l] = operand(node.kind, r, node.b);
        before.lane[l] = r[node.c];
        before.clamp[l] = node.constant;
      }
      for (int l = 0; l < 32; ++l) {
        if ((members >> l & 1) == 0 || node.kind == SyncKind::warp_barrier) continue;
        std::uint64_t value = 0;
        std::uint32_t flag = 0;
        reference_operation(node.kind, before, members, l, value, flag);
        r_[first + static_cast<std::uint32_t>(l)][static_cast<std::size_t>(node.a)] =
            combine(node.kind, value, flag);
      }
    }
  }
  static void reference_operation(SyncKind kind, const Warp& before, std::uint32_t members, int l,
                                  std::uint64_t& value, std::uint32_t& flag) {
    if (kind >= SyncKind::shuffle_up && kind <= SyncKind::shuffle_index) {
      return ptx_shuffle(kind, before, members, l, value, flag);
    }
    if (kind != SyncKind::match_any && kind != SyncKind::match_all) {
      value = reference_result(kind, before, members);
      return;
    }
    std::uint32_t equal = 0;
    for (int j = 0; j < 32; ++j) {
      if ((members >> j & 1) && before.value[j] == before.value[l]) equal |= 1u << j;
    }
    flag = equal == members;
    value = kind == SyncKind::match_any ? equal : flag ? members : 0;
  }
  void block(const Node& node, const Set& here) {
    std::uint32_t arrived = 0;
    std::uint32_t yes = 0;
    each(here, [&](auto, auto* r) {
      ++arrived;
      yes += r[node.b] & 1;
    });
    each(here, [&](auto, auto* r) {
      if (node.kind == SyncKind::barrier_count) r[node.a] = yes;
      if (node.kind == SyncKind::barrier_and) r[node.a] = yes == arrived;
      if (node.kind == SyncKind::barrier_or) r[node.a] = yes != 0;
    });
  }

  std::uint32_t threads_;
  std::vector<std::uint32_t> shared_;
  Set alive_;
  std::vector<std::uint32_t> out_;
  std::vector<std::array<std::uint32_t, registers>> r_;
};

}  // namespace

Program random_program(std::uint64_t seed, bool warps) {
  Program program;
  // Every cell of shared memory is written before anybody may leave or read.
  program.tree.push_back({.op = Op::publish, .a = 0});
  program.tree.push_back({.op = Op::block, .kind = SyncKind::barrier});
  for (Node& node : Generator(seed, warps).sequence(0, true)) {
    program.tree.push_back(std::move(node));
  }
  Flattener flattener(program, warps);
  flattener.sequence(program.tree, 0);
  flattener.emit({.code = Instruction::Code::finish});
  return program;
}

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

std::vector<std::uint32_t> reference(const Program& program, std::uint32_t blocks,
                                     std::uint32_t threads) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const auto one = ReferenceBlock(b, threads).evaluate(program.tree);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace gridspan::test
