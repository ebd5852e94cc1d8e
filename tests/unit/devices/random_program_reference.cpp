// Random programs over sets of threads: what must come out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_program_values.h"
#include "warp_reference.h"

#include <array>
#include <vector>

namespace gridspan::test {
namespace {

/// One block, all threads at once.
class ReferenceBlock {
 public:
  using Set = std::vector<std::uint8_t>;
  ReferenceBlock(std::uint64_t block, std::uint32_t threads)
      : threads_(threads), shared_(threads), alive_(threads, 1), out_(threads), r_(threads) {
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
