// One window after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/windows.h"

#include <algorithm>
#include <utility>

namespace gridspan::runtime::record {

namespace {

class Builder {
 public:
  void take(const Happening& happening) {
    if (is_over_ && happening.kind != Happening::Kind::freed) close("memory is given back");
    switch (happening.kind) {
      case Happening::Kind::launch:
      case Happening::Kind::inside:
        return add(happening);
      case Happening::Kind::end:
        return close(happening.reason);
      case Happening::Kind::freed:
        is_over_ = !window_.commands.empty();
        [[fallthrough]];
      case Happening::Kind::retired:
        window_.freed.insert(static_cast<std::uintptr_t>(happening.address));
        return;
      case Happening::Kind::gone:
        gone_.push_back({happening.address, happening.address + happening.size});
        return;
      case Happening::Kind::came:
        if (comes_again(happening)) close("memory that was given back is allocated again");
        return;
    }
  }

  std::vector<Window> finish() {
    close(is_over_ ? "memory is given back" : "the end of the recording");
    return std::move(windows_);
  }

 private:
  void add(const Happening& command) {
    if (!window_.commands.empty()) {
      if (command.graph != graph_)
        close(graph_ != 0 ? "a graph launch ends" : "a graph launch begins");
      else if (command.graph == 0 && command.stream != stream_)
        close("work on another stream");
    }
    if (window_.commands.empty()) begin(command);
    window_.commands.push_back(command.command);
    if (command.kind != Happening::Kind::launch) return;
    if (++window_.launches == most_launches_of_window)
      close(std::to_string(most_launches_of_window) + " launches");
  }

  void begin(const Happening& command) {
    window_ = {};
    window_.is_graph = command.graph != 0;
    stream_ = command.stream;
    graph_ = command.graph;
    gone_.clear();
  }

  void close(std::string reason) {
    is_over_ = false;
    if (window_.launches > 0) {
      window_.end = std::move(reason);
      windows_.push_back(std::move(window_));
    }
    window_ = {};
  }

  bool comes_again(const Happening& memory) const {
    return std::ranges::any_of(gone_, [&](const auto& one) {
      return memory.address < one.second && one.first < memory.address + memory.size;
    });
  }

  Window window_;
  std::uint64_t stream_ = 0, graph_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> gone_;  // since it began
  bool is_over_ = false;  // the program waits; what it gives back at once is dead, too
  std::vector<Window> windows_;
};

}  // namespace

std::vector<Window> windows_of(std::span<const Happening> happenings) {
  Builder builder;
  for (const Happening& happening : happenings) builder.take(happening);
  return builder.finish();
}

}  // namespace gridspan::runtime::record
