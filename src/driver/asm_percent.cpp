// Finding and respelling them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/asm_percent.h"

#include "driver/launch_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace gridspan::driver {
namespace {

// No register of a host's processor has such a name, nor has an operand with a modifier (%k0).
constexpr std::array<std::string_view, 34> special_registers = {"tid",
                                                                "ntid",
                                                                "laneid",
                                                                "warpid",
                                                                "nwarpid",
                                                                "ctaid",
                                                                "nctaid",
                                                                "smid",
                                                                "nsmid",
                                                                "gridid",
                                                                "clusterid",
                                                                "nclusterid",
                                                                "cluster_ctaid",
                                                                "cluster_nctaid",
                                                                "cluster_ctarank",
                                                                "cluster_nctarank",
                                                                "is_explicit_cluster",
                                                                "lanemask_eq",
                                                                "lanemask_le",
                                                                "lanemask_lt",
                                                                "lanemask_ge",
                                                                "lanemask_gt",
                                                                "clock",
                                                                "clock_hi",
                                                                "clock64",
                                                                "globaltimer",
                                                                "globaltimer_lo",
                                                                "globaltimer_hi",
                                                                "pm0",
                                                                "pm1",
                                                                "total_smem_size",
                                                                "aggr_smem_size",
                                                                "dynamic_smem_size",
                                                                "current_graph_exec"};

bool is_any_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// A percent sign at `at` that stands alone, not doubled.
bool stands_alone(std::string_view text, std::size_t at) {
  return text[at] == '%' && (at == 0 || text[at - 1] != '%');
}

/// The word behind a percent sign at `at`.
std::string_view name_behind(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at + 1, end - at - 1);
}

bool is_special(std::string_view name) {
  return std::ranges::find(special_registers, name) != special_registers.end();
}

/// Registers that the text declares with one percent sign, `.reg .u16 %low, %high;`: a name, or
/// what the names of several begin with, `%p<4>`.
std::vector<std::string> declared_registers(std::string_view text) {
  constexpr std::string_view directive = ".reg";
  std::vector<std::string> names;
  for (std::size_t at = text.find(directive); at != std::string_view::npos;
       at = text.find(directive, at)) {
    at += directive.size();
    if (at < text.size() && is_word(text[at])) continue;
    for (; at < text.size() && text[at] != ';'; ++at) {
      if (!stands_alone(text, at)) continue;
      const std::string_view name = name_behind(text, at);
      if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0)
        names.emplace_back(name);
    }
  }
  return names;
}

bool is_declared(std::string_view name, const std::vector<std::string>& registers) {
  return std::ranges::any_of(registers, [&](const std::string& one) {
    return name.starts_with(one) &&
           name.find_first_not_of("0123456789", one.size()) == std::string_view::npos;
  });
}

}  // namespace

bool may_have_single_percent(std::string_view source) {
  for (std::size_t at = source.find('%'); at != std::string_view::npos;
       at = source.find('%', at + 1)) {
    if (stands_alone(source, at) && is_special(name_behind(source, at))) return true;
  }
  return !declared_registers(source).empty();
}

bool double_percents(std::string& text, std::size_t at) {
  const auto skip_blanks = [&] {
    for (;;) {
      while (at < text.size() && (is_any_space(text[at]) || text[at] == '\\')) ++at;
      const std::string_view next = std::string_view(text).substr(std::min(at, text.size()), 2);
      if (next != "//" && next != "/*") return;
      const std::string_view end = next == "//" ? "\n" : "*/";
      const std::size_t found = text.find(end, at + 2);
      at = found == std::string::npos ? text.size() : found + end.size();
    }
  };
  skip_blanks();
  while (at < text.size() && is_word(text[at])) {  // volatile
    while (at < text.size() && is_word(text[at])) ++at;
    skip_blanks();
  }
  if (at >= text.size() || text[at] != '(') return false;
  ++at;
  skip_blanks();
  std::vector<std::size_t> percents;
  const std::size_t begin = at;
  while (at < text.size() && text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"'; at += text[at] == '\\' ? 2 : 1) {
      if (stands_alone(text, at)) percents.push_back(at);
    }
    ++at;
    skip_blanks();
  }
  if (at >= text.size() || text[at] != ':') return false;
  const std::vector<std::string> registers =
      declared_registers(std::string_view(text).substr(begin, at - begin));
  std::erase_if(percents, [&](std::size_t place) {
    const std::string_view name = name_behind(text, place);
    return !is_special(name) && !is_declared(name, registers);
  });
  for (std::size_t i = percents.size(); i-- > 0;) text.insert(percents[i], 1, '%');
  return !percents.empty();
}

}  // namespace gridspan::driver
