// Parsing of -arch and -gencode.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/architecture.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gridspan::driver {
namespace {

constexpr std::array<GpuArchitecture, 17> known_architectures = {{{50},
                                                                  {52},
                                                                  {53},
                                                                  {60},
                                                                  {61},
                                                                  {62},
                                                                  {70},
                                                                  {72},
                                                                  {75},
                                                                  {80},
                                                                  {86},
                                                                  {87},
                                                                  {89},
                                                                  {90},
                                                                  {100},
                                                                  {103},
                                                                  {120}}};

support::Result<GpuArchitecture> parse_one(std::string_view text) {
  if (text == "native" || text == "all" || text == "all-major") return default_architecture;
  std::string_view digits = text;
  for (std::string_view prefix : {"sm_", "compute_", "lto_"})
    if (digits.starts_with(prefix)) digits.remove_prefix(prefix.size());
  if (digits.size() < text.size() && digits.size() > 2 &&
      (digits.ends_with('a') || digits.ends_with('f')))
    digits.remove_suffix(1);
  GpuArchitecture result;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.number);
  bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || result.number < 10 || result.number > 129)
    return support::fail("unknown GPU architecture '" + std::string(text) +
                         "'; expected sm_NN or compute_NN, e.g. sm_80");
  return result;
}

}  // namespace

std::span<const GpuArchitecture> listed_architectures() { return known_architectures; }

support::Result<std::vector<GpuArchitecture>> parse_architecture(std::string_view text) {
  std::vector<GpuArchitecture> found;
  while (true) {
    std::size_t comma = text.find(',');
    auto one = parse_one(text.substr(0, comma));
    if (!one) return support::fail(one.error());
    found.push_back(*one);
    if (comma == std::string_view::npos) return found;
    text.remove_prefix(comma + 1);
  }
}

support::Result<std::vector<GpuArchitecture>> parse_generate_code(std::string_view text) {
  std::string plain;  // without quotes and brackets, which carry no meaning here
  for (char c : text)
    if (c != '"' && c != '\'' && c != '[' && c != ']' && c != ' ') plain += c;
  // In either order; what follows without a keyword belongs to the last one.
  std::string architecture, code, *list = nullptr;
  std::string_view rest = plain;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    if (item.starts_with("arch=") || item.starts_with("code=")) {
      list = item.starts_with("arch=") ? &architecture : &code;
      item.remove_prefix(5);
    }
    if (list == nullptr) break;
    *list += (list->empty() ? "" : ",") + std::string(item);
  }
  if (architecture.empty())
    return support::fail("expected arch=compute_NN,code=sm_NN after -gencode, not '" +
                         std::string(text) + "'");
  if (!code.empty())
    if (auto checked = parse_architecture(code); !checked) return checked;
  return parse_architecture(architecture);
}

std::vector<GpuArchitecture> real_architectures(std::string_view text) {
  constexpr std::string_view prefix = "sm_";
  std::vector<GpuArchitecture> found;
  for (std::size_t at = text.find(prefix); at != std::string_view::npos;
       at = text.find(prefix, at)) {
    const std::size_t end = text.find_first_of(",]\"' ", at);
    const auto one = parse_one(text.substr(at, end == std::string_view::npos ? end : end - at));
    if (one && std::ranges::find(found, *one) == found.end()) found.push_back(*one);
    at += prefix.size();
  }
  return found;
}

}  // namespace gridspan::driver
