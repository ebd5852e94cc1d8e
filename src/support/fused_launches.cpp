// The text of launches that are to be one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/fused_launches.h"

#include "support/take.h"

#include <algorithm>
#include <charconv>

namespace gridspan::support {
namespace {

constexpr std::string_view axes = "xyz";

std::string axes_text(const std::array<bool, 3>& set) {
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (set[axis]) text += axes[axis];
  return text;
}

bool read_axes(std::string_view term, std::string_view name, std::array<bool, 3>& into) {
  if (!term.starts_with(name)) return false;
  for (const char one : term.substr(name.size())) {
    const std::size_t axis = axes.find(one);
    if (axis == std::string_view::npos) return false;
    into[axis] = true;
  }
  return true;
}

std::string numbers_text(const std::vector<unsigned>& numbers) {
  std::string text;
  for (const unsigned number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

bool read_numbers(std::string_view text, std::vector<unsigned>& into) {
  if (text.ends_with(',')) return false;
  while (!text.empty()) {
    const std::string_view number = take(text, ',');
    unsigned value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size()) return false;
    into.push_back(value);
  }
  return true;
}

bool read_launch(std::string_view text, FusedLaunches::Launch& into) {
  const std::string_view kernel = take(text, '(');
  if (kernel.empty() || !text.ends_with(')')) return false;
  text.remove_suffix(1);
  into.kernel = kernel;
  return read_numbers(text, into.values);
}

/// Each number is the next one, or was met before.
bool are_in_order(const FusedLaunches& all) {
  unsigned met = 0;
  for (const FusedLaunches::Launch& launch : all.launches)
    for (const unsigned value : launch.values) {
      if (value > met) return false;
      met = std::max(met, value + 1);
    }
  return true;
}

}  // namespace

std::string FusedLaunches::name() const {
  std::string name;
  for (const Launch& launch : launches) name += (name.empty() ? "" : "+") + launch.kernel;
  return name;
}

unsigned FusedLaunches::value_count() const {
  unsigned count = 0;
  for (const Launch& launch : launches)
    for (const unsigned value : launch.values) count = std::max(count, value + 1);
  return count;
}

std::string to_text(const FusedLaunches& launches) {
  std::string text;
  for (const FusedLaunches::Launch& launch : launches.launches) {
    text += (text.empty() ? "" : "+") + launch.kernel + "(" + numbers_text(launch.values) + ")";
  }
  return text + "/blocks=" + axes_text(launches.one_block) +
         "/threads=" + axes_text(launches.one_thread) + "/dead=" + numbers_text(launches.dead);
}

std::optional<FusedLaunches> parse_fused_launches(std::string_view text) {
  FusedLaunches all;
  std::string_view launches = take(text, '/');
  while (!launches.empty())
    if (!read_launch(take(launches, '+'), all.launches.emplace_back())) return std::nullopt;
  if (all.launches.size() < 2 || !are_in_order(all)) return std::nullopt;
  if (!read_axes(take(text, '/'), "blocks=", all.one_block)) return std::nullopt;
  if (!read_axes(take(text, '/'), "threads=", all.one_thread)) return std::nullopt;
  constexpr std::string_view dead = "dead=";
  if (!text.starts_with(dead) || !read_numbers(text.substr(dead.size()), all.dead))
    return std::nullopt;
  if (!std::ranges::all_of(all.dead, [&](unsigned one) { return one < all.value_count(); }))
    return std::nullopt;
  return all;
}

}  // namespace gridspan::support
