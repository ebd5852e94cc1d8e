// Calls are put behind the commands that were in the queue when they returned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands stand in a recording in the order in which they ran, calls in that in which they
// returned. A call says which command it put into the queue last. Commands without a note (waits
// of a stream, host functions, markers) are known by their numbers, and by the call.
#include "runtime/record/happenings.h"

#include "runtime/record/log_file.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace gridspan::runtime::record {

namespace {

using Kind = Happening::Kind;

const std::string* argument(const CallNote& call, std::initializer_list<std::string_view> names) {
  for (const NamedText& one : call.arguments)
    if (std::ranges::find(names, one.name) != names.end()) return &one.value;
  return nullptr;
}

/// "0x7f00", "[0x7f00]"; 0: "null", or no address.
std::uint64_t address_in(const std::string* text) {
  if (!text) return 0;
  const std::size_t at = text->find("0x");
  return at == std::string::npos ? 0 : std::strtoull(text->c_str() + at, nullptr, 16);
}

/// Of a launch by cudaLaunchKernelEx: "{grid=..., stream=0x70}".
std::uint64_t stream_of_config(const std::string* config) {
  const std::size_t at = config ? config->find("stream=") : std::string::npos;
  if (at == std::string::npos) return 0;
  const std::string stream = config->substr(at);
  return address_in(&stream);
}

/// What a command or a graph launch belongs to.
struct Origin {
  std::uint64_t stream = 0, graph = 0;
  std::string call;
  std::uint64_t freed = 0;      // by cudaFreeAsync
  bool is_timed_event = false;  // that takes a time
};

/// What calls say of commands, and what they do between them.
class Calls {
 public:
  void add(const CallNote& call) {
    const bool waits =
        call.name.find("Synchronize") != call.name.npos || call.name.ends_with("Query");
    if (call.result == "cudaSuccess" || call.command != 0 || waits) note(call);
    last_ = std::max(last_, call.command);
  }

  /// Of the command by the call that put it, or a later one, into the queue.
  const Origin* origin(std::uint64_t command) const {
    const auto at = origins_.lower_bound(command);
    return at == origins_.end() ? nullptr : &at->second;
  }
  /// The last command of that origin; nothing: there is none.
  std::optional<std::uint64_t> end_of_origin(std::uint64_t command) const {
    const auto at = origins_.lower_bound(command);
    return at == origins_.end() ? std::nullopt : std::optional(at->first);
  }

  /// Appends what happened behind commands [first, last], each before the next one.
  void append_behind(std::uint64_t first, std::uint64_t last, std::vector<Happening>& all) const {
    if (first > last) return;
    const auto end = behind_.upper_bound(last);
    for (auto at = behind_.lower_bound(first); at != end; ++at) all.push_back(at->second);
  }

 private:
  void note(const CallNote& call) {
    note_event(call);
    if (call.command != 0) origins_.try_emplace(call.command, origin_of(call));
    if (auto happening = happening_of(call)) {
      const std::uint64_t place = std::max(last_, call.command);
      behind_.emplace(place, std::move(*happening));
    }
  }

  void note_event(const CallNote& call) {
    constexpr unsigned without_timing = 2;
    const std::uint64_t event = address_in(argument(call, {"event"}));
    if (call.name == "cudaEventCreate") timed_.insert(event);
    if (call.name != "cudaEventCreateWithFlags") return;
    const std::string* const flags = argument(call, {"flags"});
    if (flags && (std::strtoul(flags->c_str(), nullptr, 0) & without_timing) != 0)
      timed_.erase(event);
    else
      timed_.insert(event);
  }

  Origin origin_of(const CallNote& call) const {
    Origin origin;
    origin.call = call.name;
    origin.stream = address_in(argument(call, {"stream", "stream_handle"}));
    if (origin.stream == 0) origin.stream = stream_of_config(argument(call, {"config"}));
    const bool has_handle_of_stream = call.name.starts_with("cudaStream") ||
                                      call.name.starts_with("cudaLaunchHostFunc") ||
                                      call.name.ends_with("Async");
    if (origin.stream == 0 && has_handle_of_stream)
      origin.stream = address_in(argument(call, {"handle"}));
    if (call.name.starts_with("cudaGraphLaunch")) origin.graph = call.command;
    if (call.name.starts_with("cudaFreeAsync"))
      origin.freed = address_in(argument(call, {"pointer"}));
    if (call.name.starts_with("cudaEventRecord"))
      origin.is_timed_event = timed_.contains(address_in(argument(call, {"event", "handle"})));
    return origin;
  }

