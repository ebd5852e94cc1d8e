// GRIDSPAN_DEVICES: which devices a program asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   devices := term { '+' term }
//   term    := 'cpu' [ ':' COUNT [ 'x' THREADS ] ] | 'numa' | 'cuda' [ ':' gpu { ',' gpu } ]
//   gpu     := INDEX [ 'x' DEVICES ]
#include "support/options.h"
#include "support/parse_number.h"

namespace gridspan::support {

namespace {

/// Splits at the first `mark`; the second part is empty without one. `found` says which it was.
struct Halves {
  std::string_view first, second;
  bool found;
};

Halves split(std::string_view text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}, false};
  return {text.substr(0, at), text.substr(at + 1), true};
}

constexpr unsigned most_devices = 4096;

bool parse_cpu(std::string_view detail, DeviceTerm& term) {
  const auto [count, threads, has_threads] = split(detail, 'x');
  const auto devices = parse_number(count, 1, most_devices);
  if (!devices) return false;
  term.count = *devices;
  if (!has_threads) return true;
  const auto each = parse_number(threads, 1, most_devices);
  if (each) term.threads_each = *each;
  return each.has_value();
}

bool parse_indices(std::string_view detail, DeviceTerm& term) {
  for (bool more = true; more;) {
    const auto [first, rest, found] = split(detail, ',');
    const auto [number, shares, is_shared] = split(first, 'x');
    const auto index = parse_number(number, 0, most_devices);
    const auto devices = is_shared ? parse_number(shares, 1, most_devices) : 1u;
    if (!index || !devices) return false;
    term.indices.insert(term.indices.end(), *devices, *index);
    detail = rest;
    more = found;
  }
  return true;
}

bool parse_term(std::string_view text, DeviceTerm& term) {
  const auto [kind, detail, has_detail] = split(text, ':');
  if (kind == "cpu") {
    term.kind = DeviceTerm::Kind::cpu;
    return !has_detail || parse_cpu(detail, term);
  }
  if (kind == "cuda") {
    term.kind = DeviceTerm::Kind::cuda;
    return !has_detail || parse_indices(detail, term);
  }
  term.kind = DeviceTerm::Kind::numa;
  return kind == "numa" && !has_detail;
}

}  // namespace

Result<std::vector<DeviceTerm>> parse_devices(std::string_view text) {
  std::vector<DeviceTerm> terms;
  for (bool more = true; more;) {
    const auto [first, rest, found] = split(text, '+');
    DeviceTerm term;
    if (!parse_term(first, term)) {
      return fail("'" + std::string(first) + "' is not a device");
    }
    terms.push_back(std::move(term));
    text = rest;
    more = found;
  }
  return terms;
}

}  // namespace gridspan::support
