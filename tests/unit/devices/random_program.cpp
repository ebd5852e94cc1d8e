// Random programs: generation and flattening to instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_program.h"

#include "random_program_values.h"

#include <random>
#include <utility>

namespace gridspan::test {
namespace {

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

}  // namespace gridspan::test