  /// Of calls that do something to the queue, but put nothing into it.
  static std::optional<Happening> happening_of(const CallNote& call) {
    const std::string_view name = call.name;
    const auto ends = [&] { return Happening{Kind::end, 0, 0, 0, call.name, 0, 0}; };
    if (name == "cudaFree") {
      const std::uint64_t address = address_in(argument(call, {"pointer"}));
      if (address == 0) return std::nullopt;
      return Happening{Kind::freed, 0, 0, 0, {}, address, 0};
    }
    if (name.find("Synchronize") != name.npos || name.ends_with("Query") ||
        name == "cudaEventElapsedTime" || name.starts_with("cudaStreamBeginCapture") ||
        name == "cudaDeviceReset" || name == "cudaFreeHost" || name == "cudaFreeArray" ||
        name == "cudaHostUnregister")
      return ends();
    return std::nullopt;
  }

  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Origin> origins_;         // by a call's last command
  std::multimap<std::uint64_t, Happening> behind_;  // by the command before
  std::set<std::uint64_t> timed_;                   // events
};

class Order {
 public:
  explicit Order(const Calls& calls) : calls_(calls) { calls_.append_behind(0, 0, all_); }

  void take(const Record& record) {
    std::visit([this](const auto& note) { take_note(note); }, record);
  }

  std::vector<Happening> finish(std::uint64_t last) {
    pass_to(last + 1);
    return std::move(all_);
  }

 private:
  template <class T>
  void take_note(const T&) {}

  void take_note(const LaunchNote& note) { add(note.command, Kind::launch, {}); }
  void take_note(const FillNote& note) {
    if (note.to.is_host)
      add(note.command, Kind::end, "a fill of memory of the host");
    else
      add(note.command, Kind::inside, {});
  }
  void take_note(const CopyNote& note) {
    if (note.to.is_host || note.from.is_host)
      add(note.command, Kind::end, note.to.is_host ? "a copy to the host" : "a copy from the host");
    else
      add(note.command, Kind::inside, {});
  }
  /// One that takes no time may move behind the window.
  void take_note(const EventNote& note) {
    const Origin* const origin = calls_.origin(note.command);
    const bool is_timed = !origin || origin->graph != 0 || origin->is_timed_event;
    pass_to(note.command);
    if (is_timed)
      all_.push_back({Kind::end, note.command, 0, 0, "an event that takes a time", 0, 0});
    calls_.append_behind(note.command, note.command, all_);
    passed_ = note.command;
  }
  void take_note(const MemoryNote& note) {
    all_.push_back({note.held ? Kind::came : Kind::gone, 0, 0, 0, {}, note.base, note.size});
  }

  void add(std::uint64_t command, Kind kind, std::string reason) {
    pass_to(command);
    const Origin* const origin = calls_.origin(command);
    all_.push_back({kind, command, origin ? origin->stream : 0, origin ? origin->graph : 0,
                    std::move(reason), 0, 0});
    calls_.append_behind(command, command, all_);
    passed_ = command;
  }

  /// Commands without a note, before `command`: those of a call at once.
  void pass_to(std::uint64_t command) {
    std::uint64_t first = passed_ + 1;
    while (first < command) {
      const auto end = calls_.end_of_origin(first);
      if (end) pass(*calls_.origin(first));
      const std::uint64_t last = end ? std::min(*end, command - 1) : command - 1;
      calls_.append_behind(first, last, all_);
      first = last + 1;
    }
  }

  void pass(const Origin& origin) {
    if (origin.freed != 0) {
      all_.push_back({Kind::retired, 0, 0, 0, {}, origin.freed, 0});
    } else if (origin.graph != 0) {
      all_.push_back({Kind::end, 0, 0, 0, "a host function or an empty node of a graph", 0, 0});
    } else if (!origin.call.starts_with("cudaMalloc") &&
               !origin.call.starts_with("cudaMemPrefetch")) {
      all_.push_back({Kind::end, 0, 0, 0, origin.call, 0, 0});
    }
  }

  const Calls& calls_;
  std::uint64_t passed_ = 0;
  std::vector<Happening> all_;
};

/// Calls `take(record)` for each.
template <class Take>
support::Result<void> for_each_record(const std::string& file, Take take) {
  auto reader = LogReader::open(file);
  if (!reader) return support::fail(reader.error());
  for (;;) {
    auto record = reader->next();
    if (!record) return support::fail(record.error());
    if (!*record) return {};
    take(**record);
  }
}

}  // namespace

support::Result<std::vector<Happening>> happenings_of(const std::string& file) {
  Calls calls;
  std::uint64_t last = 0;
  auto read = for_each_record(file, [&](const Record& record) {
    if (const auto* call = std::get_if<CallNote>(&record)) {
      calls.add(*call);
      last = std::max(last, call->command);
    }
  });
  if (!read) return support::fail(read.error());
  Order order(calls);
  read = for_each_record(file, [&](const Record& record) { order.take(record); });
  if (!read) return support::fail(read.error());
  return order.finish(last);
}

}  // namespace gridspan::runtime::record
