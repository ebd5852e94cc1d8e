// Reads the lines one after the other; each belongs to what was begun last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/launch_sequences.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gridspan::support {

namespace {

constexpr std::string_view first_word = "gridspan-sequences", version = "1";

constexpr std::string_view step_kinds[] = {"launch", "cooperative", "copy", "fill"};
constexpr std::string_view between_kinds[] = {
    "free", "event", "stream", "query", "wait", "host_copy", "host_function", "graph", "call"};

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Takes words from the front of a line. Once one is not as it should be, all that follows fails.
class Line {
 public:
  explicit Line(std::string_view text) : rest_(text) {}

  std::string_view word() {
    const auto end = rest_.find(' ');
    const std::string_view found = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    is_good_ &= !found.empty();
    return found;
  }
  bool has_more() const { return !rest_.empty(); }
  template <class Number>
  Number take() {
    return take(number<Number>(word()), Number{});
  }
  /// -1 or below `end`.
  int index(std::size_t end) {
    const int value = take<int>();
    is_good_ &= value >= -1 && value < static_cast<int>(end);
    return value;
  }
  bool either(std::string_view yes, std::string_view no) {
    const std::string_view found = word();
    is_good_ &= found == yes || found == no;
    return found == yes;
  }
  template <class Kind, std::size_t count>
  Kind kind(const std::string_view (&names)[count]) {
    const auto* found = std::ranges::find(names, word());
    is_good_ &= found != std::end(names);
    return is_good_ ? static_cast<Kind>(found - std::begin(names)) : Kind{};
  }
  std::string name() {
    const std::string_view found = word();
    return found == "?" ? std::string() : std::string(found);
  }
  SequenceValue value() {
    using Kind = SequenceValue::Kind;
    const std::string_view text = word();
    if (text == "?") return {};
    const bool is_constant = text.starts_with('#');
    is_good_ &= is_constant || text.starts_with('v');
    if (!is_good_) return {};
    return {is_constant ? Kind::constant : Kind::value,
            take(number<std::uint64_t>(text.substr(1)), std::uint64_t{0})};
  }
  std::uint64_t named_value() {
    const SequenceValue found = value();
    require(found.kind == SequenceValue::Kind::value);
    return found.number;
  }
  /// The rest of the line is a file.
  SourcePlace place() {
    SourcePlace place;
    place.line = take<unsigned>();
    place.file = rest_;
    rest_ = {};
    return place;
  }
  /// The same with a name between line and file.
  SourcePlace place(std::string& name_between) {
    SourcePlace found;
    found.line = take<unsigned>();
    name_between = name();
    found.file = rest_;
    rest_ = {};
    return found;
  }
  void require(bool condition) { is_good_ &= condition; }
  bool is_good() const { return is_good_; }

 private:
  template <class Number>
  Number take(std::optional<Number> found, Number otherwise) {
    is_good_ &= found.has_value();
    return found.value_or(otherwise);
  }

  std::string_view rest_;
  bool is_good_ = true;
};

class Reader {
 public:
  Result<std::vector<LaunchSequence>> read(std::string_view text) {
    while (!text.empty()) {
      const auto end = text.find('\n');
      if (end == std::string_view::npos) return wrong("is cut short");
      if (auto problem = read_line(text.substr(0, end)); !problem.empty()) return wrong(problem);
      text.remove_prefix(end + 1);
      ++line_;
    }
    if (is_open_) return wrong("is cut short");
    return std::move(found_);
  }

 private:
  tl::unexpected<Error> wrong(const std::string& what) const {
    return fail("line " + std::to_string(line_) + " of the sequences " + what);
  }

  std::string read_line(std::string_view text) {
    Line line(text);
    const std::string_view word = line.word();
    if (word == first_word) {
      if (is_open_ || line.word() != version) return "is of another version";
      has_begun_ = true;
    } else if (!has_begun_) {
      return "is not what gridcc writes";
    } else if (word == "sequence") {
      line.require(!is_open_);
      LaunchSequence& sequence = found_.emplace_back();
      sequence.place = line.place(sequence.function);
      is_open_ = true;
    } else if (!is_open_ || !read_part(word, line)) {
      return "is damaged";
    }
    return line.is_good() && !line.has_more() ? "" : "is damaged";
  }

