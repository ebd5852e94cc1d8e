// Random kernels with divergent control flow and sync points, run three ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is a tree (branches, loops, early exits, warp operations with the mask of whoever is
// there, block barriers where all that are left come by). It is
//   - evaluated by `reference`, set by set over the tree: which threads are here, do it for them;
//   - flattened to instructions that a tiny machine runs thread by thread between sync points, as
//     a regions table and as a thread function.
#pragma once

#include "test_kernel.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gridspan::test {

enum class Op {
  compute,  // r[a] = mix(r[b], r[c], constant)
  warp,     // r[a] = sync(value r[b], lane r[c], clamp constant) by the mask of this depth
  block,    // r[a] = sync(predicate r[b])
  publish,  // shared[t] = r[a]
  fetch,    // r[a] = shared[other(t)]
  branch,   // if (r[b] & constant) body else other
  loop,     // (r[b] % constant) times: body
  repeat,   // constant times, for all threads alike: body
  leave,    // if (r[b] % constant == 0) return
};

struct Node {
  Op op{};
  int a = 0;
  int b = 0;
  int c = 0;
  std::uint32_t constant = 0;
  SyncKind kind{};
  std::vector<Node> body = {};
  std::vector<Node> other = {};
};

/// One step of the flattened program. Jumps go to `target`.
struct Instruction {
  enum class Code {
    compute,
    sync_warp,
    sync_block,
    publish,
    fetch,
    test_branch,   // predicate = r[b] & constant
    test_loop,     // predicate = counter[depth] < limit[depth]
    begin_loop,    // counter[depth] = 0, limit[depth] = r[b] % constant, mask[depth + 1] =
                   // mask[depth]
    begin_repeat,  // the same, limit[depth] = constant
    next,          // ++counter[depth]
    ballot,        // sync: mask[a] = ballot(mask[depth], predicate)
    invert,        // mask[depth + 1] = mask[depth] & ~mask[depth + 1]
    jump_unless,   // if (!predicate) jump
    jump,
    leave_if,
    finish,
  } code{};
  int a = 0;
  int b = 0;
  int c = 0;
  std::uint32_t constant = 0;
  SyncKind kind{};
  int depth = 0;
  int target = 0;
  std::uint16_t region = 0;  // the region that continues this sync point
};

struct Program {
  std::vector<Node> tree;
  std::vector<Instruction> code;
  std::vector<int> sync_points;  // instruction of each region but the first
};

/// Deterministic in `seed`. Without `warps` only block barriers.
Program random_program(std::uint64_t seed, bool warps);

/// Arguments: `const Program*`, `uint32_t* out` (one number per thread of the grid).
std::unique_ptr<TestKernel> kernel_of(const Program& program, bool fibers);

std::vector<std::uint32_t> reference(const Program& program, std::uint32_t blocks,
                                     std::uint32_t threads);

}  // namespace gridspan::test
