// Compares what was made with what is asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/carried_kernels.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace gridspan::runtime::fuse {

using support::FusedLaunches;

namespace {

const abi::Kernel* kernel_named(const abi::Module& module, std::string_view name) {
  const abi::Kernel* const end = module.kernels + module.kernel_count;
  const abi::Kernel* const found =
      std::find_if(module.kernels, end, [&](const abi::Kernel& one) { return name == one.name; });
  return found == end ? nullptr : found;
}

/// Numbers that stand for each other.
class Renaming {
 public:
  bool add(unsigned made, unsigned asked, bool is_pointer) {
    if (asked_.try_emplace(made, asked).first->second != asked) return false;
    return !is_pointer || made_.try_emplace(asked, made).first->second == made;
  }
  unsigned asked(unsigned made) const { return asked_.at(made); }

 private:
  std::map<unsigned, unsigned> asked_, made_;  // the latter of pointers
};

bool implies(const std::array<bool, 3>& one, const std::array<bool, 3>& other) {
  return std::ranges::equal(one, other, [](bool a, bool b) { return !a || b; });
}

}  // namespace

bool serves(const FusedLaunches& made, const FusedLaunches& asked, const abi::Module& module) {
  if (made.launches.size() != asked.launches.size()) return false;
  if (!implies(made.one_block, asked.one_block) || !implies(made.one_thread, asked.one_thread))
    return false;
  Renaming renaming;
  for (std::size_t i = 0; i < made.launches.size(); ++i) {
    const FusedLaunches::Launch &one = made.launches[i], &other = asked.launches[i];
    const abi::Kernel* const kernel = kernel_named(module, one.kernel);
    if (one.kernel != other.kernel || !kernel || one.values.size() != kernel->parameter_count ||
        one.values.size() != other.values.size())
      return false;
    for (std::uint32_t p = 0; p < kernel->parameter_count; ++p)
      if (!renaming.add(one.values[p], other.values[p], kernel->parameters[p].is_pointer != 0))
        return false;
  }
  return std::ranges::all_of(made.dead, [&](unsigned number) {
    return std::ranges::binary_search(asked.dead, renaming.asked(number));
  });
}

bool CarriedKernels::may_fuse(const abi::Module& module) {
  return module.fused || (others_ && others_->may_fuse(module));
}

FusedAnswer CarriedKernels::fuse(const abi::Module& module, const FusedLaunches& launches) {
  FusedAnswer own;
  const std::uint32_t count = module.fused ? module.fused->kernel_count : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto made = support::parse_fused_launches(module.fused->launches[i]);
    if (!made || !serves(*made, launches, module)) continue;
    if (own.kernel && own.launches.dead.size() >= made->dead.size()) continue;
    own = {abi::FuseState::made, &module.fused->kernels[i], std::move(*made)};
  }
  if (own.kernel && own.launches.dead.size() == launches.dead.size()) return own;
  FusedAnswer other = others_ ? others_->fuse(module, launches) : FusedAnswer();
  return own.kernel && other.state == abi::FuseState::refused ? own : other;
}

}  // namespace gridspan::runtime::fuse