  /// False if there is no such word, or it belongs to something that has not begun.
  bool read_part(std::string_view word, Line& line) {
    LaunchSequence& sequence = found_.back();
    if (word == "loop") {
      const int outer = line.index(sequence.loops.size());
      sequence.loops.push_back({outer, line.place()});
    } else if (word == "step") {
      line.require(sequence.neighbours.empty());
      LaunchStep& step = sequence.steps.emplace_back();
      step.kind = line.kind<LaunchStep::Kind>(step_kinds);
      step.loop = line.index(sequence.loops.size());
      step.always = line.either("always", "sometimes");
      step.place = line.place();
    } else if (word == "fresh") {
      sequence.fresh.push_back(line.named_value());
    } else if (word == "derived") {
      LaunchSequence::Derived& derived = sequence.derived.emplace_back();
      derived.value = line.named_value();
      while (line.has_more() && line.is_good()) derived.from.push_back(line.named_value());
    } else if (word == "apart") {
      const std::uint64_t one = line.named_value();
      sequence.apart.emplace_back(one, line.named_value());
    } else if (word == "pair") {
      Neighbours& pair = sequence.neighbours.emplace_back();
      pair.first = line.take<unsigned>();
      pair.second = line.take<unsigned>();
      line.require(std::max(pair.first, pair.second) < sequence.steps.size());
      pair.turn = line.index(sequence.loops.size());
      pair.always = line.either("always", "sometimes");
      pair.open = line.either("open", "closed");
    } else if (word == "end") {
      line.require(line.take<std::size_t>() == sequence.steps.size());
      is_open_ = false;
    } else if (!sequence.neighbours.empty()) {
      return read_of_pair(word, line, sequence, sequence.neighbours.back());
    } else if (!sequence.steps.empty()) {
      return read_of_step(word, line, sequence.steps.back());
    } else {
      return false;
    }
    return true;
  }

  static bool read_of_step(std::string_view word, Line& line, LaunchStep& step) {
    if (word == "from") {
      step.from.push_back(line.place());
    } else if (word == "kernel") {
      step.kernel = line.name();
    } else if (word == "grid" || word == "block") {
      for (SequenceValue& axis : word == "grid" ? step.grid : step.block) axis = line.value();
    } else if (word == "shared") {
      step.shared = line.value();
    } else if (word == "stream") {
      step.stream = line.value();
    } else if (word == "arguments") {
      while (line.has_more() && line.is_good()) step.arguments.push_back(line.value());
    } else {
      return false;
    }
    return true;
  }

  static bool read_of_pair(std::string_view word, Line& line, const LaunchSequence& sequence,
                           Neighbours& pair) {
    if (word == "equal") {
      const auto first = line.take<unsigned>(), second = line.take<unsigned>();
      // A damaged pair may lead to no step at all.
      line.require(std::max(pair.first, pair.second) < sequence.steps.size() &&
                   first < sequence.steps[pair.first].arguments.size() &&
                   second < sequence.steps[pair.second].arguments.size());
      pair.equal_arguments.emplace_back(first, second);
    } else if (word == "same") {
      while (line.has_more() && line.is_good()) {
        const std::string_view what = line.word();
        bool* const same = what == "grid"     ? &pair.same_grid
                           : what == "block"  ? &pair.same_block
                           : what == "shared" ? &pair.same_shared
                           : what == "stream" ? &pair.same_stream
                                              : nullptr;
        line.require(same != nullptr);
        if (same) *same = true;
      }
    } else if (word == "between") {
      Between& between = pair.between.emplace_back();
      between.kind = line.kind<Between::Kind>(between_kinds);
      between.place = line.place(between.name);
    } else {
      return false;
    }
    return true;
  }

  std::vector<LaunchSequence> found_;
  std::size_t line_ = 1;
  bool has_begun_ = false, is_open_ = false;
};

}  // namespace

Result<std::vector<LaunchSequence>> parse_sequences(std::string_view text) {
  return Reader().read(text);
}

std::string_view to_text(LaunchStep::Kind kind) {
  return step_kinds[static_cast<std::size_t>(kind)];
}

std::string_view to_text(Between::Kind kind) {
  return between_kinds[static_cast<std::size_t>(kind)];
}

}  // namespace gridspan::support
