// Reading facts about kernels, and saying them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/kernel_facts.h"

namespace gridspan::support {

namespace {

/// A default where the value is of another type.
template <class T>
const T& get(const FactValue& value) {
  static const T none{};
  const T* found = std::get_if<T>(&value);
  return found ? *found : none;
}

bool is_there(const FactValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* text = std::get_if<std::string>(&value)) return !text->empty();
  return value.index() != 0;
}

bool holds(const Sentence& sentence, const KernelFacts& facts) {
  const bool on_fibers = facts.text("executor") == "fibers";
  if (sentence.executor == (on_fibers ? Sentence::Executor::regions : Sentence::Executor::fibers))
    return false;
  return is_there(facts.value(sentence.key)) && (!sentence.holds || sentence.holds(facts));
}

/// What stands in the sentence: one text, or each of a list.
std::vector<std::string> values_in(const Sentence& sentence, const KernelFacts& facts) {
  const FactValue& value = facts.value(sentence.key);
  if (sentence.value) return {sentence.value(facts)};
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return *texts;
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return {std::to_string(*number)};
  return {get<std::string>(value)};
}

}  // namespace

std::optional<FactKey> FactKey::named(std::string_view key) {
  for (std::size_t i = 0; i < fact_count; ++i)
    if (known_facts[i].key == key) return FactKey(i);
  return std::nullopt;
}

void KernelFacts::add(const KernelFacts& more) {
  for (std::size_t i = 0; i < fact_count; ++i)
    if (more.has(FactKey(i))) values_[i] = more.values_[i];
}

bool KernelFacts::flag(FactKey key) const { return get<bool>(value(key)); }
std::uint64_t KernelFacts::number(FactKey key) const { return get<std::uint64_t>(value(key)); }
const std::string& KernelFacts::text(FactKey key) const { return get<std::string>(value(key)); }
const std::vector<std::string>& KernelFacts::texts(FactKey key) const {
  return get<std::vector<std::string>>(value(key));
}

std::string counted(unsigned long long count, const char* one, const char* many) {
  if (count == 0) return std::string("no ") + many;
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string sync_points(const KernelFacts& facts) {
  return counted(facts.number("block_barriers"), "block barrier", "block barriers") + ", " +
         counted(facts.number("warp_operations"), "warp operation", "warp operations");
}

std::vector<std::string> said_of(const KernelFacts& facts) {
  std::vector<std::string> lines;
  for (const Sentence& sentence : sentences) {
    if (!holds(sentence, facts)) continue;
    for (const std::string& value : values_in(sentence, facts))
      lines.push_back(std::string(sentence.begins) + value + std::string(sentence.ends));
  }
  return lines;
}

}  // namespace gridspan::support
