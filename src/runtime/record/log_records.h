// What a recording holds: one plain struct for each kind of record.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each struct names its fields once, in `fields`; writing, reading and JSON all go by that. The
// place of a struct in `Record` is its number in the file: new kinds go to the end, and a change of
// fields is a change of `format_version`.
//
// A *command* is what an API call put into the queue. Commands are numbered as the queue numbers
// them, from 1, in the order in which they ran.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace gridspan::runtime::record {

inline constexpr std::uint32_t format_version = 1;

/// A variable and its value, or an argument and its value, as text.
struct NamedText {
  std::string name, value;
  template <class A>
  void fields(A& a) {
    a("name", name);
    a("value", value);
  }
};

/// Bytes that are no text.
struct Blob {
  std::string bytes;
  template <class A>
  void fields(A& a) {
    a("bytes", bytes);
  }
};

/// First in every recording.
struct Header {
  std::string gridspan;  // version
  std::string program;   // absolute path
  std::vector<std::string> arguments;
  std::string folder;                // where it was started
  std::vector<NamedText> variables;  // GRIDSPAN_*
  std::vector<std::string> devices;  // names, the home device first
  bool has_data = false;             // with contents of memory: it can be run again
  template <class A>
  void fields(A& a) {
    a("gridspan", gridspan);
    a("program", program);
    a("arguments", arguments);
    a("folder", folder);
    a("variables", variables);
    a("devices", devices);
    a("has_data", has_data);
  }
};

/// A parameter of a kernel: where it lies in the packed arguments.
struct ParameterNote {
  std::uint32_t offset = 0, size = 0;
  bool is_pointer = false;
  template <class A>
  void fields(A& a) {
    a("offset", offset);
    a("size", size);
    a("is_pointer", is_pointer);
  }
};

struct KernelNote {
  std::string name;  // mangled
  std::vector<ParameterNote> parameters;
  template <class A>
  void fields(A& a) {
    a("name", name);
    a("parameters", parameters);
  }
};

struct VariableNote {
  std::string name;  // mangled
  std::uint64_t bytes = 0;
  template <class A>
  void fields(A& a) {
    a("name", name);
    a("bytes", bytes);
  }
};

/// A compiled object of the program. The order of modules numbers them, from 0.
struct ModuleNote {
  std::array<std::uint64_t, 2> id{};
  std::string file;  // program or shared library that it is part of; empty: see LibraryNote
  std::vector<KernelNote> kernels;
  std::vector<VariableNote> variables;
  template <class A>
  void fields(A& a) {
    a("id", id);
    a("file", file);
    a("kernels", kernels);
    a("variables", variables);
  }
};

/// An API call that has returned.
struct CallNote {
  std::uint64_t nanoseconds = 0;  // since the recording began
  std::uint32_t thread = 0;       // threads are numbered by their first call, from 1
  std::string name;
  std::vector<NamedText> arguments;
  std::string result;
  std::uint64_t command = 0;  // the last one it put into the queue; 0: none
  template <class A>
  void fields(A& a) {
    a("nanoseconds", nanoseconds);
    a("thread", thread);
    a("name", name);
    a("arguments", arguments);
    a("result", result);
    a("command", command);
  }
};

/// Memory as the commands that follow see it.
struct MemoryNote {
  std::uint64_t base = 0, size = 0;
  std::uint8_t kind = 0;  // MemoryKind
  std::uint32_t flags = 0;
  bool held = true;  // false: it is gone
  template <class A>
  void fields(A& a) {
    a("base", base);
    a("size", size);
    a("memory_kind", kind);
    a("flags", flags);
    a("held", held);
  }
};

/// Where the variables of a module are from now on.
struct ImageNote {
  std::uint32_t module = 0;
  std::vector<std::uint64_t> addresses;
  template <class A>
  void fields(A& a) {
    a("module", module);
    a("addresses", addresses);
  }
};

/// Bytes of memory, in chunks that stand in the file once each.
struct Bytes {
  static constexpr std::size_t chunk_bytes = 65536;

  std::uint64_t size = 0;
  std::vector<std::uint64_t> chunks;  // file offsets of ChunkNotes; 0: a chunk of zeros
  template <class A>
  void fields(A& a) {
    a("size", size);
    a("chunks", chunks);
  }
};

