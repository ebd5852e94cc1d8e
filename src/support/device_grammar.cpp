// The table of words; each term is read as its word's row says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/device_grammar.h"

#include "support/device_words.h"
#include "support/parse_number.h"

#include <algorithm>
#include <string>

namespace gridspan::support {

namespace {

using Detail = DeviceWord::Detail;

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

bool parse_counts(std::string_view detail, DeviceTerm& term) {
  const auto [count, threads, has_threads] = split(detail, 'x');
  const auto devices = parse_number(count, 1, most_devices);
  if (!devices) return false;
  term.count = *devices;
  if (!has_threads) return true;
  const auto each = parse_number(threads, 1, most_devices);
  if (each) term.threads_each = *each;
  return each.has_value();
}

bool parse_numbers(std::string_view detail, DeviceTerm& term) {
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
  const auto [name, detail, has_detail] = split(text, ':');
  const auto* const row = std::ranges::find(device_words, name, &DeviceWord::word);
  if (row == std::end(device_words)) return false;
  term.word = row->word;
  if (!has_detail) return true;
  switch (row->detail) {
    case Detail::none:
      return false;
    case Detail::counts:
      return parse_counts(detail, term);
    case Detail::numbers:
      return parse_numbers(detail, term);
  }
  return false;
}

}  // namespace

const DeviceWord& word_of(const DeviceTerm& term) {
  return *std::ranges::find(device_words, term.word, &DeviceWord::word);
}

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
