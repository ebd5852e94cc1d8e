// Comparing launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/observed.h"

#include <algorithm>
#include <cstring>

namespace gridspan::specialise {

using support::LaunchCondition;

namespace {

LaunchCondition::Size size_of(const abi::Dim& dim) { return {dim.x, dim.y, dim.z}; }

bool is_scalar(const abi::Parameter& parameter) {
  return parameter.is_pointer == 0 && parameter.size <= sizeof(std::uint64_t) &&
         (parameter.size & (parameter.size - 1)) == 0;
}

std::uint64_t bits_of(const abi::Parameter& parameter, const void* value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, value, parameter.size);
  return bits;
}

bool is_equal(unsigned index, std::uint64_t bits, const abi::Kernel& kernel,
              const abi::LaunchContext& launch) {
  return index < kernel.parameter_count && is_scalar(kernel.parameters[index]) &&
         bits_of(kernel.parameters[index], launch.arguments[index]) == bits;
}

/// Of conditions in names of files; numbers that find no room are not used.
constexpr std::size_t longest_text = 240;

}  // namespace

bool holds(const LaunchCondition& condition, const abi::Kernel& kernel,
           const abi::LaunchContext& launch) {
  if (condition.block && *condition.block != size_of(launch.block)) return false;
  return std::ranges::all_of(condition.scalars, [&](const auto& scalar) {
    return is_equal(scalar.first, scalar.second, kernel, launch);
  });
}

LaunchCondition condition_of(const abi::Kernel& kernel, const abi::LaunchContext& launch) {
  LaunchCondition condition{size_of(launch.block), {}};
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter& parameter = kernel.parameters[i];
    if (!is_scalar(parameter)) continue;
    condition.scalars[i] = bits_of(parameter, launch.arguments[i]);
    if (to_text(condition).size() <= longest_text) continue;
    condition.scalars.erase(i);
    break;
  }
  return condition;
}

bool Trial::add(bool with_form, std::uint64_t nanoseconds, double blocks) {
  if (verdict_ != Verdict::open) return false;
  const double cost = static_cast<double>(nanoseconds) / blocks;
  double& best = best_[with_form ? 1 : 0];
  if (runs_[with_form ? 1 : 0]++ == 0 || cost < best) best = cost;
  if (runs_[0] < enough || runs_[1] < enough) return false;
  verdict_ = best_[1] <= best_[0] * tolerance ? Verdict::faster : Verdict::slower;
  return true;
}

bool LaunchGroup::has_shape(const abi::Dim& block) const { return common_.block == size_of(block); }

void LaunchGroup::add(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                      std::uint64_t nanoseconds) {
  const std::size_t before = common_.size();
  std::erase_if(common_.scalars, [&](const auto& scalar) {
    return !is_equal(scalar.first, scalar.second, kernel, launch);
  });
  if (common_.size() != before) nanoseconds_ = 0;
  nanoseconds_ += nanoseconds;
}

void Observed::add_form(Form form) {
  std::erase_if(forms, [&](const Form& one) { return one.condition == form.condition; });
  forms.push_back(std::move(form));
  std::ranges::sort(forms, std::greater<>{}, [](const Form& one) { return one.condition.size(); });
}

LaunchGroup* Observed::find_group(const abi::Dim& block) {
  const auto found =
      std::ranges::find_if(groups, [&](const LaunchGroup& one) { return one.has_shape(block); });
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace gridspan::specialise