/// A piece of recorded memory; others refer to it by its place in the file.
struct ChunkNote {
  Blob data;
  template <class A>
  void fields(A& a) {
    a("data", data);
  }
};

/// What stood in memory of the host, before the next command.
struct ContentsNote {
  std::uint64_t base = 0;
  Bytes bytes;
  template <class A>
  void fields(A& a) {
    a("base", base);
    a("bytes", bytes);
  }
};

struct Extents {
  std::uint32_t x = 1, y = 1, z = 1;
  template <class A>
  void fields(A& a) {
    a("x", x);
    a("y", y);
    a("z", z);
  }
  friend bool operator==(const Extents&, const Extents&) = default;
};

struct LaunchNote {
  std::uint64_t command = 0;
  std::uint32_t module = 0, kernel = 0;
  Extents grid, block;
  std::uint32_t shared_bytes = 0;
  Blob arguments;  // packed
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("module", module);
    a("kernel", kernel);
    a("grid", grid);
    a("block", block);
    a("shared_bytes", shared_bytes);
    a("arguments", arguments);
  }
};

/// One side of a copy: a Pitched.
struct SideNote {
  std::uint64_t base = 0, pitch = 0, slice_pitch = 0;
  bool is_host = false;  // the program itself may touch it
  template <class A>
  void fields(A& a) {
    a("base", base);
    a("pitch", pitch);
    a("slice_pitch", slice_pitch);
    a("is_host", is_host);
  }
};

struct BoxExtent {
  std::uint64_t width = 0, height = 1, depth = 1;
  std::uint64_t bytes() const { return width * height * depth; }
  template <class A>
  void fields(A& a) {
    a("width", width);
    a("height", height);
    a("depth", depth);
  }
};

struct CopyNote {
  std::uint64_t command = 0;
  SideNote to, from;
  BoxExtent extent;
  Bytes data;  // what the host's side held, packed; size 0: not recorded
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("to", to);
    a("from", from);
    a("extent", extent);
    a("data", data);
  }
};

struct FillNote {
  std::uint64_t command = 0;
  SideNote to;
  BoxExtent extent;
  std::uint8_t value = 0;
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("to", to);
    a("extent", extent);
    a("value", value);
  }
};

/// An event is recorded.
struct EventNote {
  std::uint64_t command = 0;
  std::uint64_t event = 0;
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("event", event);
  }
};

/// The program set how much stack a thread may use.
struct StackNote {
  std::uint64_t bytes = 0;
  template <class A>
  void fields(A& a) {
    a("bytes", bytes);
  }
};

/// Ranges [begin, end) of a view's dimensions, outermost first, the innermost in bytes: 2 * rank
/// numbers.
struct BoxNote {
  std::vector<std::int64_t> ranges;
  template <class A>
  void fields(A& a) {
    a("ranges", ranges);
  }
  friend bool operator==(const BoxNote&, const BoxNote&) = default;
};

/// Elements that a part updates in a copy of its own, which is combined into the `target` device's
/// after the launch.
struct PrivateNote {
  std::uint32_t target = 0;
  std::uint32_t operation = 0;  // abi::ReductionOp
  std::vector<BoxNote> boxes;
  template <class A>
  void fields(A& a) {
    a("target", target);
    a("operation", operation);
    a("boxes", boxes);
  }
};

/// What one part does to one buffer.
struct UseNote {
  std::uint64_t buffer = 0;           // its base
  std::vector<std::int64_t> pitches;  // of the view its boxes are in, in bytes
  std::int64_t phase = 0;             // byte b of the buffer is position b + phase of the view
  std::vector<BoxNote> reads, writes, merges;
  std::vector<PrivateNote> private_copies;
  template <class A>
  void fields(A& a) {
    a("buffer", buffer);
    a("pitches", pitches);
    a("phase", phase);
    a("reads", reads);
    a("writes", writes);
    a("merges", merges);
    a("private_copies", private_copies);
  }
};

struct PartNote {
  std::uint32_t device = 0;
  Extents first_block, block_count;
  std::vector<UseNote> uses;
  template <class A>
  void fields(A& a) {
    a("device", device);
    a("first_block", first_block);
    a("block_count", block_count);
    a("uses", uses);
  }
};

