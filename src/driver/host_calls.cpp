// Recognising clang's messages about the other side's functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_calls.h"

#include "driver/messages.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gridspan::driver {
namespace {

using llvm::StringRef;

constexpr StringRef error_mark = ": error: ";

/// "file:line:column" and the text of a message's first line.
std::pair<StringRef, StringRef> place_and_text(StringRef line) {
  const std::size_t at = line.find(error_mark);
  if (at == StringRef::npos) return {};
  return {line.substr(0, at), line.substr(at + error_mark.size())};
}

/// What stands between the n-th pair of quotes, from 0.
StringRef quoted(StringRef text, unsigned n = 0) {
  for (;; --n) {
    text = text.split('\'').second;
    auto [inside, rest] = text.split('\'');
    if (n == 0) return inside;
    text = rest;
  }
}

/// The word before "function", beginning at the n-th "__": "__host__", "__host__ __device__".
StringRef side_before_function(StringRef text) {
  const std::size_t end = text.find(" function");
  if (end == StringRef::npos) return {};
  text = text.substr(0, end);
  for (StringRef side : {"__host__ __device__", "__host__", "__device__", "__global__"})
    if (text.ends_with(side)) return side;
  return {};
}

struct Sides {
  StringRef callee, caller;
  bool is_one_of_ours() const { return callee == "__host__" || callee == "__device__"; }
};

/// "call to __host__ function from __global__ function"
std::optional<Sides> sides_of_candidate(StringRef line) {
  StringRef rest = line.split("not viable: call to ").second;
  if (rest.empty()) return std::nullopt;
  Sides sides{side_before_function(rest), side_before_function(rest.split(" from ").second)};
  if (!sides.is_one_of_ours() || sides.caller.empty()) return std::nullopt;
  return sides;
}

/// A candidate in the user's own code that could be called but for its parameters: the call may
/// have been meant for it.
bool is_near_miss(StringRef line) {
  return line.contains(": note: candidate ") && line.contains("no known conversion") &&
         !line.contains("(the implicit ") && !line.starts_with("/usr/");
}

std::optional<Sides> sides_of_candidates(StringRef message) {
  std::optional<Sides> found;
  for (StringRef line : llvm::split(message, '\n')) {
    if (is_near_miss(line)) return std::nullopt;
    if (!found) found = sides_of_candidate(line);
  }
  return found;
}

/// The function's name in a message about an overload set.
std::string name_in(StringRef text) {
  if (text.starts_with("no matching function for call to object of type"))
    return (quoted(text) + "::operator()").str();
  if (text.starts_with("no matching function for call to ")) return quoted(text).str();
  if (text.starts_with("no matching member function for call to ")) return quoted(text).str();
  if (text.starts_with("no matching constructor for initialization of ") ||
      text.starts_with("call to implicitly-deleted default constructor of "))
    return "constructor of " + quoted(text).str();
  if (text.starts_with("no viable overloaded ")) {
    StringRef sign = text.starts_with("no viable overloaded '")
                         ? quoted(text)
                         : text.split("overloaded ").second.split(' ').first;
    sign.consume_front("operator");
    return "operator" + sign.str();
  }
  if (text.starts_with("invalid operands to binary expression")) return "operator";
  if (text.starts_with("no viable conversion from "))
    return "conversion to " + quoted(text, 1).str();
  return {};
}

std::string refusal(StringRef callee_side, StringRef name, StringRef caller_side) {
  return ("calling a " + callee_side + " function(\"" + name + "\") from a " + caller_side +
          " function is not allowed")
      .str();
}

bool is_about_variable(StringRef text) {
  return text.starts_with("reference to __host__ variable");
}

/// "'cout' is a variable of the host…" or the refusal of a call, of clang's "reference to SIDE KIND
/// 'NAME' in SIDE function"; nothing of another message.
std::optional<std::string> retold_reference(StringRef text) {
  if (!text.consume_front("reference to ")) return std::nullopt;
  const StringRef kind = text.split(" '").first;  // "__host__ function"
  const StringRef name = quoted(text);
  const StringRef caller = side_before_function(text.split("' in ").second);
  if (caller.empty()) return std::nullopt;
  if (kind == "__host__ variable") {
    const bool prints = name == "cout" || name == "cerr" || name == "clog";
    return ("'" + name + "' is a variable of the host and cannot be used in a " + caller +
            " function" + (prints ? "; printf can" : ""))
        .str();
  }
  const StringRef callee = side_before_function(kind);
  if (callee != "__host__" && callee != "__device__") return std::nullopt;
  return refusal(callee, name, caller);
}

/// The same of a message about an overload set.
std::optional<std::string> retold_call(StringRef text, StringRef message) {
  const std::string name = name_in(text);
  if (name.empty()) return std::nullopt;
  const auto sides = sides_of_candidates(message);
  if (!sides) return std::nullopt;
  return refusal(sides->callee, name, sides->caller);
}

/// How the code is reached that clang complains about: these notes stay.
std::string calling_notes(StringRef message) {
  std::string notes;
  bool is_wanted = false;
  for (StringRef line : llvm::split(message.split('\n').second, '\n')) {
    const std::string plain = plain_text(line);
    if (StringRef(plain).contains(": note: "))
      is_wanted = StringRef(plain).contains(": note: called by ");
    if (is_wanted && !line.empty()) notes += (line + "\n").str();
  }
  return notes;
}

/// The source line below the first line, as clang shows it, up to the first note.
std::string snippet(StringRef message) {
  std::string lines;
  for (StringRef line : llvm::split(message.split('\n').second, '\n')) {
    if (line.empty() || !StringRef(plain_text(line)).starts_with(" ")) break;
    lines += (line + "\n").str();
  }
  return lines;
}

/// The message with other words, which keeps its colours, its place and how it was reached.
std::string with_words(const ClangMessage& message, StringRef place, StringRef said,
                       const std::string& words) {
  const StringRef whole(message.text);
  const std::size_t at = whole.find(said);
  if (at == StringRef::npos) return (place + error_mark + words + "\n").str();
  const StringRef rest = whole.substr(at + said.size());
  return (whole.substr(0, at) + words + rest.split('\n').first + "\n").str() + snippet(rest) +
         calling_notes(rest);
}

}  // namespace

std::string tell_host_calls(std::string_view messages) {
  const std::vector<ClangMessage> all = split_messages(messages);
  std::vector<std::string> retold(all.size());  // empty: as clang has it
  std::map<std::string, std::size_t> told;      // the message of each file:line that is to stay
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [place, said] = place_and_text(all[i].key);
    std::optional<std::string> words = retold_reference(said);
    if (!words) words = retold_call(said, plain_text(all[i].text));
    if (!words) continue;
    retold[i] = *words;
    // What is wrong with `std::cout << x` is `cout`, though clang may speak of `<<` first.
    auto [at, is_first] = told.try_emplace(place.rsplit(':').first.str(), i);
    if (!is_first && is_about_variable(said)) at->second = i;
  }
  std::string text;
  MessageCounts counts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [place, said] = place_and_text(all[i].key);
    if (!retold[i].empty() && told.at(place.rsplit(':').first.str()) != i) continue;
    counts.add(all[i].severity);
    text += retold[i].empty() ? all[i].text : with_words(all[i], place, said, retold[i]);
  }
  return text + counts.closing_line();
}

}  // namespace gridspan::driver
