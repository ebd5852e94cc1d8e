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

/// A percent sign at `at` that stands alone before a special register's name.
bool is_single(std::string_view text, std::size_t at) {
  if (text[at] != '%' || (at > 0 && text[at - 1] == '%')) return false;
  std::size_t end = at + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  return std::ranges::find(special_registers, text.substr(at + 1, end - at - 1)) !=
         special_registers.end();
}

}  // namespace

bool may_have_single_percent(std::string_view source) {
  for (std::size_t at = source.find('%'); at != std::string_view::npos;
       at = source.find('%', at + 1)) {
    if (is_single(source, at)) return true;
  }
  return false;
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
  std::vector<std::size_t> singles;
  while (at < text.size() && text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"'; at += text[at] == '\\' ? 2 : 1) {
      if (is_single(text, at)) singles.push_back(at);
    }
    ++at;
    skip_blanks();
  }
  if (at >= text.size() || text[at] != ':') return false;
  for (std::size_t i = singles.size(); i-- > 0;) text.insert(singles[i], 1, '%');
  return !singles.empty();
}

}  // namespace gridspan::driver