/// A way to run a launch. The order of plans numbers them, from 0.
struct PlanNote {
  std::string rung, why;
  std::string axis;  // x, y, z, or two of them (xy); empty: one part
  bool touches_everything = false, keeps_order = false;
  std::vector<PartNote> parts;
  template <class A>
  void fields(A& a) {
    a("rung", rung);
    a("why", why);
    a("axis", axis);
    a("touches_everything", touches_everything);
    a("keeps_order", keeps_order);
    a("parts", parts);
  }
};

/// Copies of a buffer from device to device before a launch.
struct StepNote {
  std::uint64_t buffer = 0;
  std::uint32_t from = 0, to = 0;
  std::uint64_t bytes = 0;
  std::vector<BoxNote> boxes;  // hold all that is copied
  template <class A>
  void fields(A& a) {
    a("buffer", buffer);
    a("from", from);
    a("to", to);
    a("bytes", bytes);
    a("boxes", boxes);
  }
};

/// How a launch was carried out on several devices.
struct PlannedNote {
  std::uint64_t command = 0;
  std::uint64_t plan = 0;
  std::vector<StepNote> copies;
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("plan", plan);
    a("copies", copies);
  }
};

/// Bytes that a command moved, by way.
struct MovedNote {
  std::uint64_t host_to_device = 0, device_to_host = 0, between_devices = 0, within_devices = 0,
                merged = 0, combined = 0;
  template <class A>
  void fields(A& a) {
    a("host_to_device", host_to_device);
    a("device_to_host", device_to_host);
    a("between_devices", between_devices);
    a("within_devices", within_devices);
    a("merged", merged);
    a("combined", combined);
  }
  friend bool operator==(const MovedNote&, const MovedNote&) = default;
};

/// A command has passed: on one device it is done, on several its parts are on their way.
struct PassedNote {
  std::uint64_t command = 0;
  std::uint64_t began = 0, ended = 0;  // nanoseconds since the recording began
  MovedNote moved;                     // between and within devices; 0 with one device
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("began", began);
    a("ended", ended);
    a("moved", moved);
  }
};

/// What a copy brought to the host: a hash of every `stretch` bytes of it, packed.
struct DigestNote {
  static constexpr std::size_t stretch = 256;

  std::uint64_t command = 0;
  std::vector<std::uint64_t> hashes;
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("hashes", hashes);
  }
};

/// A kernel failed; it was noticed after this command.
struct FaultNote {
  std::uint64_t command = 0;
  std::string fault;
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("fault", fault);
  }
};

/// The process came to its end in order. Without it, it crashed, or ended by _exit or a signal.
struct EndNote {
  template <class A>
  void fields(A&) {}
};

/// The module that was noted last is no part of a file: the program loaded a library from memory.
struct LibraryNote {
  Bytes bytes;
  template <class A>
  void fields(A& a) {
    a("bytes", bytes);
  }
};

/// A launch, copy or fill of a window that gridspan replay --fuse looked at.
struct FusedStepNote {
  std::string name;
  bool is_kernel = true;
  Extents grid, block;
  std::uint64_t bytes = 0;  // that it moves to and from memory, by itself
  bool is_exact = true;     // else they are the most that it can be
  std::string refusal;      // why it is in no group; empty: it is
  template <class A>
  void fields(A& a) {
    a("name", name);
    a("is_kernel", is_kernel);
    a("grid", grid);
    a("block", block);
    a("bytes", bytes);
    a("is_exact", is_exact);
    a("refusal", refusal);
  }
  friend bool operator==(const FusedStepNote&, const FusedStepNote&) = default;
};

/// Bytes that one kernel of several steps need not write.
struct DeadBytesNote {
  std::string array, why;
  std::uint64_t bytes = 0;
  template <class A>
  void fields(A& a) {
    a("array", array);
    a("why", why);
    a("bytes", bytes);
  }
  friend bool operator==(const DeadBytesNote&, const DeadBytesNote&) = default;
};

/// Steps [first, end) of a window, that could be one kernel, but for copies and fills that can run
/// before all of them.
struct FusedKernelNote {
  std::uint32_t first = 0, end = 0;
  std::vector<std::uint32_t> before;
  std::uint64_t bytes = 0;
  std::vector<DeadBytesNote> dead;
  template <class A>
  void fields(A& a) {
    a("first", first);
    a("end", end);
    a("before", before);
    a("bytes", bytes);
    a("dead", dead);
  }
  friend bool operator==(const FusedKernelNote&, const FusedKernelNote&) = default;
};

/// Steps [first, end) of a window, that could be fused as far as they themselves are concerned.
struct FusedGroupNote {
  std::uint32_t first = 0, end = 0;
  std::vector<std::string> apart;  // of each step and the next: why not one kernel; empty: they may
  std::vector<FusedKernelNote> kernels;  // of several steps
  std::uint64_t apart_bytes = 0, glued_bytes = 0, chained_bytes = 0;
  std::string no_chain;  // why they are no chain; empty: they may be one
  std::string here;      // what the machine of the replay would make of the chain
  template <class A>
  void fields(A& a) {
    a("first", first);
    a("end", end);
    a("apart", apart);
    a("kernels", kernels);
    a("apart_bytes", apart_bytes);
    a("glued_bytes", glued_bytes);
    a("chained_bytes", chained_bytes);
    a("no_chain", no_chain);
    a("here", here);
  }
  friend bool operator==(const FusedGroupNote&, const FusedGroupNote&) = default;
};

/// What could become of a window. The order of these numbers them, from 0.
struct ForecastNote {
  std::vector<FusedStepNote> steps;
  std::vector<FusedGroupNote> groups;
  template <class A>
  void fields(A& a) {
    a("steps", steps);
    a("groups", groups);
  }
  friend bool operator==(const ForecastNote&, const ForecastNote&) = default;
};

/// Commands that followed one another with nothing between that fusing them could show.
struct WindowNote {
  std::uint64_t first = 0, last = 0;  // commands
  std::string end;                    // why it ended
  bool is_graph = false;
  std::uint64_t forecast = 0;
  template <class A>
  void fields(A& a) {
    a("first", first);
    a("last", last);
    a("end", end);
    a("is_graph", is_graph);
    a("forecast", forecast);
  }
};

/// From a launch on, how much of the kernel's work each device gets: found out by timing, and
/// repeated by a replay.
struct SharesNote {
  std::uint64_t command = 0;
  std::uint32_t module = 0, kernel = 0;
  /// By how many millionths each device is as slow as its memory says; 0: it takes no part.
  std::vector<std::uint64_t> slowness;
  bool asks_all = false;  // each gets some, to be timed
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("module", module);
    a("kernel", kernel);
    a("slowness", slowness);
    a("asks_all", asks_all);
  }
};

/// How fast devices and the links between them were measured to be: plans go by it. Numbers are the
/// bits of a double.
struct MeasuredNote {
  std::vector<std::uint64_t> memory;                    // bytes per second, by device
  std::vector<std::uint64_t> link_seconds, link_bytes;  // from the first device to all, from ...
  std::uint64_t begin_seconds = 0;
  template <class A>
  void fields(A& a) {
    a("memory", memory);
    a("link_seconds", link_seconds);
    a("link_bytes", link_bytes);
    a("begin_seconds", begin_seconds);
  }
};

/// From a command on, all devices take part in what is launched, or the home device does all: by
/// measured times, and repeated by a replay. Recordings without any are planned for all.
struct PlaceNote {
  std::uint64_t command = 0;
  bool on_all = false;
  template <class A>
  void fields(A& a) {
    a("command", command);
    a("on_all", on_all);
  }
};

using Record =
    std::variant<Header, ModuleNote, CallNote, MemoryNote, ImageNote, ChunkNote, ContentsNote,
                 LaunchNote, CopyNote, FillNote, EventNote, StackNote, PlanNote, PlannedNote,
                 PassedNote, DigestNote, FaultNote, EndNote, LibraryNote, ForecastNote, WindowNote,
                 SharesNote, MeasuredNote, PlaceNote>;

/// Names of the kinds, by their place in Record.
inline constexpr std::array<const char*, std::variant_size_v<Record>> record_names{
    "header", "module", "call",    "memory",   "image",  "chunk",   "contents", "launch",
    "copy",   "fill",   "event",   "stack",    "plan",   "planned", "passed",   "digest",
    "fault",  "end",    "library", "forecast", "window", "shares",  "measured", "place"};

}  // namespace gridspan::runtime::record
